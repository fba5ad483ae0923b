#!/usr/bin/env bash
# Everything that `cargo publish` would do short of uploading, compilation included: minutes. Before
# it, where a version has been released (its tag is v and the version), cargo-semver-checks compares
# the interfaces with that one: what breaks users needs another version. Exit code 2 without that
# tool.
set -euo pipefail
cd "$(dirname "$0")/.."
if released=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
    if ! cargo semver-checks --version >/dev/null 2>&1; then
        echo 'publish: cargo-semver-checks is needed (cargo install --locked cargo-semver-checks)' >&2
        exit 2
    fi
    cargo semver-checks --workspace --baseline-rev "$released"
else
    echo 'interfaces: nothing has been released to compare with'
fi
cargo publish --workspace --dry-run --allow-dirty
