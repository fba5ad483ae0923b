#!/usr/bin/env bash
# Everything that .ci/run leaves out, one after another, and one dated record of it:
#   assurance/long.sh [--minutes N] [--record FILE] [STEP ..]
# Steps: statistics, mutations, mutants, fuzz, sanitizers, miri, architectures, differential,
# hostile, trace, shipped, timing, supply, api, publish, lattice, fhe, bare; all by default, which
# takes a day on two cores.
# --minutes is the time of each fuzz target and of hostile running, 60 by default. The record,
# assurance/record/DATE-long.md by default, has for each step the command, the result, its time and
# the last lines that it printed; it is written after every step, so that a run that is stopped
# leaves what it has. Exit code 0 if all that could be run passed; what lacks a tool is recorded as
# such.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 RUST_BACKTRACE=0 CARGO_TERM_COLOR=never
minutes=60 record=assurance/record/$(date +%F)-long.md
while [[ ${1-} == --* ]]; do
    case $1 in
    --minutes) minutes=${2?a number} ;;
    --record) record=${2?a file} ;;
    *)
        echo 'usage: assurance/long.sh [--minutes N] [--record FILE] [STEP ..]' >&2
        exit 2
        ;;
    esac
    shift 2
done
if [ $# -eq 0 ]; then
    set -- statistics mutations mutants fuzz sanitizers miri architectures differential hostile trace \
        shipped timing supply api publish lattice fhe bare
fi
logs=$(mktemp -d)
rows=() tails=() failed=0

write() {
    {
        printf '# What CI leaves out, %s\n\n' "$(date +%F)"
        printf '`assurance/long.sh` of commit %s; %s; %s; %s CPUs. Seconds of wall time, compiling included.\n\n' \
            "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)" "$(rustc --version)" \
            "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)"
        printf '| step | command | result | seconds |\n|---|---|---|---|\n'
        printf '%s\n' "${rows[@]}"
        printf '\n## Last lines of each\n'
        printf '%s\n' "${tails[@]}"
    } >"$record"
}
# part STEP COMMAND ..
part() {
    local name=$1 start=$SECONDS log status=0 result
    shift
    log=$logs/$((${#rows[@]} + 1))
    printf '\n== %s: %s\n' "$name" "$*"
    "$@" >"$log" 2>&1 || status=$?
    tail -n 3 "$log"
    case $status in
    0) result=passed ;;
    2) result='not run: see below' ;;
    *) result="FAILED ($status)" failed=1 ;;
    esac
    rows+=("| $name | \`$*\` | $result | $((SECONDS - start)) |")
    tails+=("$(printf '\n### %s\n\n```text\n%s\n```' "$name: $*" "$(tail -n 12 "$log" | cut -c1-160)")")
    write
}
# Tests that are ignored: 10^9 samples and more of each sampler, exactness in multi-precision.
statistics() {
    part statistics cargo test --release -p tautochrone-gauss --test battery -- --include-ignored
    part statistics cargo test --release -p tautochrone-gauss --lib -- --ignored
}
# A million mutated proofs.
mutations() {
    part mutations cargo test --release -p tautochrone-zk --lib hostile -- --ignored --nocapture
}
# Faults in the sources, each found by a test; leaks in the AMX kernel, each found by the tracer.
mutants() {
    part mutants assurance/mutants.py
    part mutants assurance/leaks.sh
}
fuzz() {
    local target
    if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
        part fuzz sh -c 'echo "cargo-fuzz is needed: cargo install --locked cargo-fuzz"; exit 2'
        return
    fi
    for target in fuzz/fuzz_targets/*.rs; do
        target=$(basename "$target" .rs)
        part fuzz cargo +nightly fuzz run "$target" -- -max_total_time="$((60 * minutes))" -print_final_stats=1
    done
}
sanitizers() {
    part sanitizers assurance/sanitizers.sh address
    part sanitizers assurance/sanitizers.sh thread
}
# Portable code in an interpreter that knows of each byte who may use it.
miri() { part miri assurance/miri.sh; }
architectures() { part architectures assurance/architectures.sh; }
# Instructions and addresses on different secrets, on emulated CPUs.
differential() { part differential assurance/differential.sh; }
hostile() {
    part hostile assurance/hostile.sh --control
    part hostile assurance/hostile.sh "$minutes"
}
# All claims on AVX-512 and AMX; CI follows products and streams.
trace() { part trace assurance/trace.sh; }
# The build that users have, in which `declassify` is nothing.
shipped() { part shipped assurance/disassembly.sh --shipped; }
# Ten runs, each of a sign test within blocks, to which a machine that drifts does not matter.
timing() { part timing assurance/timing.sh; }
supply() { part supply assurance/supply.sh; }
# The public interface of the libraries, compared with the record.
api() { part api assurance/api.sh; }
publish() { part publish assurance/publish.sh; }
# Presets by the public lattice-estimator: 4 GB and some ten minutes to install it.
lattice() { part lattice assurance/lattice.sh; }
# Keys and ciphertexts of the crates `fhe` and `tfhe`, which take minutes to compile.
fhe() {
    part fhe cargo test --release --locked --manifest-path examples/fhe/Cargo.toml
}
# The commands that the pages tell a new user to type, on a machine that has nothing.
bare() { part bare assurance/bare.sh --transcript "assurance/record/$(date +%F)-bare.md"; }

for step; do
    case $step in
    statistics | mutations | mutants | fuzz | sanitizers | miri | architectures | differential | hostile | \
        trace | shipped | timing | supply | api | publish | lattice | fhe | bare)
        "$step"
        ;;
    *)
        echo "long: no step $step" >&2
        exit 2
        ;;
    esac
done
echo "record: $record"
exit "$failed"
