#!/usr/bin/env bash
# Leaks put into the AMX kernel itself (leaks.py), in a copy of the tree: assurance/leaks.sh
# [--check]. The tracer must report each of them, and nothing without them. A minute each; with
# --check, they need only compile. Exit code 0 if all are reported; 2 for wrong usage, where the CPU
# has no AVX-512, or if a leak does not compile.
set -euo pipefail
cd "$(dirname "$0")/.."
tree=$PWD/target/leaks/tree out=$PWD/target/leaks
export CARGO_INCREMENTAL=0
fresh() {
    mkdir -p "$tree"
    git ls-files -z | xargs -0 cp --parents --preserve=timestamps --target-directory="$tree"
    # Else cargo takes the kernel with the last leak for it.
    touch "$tree/crates/matmul/src/kernel/tiles/amx.rs"
}
case "$*" in '' | --check) ;; *) echo "usage: $0 [--check]" >&2 && exit 2 ;; esac
if [ $# -gt 0 ]; then
    fresh
    while read -r name; do
        python3 assurance/leaks.py "$tree" "$name"
    done < <(python3 assurance/leaks.py)
    cd "$tree"
    CARGO_TARGET_DIR=$out/build cargo check --quiet --locked -p tautochrone-matmul --lib || exit 2
    exit
fi
if ! grep -qw avx512bw /proc/cpuinfo; then
    echo 'leaks: the CPU must have AVX-512' >&2
    exit 2
fi
CARGO_TARGET_DIR=$PWD/target/trace cargo build --quiet --locked -p tautochrone-trace
tracer=$PWD/target/trace/debug/tautochrone-trace
missed=0
# try NAME: exit code of the tracer on the products of bytes.
try() {
    (cd "$tree/assurance" && CARGO_TARGET_DIR=$out/build RUSTFLAGS='--cfg tautochrone_ctgrind' \
        cargo build --quiet --locked --profile assurance --bin ctgrind) || exit 2
    "$tracer" --log "$out/log" "$out/build/assurance/ctgrind" 'matmul/8x8=8' >"$out/out" 2>&1
}
fresh
if ! try; then
    cat "$out/out"
    echo 'MISSED: the kernel without leaks is reported' >&2
    exit 1
fi
echo 'ok     no leak: none reported'
while read -r name; do
    fresh
    python3 assurance/leaks.py "$tree" "$name"
    if ! try && grep -q '^BROKEN matmul/8x8=8/amx' "$out/out"; then
        echo "ok     $name: reported"
    else
        echo "MISSED $name"
        missed=1
    fi
done < <(python3 assurance/leaks.py)
exit "$missed"
