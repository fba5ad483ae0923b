#!/usr/bin/env bash
# Draws docs/pictures/*.svg from a record of benches/record.sh: benches/pictures.sh
# benches/record/DATE-CPU.md. Some minutes; leave the machine alone meanwhile. Needs Python with
# matplotlib (Debian: apt-get install python3-matplotlib).
set -euo pipefail
record=$(realpath "${1?a record, benches/record/DATE-CPU.md}")
cd "$(dirname "$0")/.."
cargo build --release --locked -p tautochrone-command
benches/report.py pictures "$record" docs/pictures
