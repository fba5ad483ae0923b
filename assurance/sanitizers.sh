#!/usr/bin/env bash
# Tests under the sanitizers of a nightly compiler:
#   assurance/sanitizers.sh [address|thread] [CRATE ..]
# Both, and bignum, ctr, gauss, ice, matmul, zk-field, zk-params and zk, by default. The address
# sanitizer sees accesses outside of objects and after their end; the thread sanitizer, which needs
# a standard library built for it, data races. Statistics and searches for parameters, which take
# minutes and have no memory of their own, are left out. Before anything else each sanitizer must
# report the fault that sanitizer_control has for it. Nightly with `rust-src` is installed where
# rustup can. Exit code 0 if all passes, 1 if a test fails or a sanitizer reports, 2 if there is no
# such compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 RUST_BACKTRACE=0
export PROPTEST_CASES=${PROPTEST_CASES-8} PROPTEST_FAILURE_PERSISTENCE=off
# Optimised, the instrumented kernels of big numbers, which are unrolled, were not compiled after 19
# minutes of register allocation. Unoptimised they are, with large frames.
export RUST_MIN_STACK=$((256 << 20))
profile=(--config 'profile.dev.package.tautochrone-bignum.opt-level=0')
kinds=(address thread)
case ${1-} in
address | thread) kinds=("$1") && shift ;;
esac
if [ $# -eq 0 ]; then set -- bignum ctr gauss ice matmul zk-field zk-params zk; fi
target=x86_64-unknown-linux-gnu
if ! cargo +nightly --version >/dev/null 2>&1 && ! rustup --quiet toolchain install nightly --profile minimal; then
    echo 'sanitizers: a nightly compiler is needed' >&2
    exit 2
fi
failed=0
for kind in "${kinds[@]}"; do
    export RUSTFLAGS="-Zsanitizer=$kind" CARGO_TARGET_DIR=$PWD/target/sanitizers-$kind
    build=() slow=()
    if [ "$kind" = thread ]; then
        rustup --quiet component add rust-src --toolchain nightly
        build=(-Zbuild-std)
        # One thread, which had not ended after 26 minutes.
        slow=(--skip one_seed_gives_one_stream)
        # rayon's fences are not understood: https://github.com/crossbeam-rs/crossbeam, no_tsan.
        export TSAN_OPTIONS="suppressions=$PWD/assurance/thread-sanitizer.txt ${TSAN_OPTIONS-}"
    fi
    printf '\n== %s sanitizer: control\n' "$kind"
    log=$(mktemp)
    if cargo +nightly run --quiet "${build[@]}" --target "$target" \
        -p sanitizer-control -- "$kind" >"$log" 2>&1 ||
        ! grep -qi "SUMMARY: ${kind}Sanitizer" "$log"; then
        cat "$log"
        echo "FAILED: the $kind sanitizer does not report the fault of its control"
        failed=1
    else
        echo "passed: $kind control"
    fi
    rm "$log"
    for crate; do
        printf '\n== %s sanitizer: %s\n' "$kind" "$crate"
        if cargo +nightly test --quiet --no-fail-fast "${profile[@]}" "${build[@]}" --target "$target" -p "tautochrone-$crate" --lib --tests -- \
            --skip statistics --skip battery --skip params::optimise --skip exactness "${slow[@]}"; then
            echo "passed: $kind $crate"
        else
            echo "FAILED: $kind $crate"
            failed=1
        fi
    done
done
exit "$failed"
