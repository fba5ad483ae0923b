#!/usr/bin/env bash
# The compiled kernels hold no division, no jump on a vector and no way out of one: assurance/disassembly.sh
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v objdump >/dev/null; then
    echo 'disassembly: objdump is needed (Debian: apt-get install binutils)' >&2
    exit 2
fi
# Names that hold the generic arguments: those of `Token::vectorize` say what is vectorised.
export RUSTFLAGS="${RUSTFLAGS:-} -C symbol-mangling-version=v0"
export CARGO_TARGET_DIR=$PWD/../target/assurance CARGO_INCREMENTAL=0
cargo build --quiet --release --bin timing --bin disassembly
cargo test --quiet --release --bin disassembly
objdump --disassemble --demangle --no-show-raw-insn "$CARGO_TARGET_DIR/release/timing" |
    "$CARGO_TARGET_DIR/release/disassembly"
