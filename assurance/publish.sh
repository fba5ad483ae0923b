#!/usr/bin/env bash
# Everything that `cargo publish` would do short of uploading, compilation included: minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo publish --workspace --dry-run --allow-dirty
