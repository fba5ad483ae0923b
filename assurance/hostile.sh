#!/usr/bin/env bash
# Hostile running of the example programs, for as long as is wanted:
#   assurance/hostile.sh [MINUTES [SEED]]
#   assurance/hostile.sh --control
# In turn: files with random changes against every program that reads such, kills at random moments,
# disks that are full after random sizes, inputs without end. Every run must end within a minute
# with exit code 0, 1 (a verdict) or 2 (an error and one line), never by a panic or a signal of its
# own; after a kill or a full disk the old files must be as they were and nothing half-written be
# left. Prints counts. With TAUTOCHRONE_EXAMPLES, takes the programs of that folder. --control runs
# it on programs that misbehave in each of these ways, which must be noticed. Exit code 0 if all
# behaved, with --control if all was noticed, 1 otherwise, with the inputs kept.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 RUST_BACKTRACE=0
bin=${TAUTOCHRONE_EXAMPLES-}
if [ -z "$bin" ]; then
    cargo build --quiet --locked --release --examples
    bin=$PWD/target/release/examples
fi
vectors=$PWD/crates/kem-keys/tests/vectors
dir=$(mktemp -d)

# noticed FAULT COMPLAINT PROGRAM SCRIPT: one round with a script in the place of a program, in
# which $real is that program, must end with that complaint.
noticed() {
    local programs=$dir/$1 status=0
    mkdir "$programs"
    ln -s "$bin"/* "$programs"
    rm "$programs/$3"
    printf '#!/bin/bash\nreal=%q\n%s\n' "$bin/$3" "$4" >"$programs/$3"
    chmod +x "$programs/$3"
    HOSTILE_SECONDS=3 TMPDIR=$dir TAUTOCHRONE_EXAMPLES=$programs assurance/hostile.sh 0 1 >"$dir/log" 2>&1 || status=$?
    if [ "$status" = 1 ] && grep -q "^BAD: $2" "$dir/log"; then
        echo "noticed: $1"
    else
        echo "NOT noticed: $1 (exit code $status)" >&2
        tail -n 5 "$dir/log" >&2
        failed=1
    fi
}
if [ "${1-}" = --control ]; then
    failed=0
    # shellcheck disable=SC2016 # the scripts expand their own variables
    {
        noticed panic 'a changed proof: exit code 101' verify \
            '"$real" "$@" || { echo "thread main panicked at verify.rs" >&2; exit 101; }'
        noticed signal 'a changed proof: exit code 139' verify '"$real" "$@" || kill -SEGV $$'
        noticed endless 'an endless statement: exit code 124' verify \
            'case "$*" in */dev/*) sleep 60 ;; *) exec "$real" "$@" ;; esac'
        noticed half-written 'a full disk: an old file was touched' prove '"$real" "$@" || { : >s; exit 2; }'
        noticed left 'a full disk: a temporary file was left' prove \
            '"$real" "$@" || { : >.s.partial; exit 2; }'
        noticed unswept 'a leftover of a killed program was not swept' prove \
            'if [ "$(ulimit -f)" = unlimited ]; then : >.s.partial; fi; exec "$real" "$@"'
    }
    rm -rf "$dir"
    exit "$failed"
fi

minutes=${1-1} RANDOM=${2-$$}
seed=${2-$$}
limit=${HOSTILE_SECONDS-60}
cd "$dir"

# Inputs of the programs: a statement with a proof, a witness of a file, parameters, a cipher text.
toy=(--preset T1-128 --columns 40 --insecure)
"$bin/prove" "${toy[@]}" --statement s --proof p >/dev/null
head -c 3000 /dev/urandom >plain
"$bin/ice" encrypt --game csgo --in plain --out cipher >/dev/null
"$bin/commit_file" commit --in plain --statement cs --proof cp --key k >/dev/null
"$bin/circuit" prove --poseidon2 plain --statement zs --proof zp --json >line
digest=$(grep -o 'poseidon2 [0-9a-f]*' line | cut -d' ' -f2)
"$bin/prove" --exact-keys --columns 40 --statement ks --proof kp >/dev/null
cp "$vectors/ml-kem-512.pub" pub
cp "$vectors/ml-kem-512-both.priv" priv
printf 'a\tpub\tpriv\n' >list
printf 'a\tm\tpriv\n' >list.pub
printf 'a\tpub\tm\n' >list.priv
keys=(--set ML-KEM-512 --purpose x --ids)
"$bin/keys" prove "${keys[@]}" list --statement ls --proof lp >/dev/null
# x x = 4 for a secret x and a public 4: A, B and C are wire 2, wire 2 and wire 1.
python3 - <<'END'
import json, struct
prime = struct.pack("<IQ", 8, 2**61 - 1)
section = lambda kind, content: struct.pack("<IQ", kind, len(content)) + content
row = lambda wire: struct.pack("<IIQ", 1, wire, 1)
header = prime + struct.pack("<IIIIQI", 3, 0, 1, 0, 3, 1)
circuit = section(1, header) + section(2, row(2) + row(2) + row(1))
open("r1cs", "wb").write(b"r1cs" + struct.pack("<II", 1, 2) + circuit)
wires = section(1, prime + struct.pack("<I", 3)) + section(2, struct.pack("<QQQ", 1, 4, 2))
open("wtns", "wb").write(b"wtns" + struct.pack("<II", 2, 2) + wires)
json.dump(["4"], open("public", "w"))
END
"$bin/circuit" prove --r1cs r1cs --wtns wtns --public public --statement cs2 --proof cp2 >/dev/null
"$bin/circuit" commit --in plain --statement ds --key dk --slots 8 >/dev/null
"$bin/circuit" prove --poseidon2 plain --committed ds --key dk --proof dp >/dev/null
printf '{"base":"%x","exponent":"10001","modulus":"f00000000000000%x"}\n' 12345 1 67890 7 >numbers
cat >parameters <<'END'
w = 32
r = 1088
v = 2688
l = 64
b = 1
END
mkdir pristine
cp s p plain cipher cs cp k numbers parameters zs zp ds dk dp ks kp ls lp pub priv list r1cs wtns public pristine/

declare -A count
tally() { count[$1]=$((${count[$1]-0} + 1)); }
bad=0
complain() {
    bad=$((bad + 1))
    echo "BAD: $*" >&2
    cp -r "$dir" "$dir.bad$bad" 2>/dev/null || true
    echo "  files: $dir.bad$bad; output:" >&2
    tail -n 3 out >&2 || true
}
# Runs a program; complains unless it ends in time, by itself, without a panic.
behaved() {
    local what=$1 status=0
    shift
    timeout --kill-after=5 "$limit" "$@" >out 2>&1 </dev/null || status=$?
    if [ "$status" -gt 2 ] || grep -qa 'panicked at' out; then complain "$what: exit code $status: $*"; fi
    tally "$what, exit code $status"
}
# Changes one to four places of a file: bytes, runs, its length.
mutate() {
    python3 - "$1" "$2" "$RANDOM$RANDOM" <<'END'
import random, sys
source, target, seed = sys.argv[1:]
random.seed(int(seed))
data = bytearray(open(source, "rb").read())
for _ in range(random.randint(1, 4)):
    n = len(data)
    at = random.randrange(n) if n else 0
    # The header, where single bytes decide most, half of the time.
    if random.random() < 0.5 and n: at = random.randrange(min(n, 200))
    run = random.randint(1, 64)
    kind = random.randrange(6)
    if kind == 0 and n: data[at] ^= 1 << random.randrange(8)
    elif kind == 1: data[at:at + run] = random.randbytes(run)
    elif kind == 2: data[at:at + run] = random.choice([b"\0", b"\xff"]) * run
    elif kind == 3: del data[at:at + run]
    elif kind == 4: data[at:at] = data[at:at + run]
    else: del data[random.randrange(n + 1):]
open(target, "wb").write(data)
END
}
same() { cmp -s s pristine/s && cmp -s p pristine/p; }
leftovers() { [ -n "$(find . -maxdepth 1 -name '*partial*')" ]; }

mutated_files() {
    mutate pristine/s m
    behaved 'a changed statement' "$bin/verify" --insecure --statement m --proof p
    mutate pristine/p m
    behaved 'a changed proof' "$bin/verify" --insecure --statement s --proof m
    mutate pristine/cipher m
    behaved 'a changed cipher text' "$bin/ice" decrypt --find-key --in m --out o
    mutate pristine/k m
    behaved 'a changed key' "$bin/commit_file" open --in plain --statement cs --key m --piece 0 --out o
    mutate pristine/plain m
    behaved 'a changed file' "$bin/commit_file" open --in m --statement cs --key k --piece 0 --out o
    mutate pristine/plain m
    behaved 'noise as a hash' "$bin/rollup" --in m
    mutate pristine/zp m
    behaved 'a changed proof about a circuit' \
        "$bin/circuit" verify --poseidon2 "$digest" --length 3000 --statement zs --proof m
    mutate pristine/dp m
    behaved 'a changed proof about committed values' \
        "$bin/circuit" verify --poseidon2 "$digest" --length 3000 --committed ds --slot 0 --proof m
    mutate pristine/ds m
    behaved 'changed commitments' \
        "$bin/circuit" verify --poseidon2 "$digest" --length 3000 --committed m --slot 0 --proof dp
    mutate pristine/dk m
    behaved 'a changed key of commitments' \
        "$bin/circuit" prove --poseidon2 plain --committed ds --key m --proof o
    mutate pristine/r1cs m
    behaved 'a changed circuit' \
        "$bin/circuit" prove --r1cs m --wtns wtns --public o3 --statement o1 --proof o2
    mutate pristine/wtns m
    behaved 'changed wires' \
        "$bin/circuit" prove --r1cs r1cs --wtns m --public o3 --statement o1 --proof o2
    mutate pristine/public m
    behaved 'changed public inputs' \
        "$bin/circuit" verify --r1cs r1cs --public m --statement cs2 --proof cp2
    mutate pristine/kp m
    behaved 'a changed proof about keys' "$bin/verify" --statement ks --proof m
    mutate pristine/lp m
    behaved 'a changed proof about a list' "$bin/keys" verify "${keys[@]}" list --statement ls --proof m
    mutate pristine/ls m
    behaved 'a changed statement about a list' "$bin/keys" verify "${keys[@]}" list --statement m --proof lp
    mutate pristine/list m
    behaved 'a changed list' "$bin/keys" verify "${keys[@]}" m --statement ls --proof lp
    mutate pristine/pub m
    behaved 'a changed public key' "$bin/keys" verify "${keys[@]}" list.pub --statement ls --proof lp
    mutate pristine/priv m
    behaved 'a changed secret key' "$bin/keys" prove "${keys[@]}" list.priv --statement o1 --proof o2
    mutate pristine/numbers m
    behaved 'changed numbers' "$bin/modexp" --batch m
    mutate pristine/parameters m
    behaved 'changed parameters' "$bin/prove" --params m --columns 10 --insecure --statement o1 --proof o2
}
random_kill() {
    local process status=0
    "$bin/prove" "${toy[@]}" --statement s --proof p >out 2>&1 &
    process=$!
    sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
    kill -"$([ $((RANDOM % 2)) = 0 ] && echo KILL || echo TERM)" "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || status=$?
    tally "a kill, exit code $status"
    # Old or new, but whole, and both of one run.
    behaved 'after a kill' "$bin/verify" --insecure --statement s --proof p
    if ! grep -qa '"\?accepted\|valid' out && ! same; then complain 'after a kill: files do not verify'; fi
    cp pristine/s pristine/p .
    # The next run sweeps what a kill has left.
    "$bin/prove" "${toy[@]}" --statement s --proof p >out 2>&1
    if leftovers; then complain 'a leftover of a killed program was not swept'; fi
    cp pristine/s pristine/p .
}
full_disk() {
    local status=0
    (trap '' XFSZ && ulimit -f $((RANDOM % 20)) && exec "$bin/prove" "${toy[@]}" --statement s --proof p) \
        >/dev/null 2>&1 || status=$?
    tally "a full disk, exit code $status"
    if [ "$status" != 0 ] && ! same; then complain 'a full disk: an old file was touched'; fi
    if leftovers; then complain 'a full disk: a temporary file was left'; fi
    if [ "$status" -gt 2 ]; then complain "a full disk: exit code $status"; fi
    cp pristine/s pristine/p .
}
endless_file() {
    local name=/dev/zero
    if [ $((RANDOM % 2)) = 0 ]; then name=/dev/urandom; fi
    behaved 'an endless statement' "$bin/verify" --insecure --statement "$name" --proof p
    behaved 'an endless proof' "$bin/verify" --insecure --statement s --proof "$name"
    behaved 'endless parameters' "$bin/prove" --params "$name" --statement o1 --proof o2
}

end=$((SECONDS + 60 * minutes)) round=0
while [ "$round" = 0 ] || [ "$SECONDS" -lt "$end" ]; do
    for _ in 1 2 3 4 5 6 7 8; do mutated_files; done
    random_kill
    full_disk
    if [ $((round % 8)) = 0 ]; then endless_file; fi
    round=$((round + 1))
done
echo "hostile running for $minutes minutes, seed $seed, $round rounds:"
for what in "${!count[@]}"; do printf '%8d  %s\n' "${count[$what]}" "$what"; done | sort -k2
echo "$bad bad"
cd /
rm -rf "$dir"
[ "$bad" = 0 ]
