#!/usr/bin/env bash
# Undefined behaviour in portable code, by Miri (https://github.com/rust-lang/miri), an interpreter
# that knows of every byte whether it is initialised and which pointer may use it:
#   assurance/miri.sh [CRATE ..]
# simd, gauss, matmul, zk-params and zk by default, as a big-endian machine without kernels runs
# them (s390x), so that portable code is all there is; inline assembly and most instructions of
# vectors Miri cannot run. It is some thousand times as slow as the machine: of each crate short
# tests are named here, without a pool of threads, whose queues (crossbeam-epoch) break the rules of
# Stacked Borrows. Before anything else Miri must report the fault of sanitizer_control. Nightly
# with `miri` and `rust-src` is installed where rustup can. Exit code 0 if all passes, 1 if a test
# fails or Miri reports, 2 if it is not to be had.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 RUST_BACKTRACE=0 CARGO_TARGET_DIR=$PWD/target/miri
export PROPTEST_CASES=${PROPTEST_CASES-1} PROPTEST_FAILURE_PERSISTENCE=off
# Warnings of nightly compilers are for another day. Isolated, proptest has no seeds.
export RUSTFLAGS=-Awarnings MIRIFLAGS="-Zmiri-disable-isolation ${MIRIFLAGS-}"
target=${TARGET-s390x-unknown-linux-gnu}
if ! rustup --quiet component add --toolchain nightly miri rust-src; then
    echo 'miri: a nightly compiler with the components miri and rust-src is needed' >&2
    exit 2
fi
if [ $# -eq 0 ]; then set -- simd gauss matmul zk-params zk; fi

printf '== control\n'
control=$(cargo +nightly miri run --quiet --locked --target "$target" -p sanitizer-control -- address 2>&1) || true
if ! grep -q 'Undefined Behavior' <<<"$control"; then
    printf '%s\nFAILED: Miri does not report the fault of its control\n' "$control"
    exit 1
fi

failed=0
for crate; do
    case $crate in
    simd) tests=(barrier isa moves the_emulation_is transpose vectorize wipe) ;;
    gauss)
        tests=(all_or_none centre::tests constants facct::tests::bad float::tests::powers rejected_ones)
        tests+=(uniform::tests::bad wide_product)
        ;;
    matmul) tests=(digits indices windows) ;;
    zk)
        tests=(entry::tests::bytes entry::tests::magnitudes owner::tests) ;;
    zk-params) tests=(codec::bits::tests io::tests rounding::tests words::packing) ;;
    *)
        echo "miri: no tests are named for $crate" >&2
        exit 2
        ;;
    esac
    printf '\n== %s: %s\n' "$crate" "${tests[*]}"
    start=$SECONDS
    cargo +nightly miri test --locked --target "$target" -p "tautochrone-$crate" --lib -- "${tests[@]}" || failed=1
    printf '== %s: %s s\n' "$crate" $((SECONDS - start))
done
exit "$failed"
