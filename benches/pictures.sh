#!/usr/bin/env bash
# Draws docs/pictures/*.svg from a record of benches/record.sh: benches/pictures.sh benches/record/DATE-CPU.md. A minute.
set -euo pipefail
record=$(realpath "${1?a record, benches/record/DATE-CPU.md}")
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
(cd benches/report && CARGO_TARGET_DIR=$target/report cargo build --release)
"$target/report/release/tautochrone-report" pictures "$record" docs/pictures
