#!/usr/bin/env bash
# Our dependencies, by cargo-deny (https://embarkstudios.github.io/cargo-deny):
#   assurance/supply.sh [DATABASE]
# Licences and sources of every workspace by deny.toml, crates of two versions, and advisories: from
# the repository of RustSec, or a clone of it in the directory DATABASE. hygiene.sh, and so .ci/run,
# runs it where there is cargo-deny. Exit code 0 if all is well, also where the
# database cannot be had, which is said; 1 if not; 2 without cargo-deny.
set -euo pipefail
database=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
if ! cargo deny --version >/dev/null 2>&1; then
    echo 'supply: cargo-deny is needed (cargo install --locked cargo-deny)' >&2
    exit 2
fi
check() {
    local manifest=$1
    shift
    # Each exception of deny.toml is needed by some workspace, not by all.
    cargo deny --manifest-path "$manifest" --workspace --all-features --locked --config deny.toml \
        check --allow license-not-encountered --allow license-exception-not-encountered \
        --allow unmatched-skip --allow unnecessary-skip --allow advisory-not-detected "$@"
}
if [ -n "$database" ]; then
    export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$database.insteadOf"
    export GIT_CONFIG_VALUE_0=https://github.com/rustsec/advisory-db
fi
what=(licenses sources advisories)
if ! cargo deny --locked fetch db; then
    if [ -n "$database" ]; then exit 1; fi
    echo 'advisories: skipped, the database cannot be had'
    what=(licenses sources)
fi
# Every lock file, tools and bindings included.
while read -r lock; do
    echo "== $lock"
    check "${lock%lock}toml" "${what[@]}"
done < <(git ls-files '*Cargo.lock')
# One version of each crate that is compiled into programs; what else there is twice comes with
# peers that are measured, and with generators of bindings.
for manifest in Cargo.toml crates/capi/Cargo.toml crates/python/Cargo.toml; do
    echo "== $manifest"
    check "$manifest" bans
done
