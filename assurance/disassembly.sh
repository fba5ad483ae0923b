#!/usr/bin/env bash
# The compiled kernels hold no division, no jump on a vector and no way out of one:
#   assurance/disassembly.sh [--shipped]
# Looks at the program of `ctgrind.sh`, with what `trace.sh` has followed in it, if that is there;
# with --shipped, at a build as users have it, in which `declassify` is nothing.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v objdump >/dev/null; then
    echo 'disassembly: objdump is needed (Debian: apt-get install binutils)' >&2
    exit 2
fi
export CARGO_INCREMENTAL=0
if [ "${1-}" = --shipped ]; then
    export CARGO_TARGET_DIR=$PWD/../target/assurance
    RUSTFLAGS="${RUSTFLAGS:-} -C symbol-mangling-version=v0" \
        cargo build --quiet --locked --profile assurance --bin differential
    objdump --disassemble --demangle --no-show-raw-insn "$CARGO_TARGET_DIR/assurance/differential" |
        ./disassembly.py
    exit
fi
./ctgrind.sh --build
out=$PWD/../target/ctgrind program=$PWD/../target/ctgrind/assurance/ctgrind
executed=()
# Addresses are right for this program only.
if [ "$out/executed.txt" -nt "$program" ]; then executed=(--executed "$out/executed.txt"); fi
objdump --disassemble --demangle --no-show-raw-insn "$program" |
    ./disassembly.py "${executed[@]}"
