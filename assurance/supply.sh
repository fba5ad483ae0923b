#!/usr/bin/env bash
# What we depend on, by cargo-deny (https://embarkstudios.github.io/cargo-deny): licences and sources
# of every workspace by deny.toml, crates of two versions, advisories where the database can be had:
# assurance/supply.sh. The parts that need no tool are in hygiene.sh and so in every run of .ci/run.
# Exit code 0 if all is well, 1 if not, 2 without cargo-deny.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! cargo deny --version >/dev/null 2>&1; then
    echo 'supply: cargo-deny is needed (cargo install --locked cargo-deny)' >&2
    exit 2
fi
check() {
    local manifest=$1
    shift
    # What deny.toml allows, some workspace needs, not each.
    cargo deny --manifest-path "$manifest" --workspace --all-features --locked --config deny.toml \
        check --allow license-not-encountered --allow license-exception-not-encountered \
        --allow unmatched-skip --allow unnecessary-skip "$@"
}
# Every lock file, tools and bindings included.
while read -r lock; do
    echo "== $lock"
    check "${lock%lock}toml" licenses sources
done < <(git ls-files '*Cargo.lock')
# One version of each crate in what is compiled into programs; what else there is twice comes with
# peers that are measured, and with generators of bindings.
for manifest in Cargo.toml crates/capi/Cargo.toml crates/python/Cargo.toml; do
    echo "== $manifest"
    check "$manifest" bans
done
if ! cargo deny --locked fetch >/dev/null 2>&1; then
    echo 'advisories: skipped, the database cannot be had'
else
    check Cargo.toml advisories
fi
