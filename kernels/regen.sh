#!/usr/bin/env bash
# Makes ptx/*.ptx and ptx/stamp from cuda/* with clang-19. --check: only compares, byte for byte.
set -euo pipefail
cd "$(dirname "$0")"
clang=${CLANG:-clang-19}
command -v "$clang" >/dev/null || { echo "regen.sh: $clang not found (Debian package clang-19)" >&2; exit 3; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
make() { # name, architecture, PTX version; as in build.rs
    "$clang" -x cuda -std=c++17 -O3 -ffp-contract=off --cuda-device-only -nocudainc -nocudalib -S \
        --cuda-gpu-arch="sm_$2" -Xclang -target-feature -Xclang "+ptx$3" -o "$out/$1.ptx" "cuda/$1.cu"
}
make sample 75 65
make imad 75 65
make direct 80 70
make split 80 70
make tiled 80 70
sha256sum cuda/{dev.h,direct.cu,imad.cu,operand.h,product.h,sample.cu,sm80.h,split.cu,split.h,sums.h,tiled.cu} >"$out/stamp"
if [ "${1:-}" = --check ]; then
    for file in "$out"/*; do cmp "$file" "ptx/$(basename "$file")"; done
    echo 'the PTX is what this clang makes of the sources'
else
    cp "$out"/* ptx/
fi
