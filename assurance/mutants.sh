#!/usr/bin/env bash
# Faults put into the sources by hand (assurance/mutants.toml), one at a time, in a copy; the tests
# named with each must find it:
#   assurance/mutants.sh [--only TEXT] [--list] [--check] [--record FILE]
# A step for releases: the sources of one crate are compiled for every mutant, half a minute to two
# each. Exit code 0 if all are found, 1 if one survives or no longer applies, 2 for wrong usage.
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
export CARGO_INCREMENTAL=1
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
(cd "$root" && cargo build --quiet --locked -p tautochrone-mutants)
exec "$CARGO_TARGET_DIR/debug/mutants" --root "$root" "$@"
