#!/usr/bin/env bash
# The public interface of each library, a line an item, compared with assurance/api/CRATE.txt:
#   assurance/api.sh [--write] [CRATE ..]
# All eight libraries by default, and not zk-field and zk-params, which promise nothing: what users
# have of them zk exports. --write replaces the files. By cargo-public-api, which is installed below
# target/tools, and the documentation that a nightly compiler writes as JSON. A difference is no
# fault: what changes for users belongs into CHANGELOG.md, and the files are written anew. A library
# without a file has not been recorded yet, which is said. Exit code 0 if all is as recorded or has
# been written, 1 if not, 2 without the tool or the compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0
version=0.52.0 tools=$PWD/target/tools
write=
if [ "${1-}" = --write ]; then write=1 && shift; fi
if [ $# -eq 0 ]; then set -- bignum ctr gauss ice kem-keys matmul simd zk; fi
if ! cargo +nightly --version >/dev/null 2>&1 && ! rustup --quiet toolchain install nightly --profile minimal; then
    echo 'api: a nightly compiler is needed' >&2
    exit 2
fi
cargo install --quiet --locked --root "$tools" --version "$version" cargo-public-api || exit 2
mkdir -p assurance/api
failed=0
for crate; do
    file=assurance/api/$crate.txt
    # Implementations that the compiler derives for every type are left out.
    api=$("$tools/bin/cargo-public-api" public-api --package "tautochrone-$crate" --all-features \
        --target-dir target/api -sss)
    if [ -n "$write" ]; then
        printf '%s\n' "$api" >"$file"
    elif [ ! -f "$file" ]; then
        echo "$crate: not recorded; assurance/api.sh --write $crate"
    elif ! diff -u --label recorded --label now "$file" - <<<"$api"; then
        failed=1
    else
        echo "$crate: as recorded, $(wc -l <"$file") items"
    fi
done
exit "$failed"
