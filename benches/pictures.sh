#!/usr/bin/env bash
# Draws docs/pictures/*.svg from a record of benches/record.sh: benches/pictures.sh benches/record/DATE-CPU.md. A minute.
set -euo pipefail
record=$(realpath "${1?a record, benches/record/DATE-CPU.md}")
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
cargo build --release --locked -p tautochrone-report
"$target/release/tautochrone-report" pictures "$record" docs/pictures
