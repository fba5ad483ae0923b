#!/usr/bin/env bash
# "The same bytes on every machine", on machines unlike this one, emulated by qemu:
#   assurance/architectures.sh [--record FILE] [ARCHITECTURE ..]
# s390x is big-endian, i686 has words of 32 bits, aarch64 is the commonest other one, and has
# kernels of its own, on NEON, AES and dot products, which tests compare with portable code; riscv64
# has no flags. All four by default. Runs the known answers of statements and proofs
# (tests/golden.rs), and the unit tests of registers, streams, samplers, ICE, big numbers, products
# and proofs, with few cases of each property. With --record, writes a table of results. On Debian
# it installs missing packages (qemu-user-static, and GCC for each architecture); elsewhere these
# must be there. A step for releases: an hour or more on two cores. Exit code 0 if all passes, 1 if
# a test fails, 2 for wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 RUST_BACKTRACE=0
export PROPTEST_CASES=${PROPTEST_CASES-8} PROPTEST_FAILURE_PERSISTENCE=off
record=
if [ "${1-}" = --record ]; then
    record=${2?a file for the record}
    shift 2
fi
if [ $# -eq 0 ]; then set -- s390x i686 aarch64 riscv64; fi

. assurance/cross.sh

# Debian's name of the emulator.
emulator() { if [ "$1" = i686 ]; then echo qemu-i386-static; else echo "qemu-$1-static"; fi; }

missing=()
for architecture; do
    if ! cross_known "$architecture"; then
        echo "architectures: $architecture is unknown; expected s390x, i686, aarch64 or riscv64" >&2
        exit 2
    fi
    command -v "$(emulator "$architecture")" >/dev/null || missing+=(qemu-user-static)
    mapfile -t -O ${#missing[@]} missing < <(cross_missing "$architecture")
done
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -q && apt-get install -qy --no-install-recommends "${missing[@]}"
fi

# The tests that are left out take minutes under emulation: the search for the best parameters,
# which no file depends on, and the statistics of provers and shards, whose bytes the known answers
# cover.
skip=(--skip params::optimise --skip prover::tests --skip shard::tests)
rows=()
failed=0
# step ARCHITECTURE WHAT COMMAND ..
step() {
    local architecture=$1 what=$2 start=$SECONDS log result passed
    shift 2
    log=$(mktemp)
    if "$@" 2>&1 | tee "$log"; then result=passed; else result=FAILED failed=1; fi
    passed=$(sed -n 's/^test result: .* \([0-9]*\) passed.*/\1/p' "$log" |
        awk '{ n += $1 } END { print n + 0 }')
    rm "$log"
    printf '\n== %s: %s %s after %s s\n' "$architecture" "$what" "$result" $((SECONDS - start))
    rows+=("| $architecture | $what | $passed | $result | $((SECONDS - start)) s |")
}
for architecture; do
    target=$(cross_target "$architecture")
    cross_use "$architecture"
    cpu=
    if [ "$architecture" = aarch64 ]; then cpu='-cpu max'; fi
    export "$(cross_variable "$architecture" RUNNER)=$(emulator "$architecture") $cpu -L /usr/$architecture-linux-gnu"
    step "$architecture" 'known answers of statements and proofs' \
        cargo test --target "$target" -p tautochrone-tests --test golden
    step "$architecture" 'registers' cargo test --target "$target" -p tautochrone-simd --lib
    if [ "$architecture" = aarch64 ]; then
        step "$architecture" 'all features are there' cargo test --target "$target" \
            -p tautochrone-simd --lib -- --ignored --exact cpu::tests::this_cpu_has_all_that_kernels_use
    fi
    step "$architecture" 'streams and ICE' \
        cargo test --target "$target" -p tautochrone-ctr -p tautochrone-ice --lib --test cipher
    step "$architecture" 'samplers, short' \
        cargo test --target "$target" -p tautochrone-gauss --lib -- \
        --skip statistics --skip exactness --skip mpfr --skip battery
    step "$architecture" 'big numbers' \
        cargo test --target "$target" -p tautochrone-bignum --lib
    step "$architecture" 'products' \
        cargo test --target "$target" -p tautochrone-matmul --lib --tests
    step "$architecture" 'keys of KEMs' \
        cargo test --target "$target" -p tautochrone-kem-keys --lib --tests
    step "$architecture" 'encodings, hashes, challenges, norms and parameters of proofs' \
        cargo test --target "$target" -p tautochrone-zk-field -p tautochrone-zk-params -p tautochrone-zk \
        --lib -- "${skip[@]}"
done
if [ -n "$record" ]; then
    {
        printf '# Other architectures under qemu, %s\n\n' "$(date +%F)"
        printf '`assurance/architectures.sh`; %s;\n%s;\n%s cases of each property. ' \
            "$(rustc --version)" "$("$(emulator "$1")" --version | head -n 1)" "$PROPTEST_CASES"
        printf 'Times include compiling what was not compiled yet.\n\n'
        printf '| architecture | tests | how many | result | time |\n|---|---|---|---|---|\n'
        printf '%s\n' "${rows[@]}"
    } >"$record"
fi
exit "$failed"
