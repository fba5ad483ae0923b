#!/usr/bin/env bash
# Constant time under valgrind: assurance/ctgrind.sh [FILTER]. Exit code 0: every claim holds and every deliberate leak
# is reported. The reports, with their places in the source, are in target/ctgrind/valgrind.log.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v valgrind >/dev/null; then
    echo 'ctgrind: valgrind is needed (Debian: apt-get install valgrind)' >&2
    exit 2
fi
export CARGO_TARGET_DIR=$PWD/../target/ctgrind CARGO_INCREMENTAL=0
RUSTFLAGS="--cfg tautochrone_ctgrind ${RUSTFLAGS-}" cargo build --quiet --release --bin ctgrind
valgrind --quiet --error-limit=no --log-file="$CARGO_TARGET_DIR/valgrind.log" \
    "$CARGO_TARGET_DIR/release/ctgrind" "$@"
