#!/usr/bin/env bash
# The Python package, from nothing to a tested wheel: crates/python/ci.sh [PYTHON]. Lints, the wheel
# by maturin, then tests, types, docs/python.md and docs/tour.ipynb in a virtual environment that
# has the wheel, numpy and the tools of tests, and nothing else.
set -euo pipefail
cd "$(dirname "$0")"
python=${1:-python3}
root=$(cd ../.. && pwd)
# In a folder of its own, so that it holds no lock for which steps beside it would wait.
export CARGO_TARGET_DIR="$root/target/python" CARGO_INCREMENTAL=0 PIP_DISABLE_PIP_VERSION_CHECK=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cargo fmt --check
cargo clippy --release --locked -- -D warnings

"$python" -m venv "$dir/build"
"$dir/build/bin/pip" install -q 'maturin>=1.9,<2'
"$dir/build/bin/maturin" build --release --locked --interpreter "$python" --out "$dir/wheels"
# The packages that the root's tests in release have built.
(cd "$root" && CARGO_TARGET_DIR=target cargo build --release --locked -p tautochrone -p tautochrone-proofs -p tautochrone-tests \
    --example prove --example verify --example sample --example circuit)

"$python" -m venv "$dir/test"
"$dir/test/bin/pip" install -q "$dir"/wheels/*.whl pytest mypy blake3 matplotlib nbformat
export TAUTOCHRONE_EXAMPLES="$root/target/release/examples"
# Away from the sources: the wheel is tested.
cp -r tests "$dir/tests"
export TAUTOCHRONE_ROOT=$root
cd "$dir"
bin=$dir/test/bin
"$bin/python" -m pytest -q tests
"$bin/python" -m mypy --strict tests
"$bin/python" -m mypy --strict -p tautochrone
"$bin/python" -m mypy.stubtest tautochrone._native
