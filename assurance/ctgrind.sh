#!/usr/bin/env bash
# Constant time under valgrind:
#   assurance/ctgrind.sh [--from TIER] [BEGINNING OF A NAME ..]
# With --build, only builds. Exit code 0: every claim holds and every deliberate leak is reported.
# The reports, with their places in the source, are in target/ctgrind/valgrind.log. The same program
# is what the tracer (`trace.sh`) and the disassembly check (`disassembly.sh`) look at, so that it
# is compiled once.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=$PWD/../target/ctgrind CARGO_INCREMENTAL=0
# Names that hold the generic arguments: the ones of `Token::vectorize` say what is vectorised.
export RUSTFLAGS="--cfg tautochrone_ctgrind -C symbol-mangling-version=v0 ${RUSTFLAGS-}"
cargo build --quiet --locked --profile assurance --bin ctgrind
if [ "${1-}" = --build ]; then exit; fi
if ! command -v valgrind >/dev/null; then
    echo 'ctgrind: valgrind is needed (Debian: apt-get install valgrind)' >&2
    exit 2
fi
valgrind --quiet --error-limit=no --log-file="$CARGO_TARGET_DIR/valgrind.log" \
    "$CARGO_TARGET_DIR/assurance/ctgrind" "$@"
