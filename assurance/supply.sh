#!/usr/bin/env bash
# What we depend on, by cargo-deny (https://embarkstudios.github.io/cargo-deny): licences, bans and
# sources by deny.toml, advisories where the database can be had: assurance/supply.sh. The parts that
# need no tool are in hygiene.sh and so in every run of .ci/run. Exit code 0 if all is well, 1 if not,
# 2 without cargo-deny.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! cargo deny --version >/dev/null 2>&1; then
    echo 'supply: cargo-deny is needed (cargo install --locked cargo-deny)' >&2
    exit 2
fi
cargo deny --locked check licenses bans sources
if ! cargo deny --locked fetch >/dev/null 2>&1; then
    echo 'advisories: skipped, the database cannot be had'
else
    cargo deny --locked check advisories
fi
