#!/usr/bin/env bash
# Security of every preset beside that by lattice-estimator: the table of docs/comparison.md. It
# needs git, Python 3.11 or later, and 5 GB for Sage, which is installed from PyPI; some 10 minutes.
# assurance/lattice.sh [FOLDER], where it keeps both.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
dir=${1:-$root/target/lattice}
commit=27a581bb8e9d49f5e9e2db315bd48ac769d5f5f5
mkdir -p "$dir"
if [ ! -d "$dir/lattice-estimator" ]; then
    git clone --quiet https://github.com/malb/lattice-estimator "$dir/lattice-estimator"
fi
git -C "$dir/lattice-estimator" checkout --quiet "$commit"
if [ ! -x "$dir/sage/bin/python" ]; then
    python3 -m venv "$dir/sage"
    "$dir/sage/bin/pip" install --quiet passagemath-standard==10.8.13
fi
cd "$root"
cargo run --quiet --release --locked --example estimate -- --list --json |
    PYTHONPATH="$dir/lattice-estimator" "$dir/sage/bin/python" assurance/lattice.py
