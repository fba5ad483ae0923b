#!/usr/bin/env bash
# Measures every part and its baselines, writes benches/record/DATE-CPU.md and the table of
# benches/README.md from it:
#   benches/record.sh [NAME]
# NAME defaults to the CPU's model in small letters. Ten minutes to build, ten to measure; leave the
# machine alone meanwhile. Sizes that take long are left out here: `cargo bench` has them all.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0
target=${CARGO_TARGET_DIR:-$PWD/target}
name=${1-$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1 | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9-')}
record=benches/record/$(date +%F)-$name.md

cargo bench --locked --benches --no-run
each() {
    "$1" uniform
    "$1" facct
    "$1" bitslice
    "$1" ziggurat '^ziggurat/'
    "$1" ice '/[012]-8192/|^key/'
    "$1" bignum '^modexp-(odd|even)/2048|^product/2048'
    "$1" matmul '^(square/w[0-9]+-(256|1024)|ternary/.*x(16|142|1024)-.*)/'
    "$1" zk '/T4-128/'
}
# The rows that benches/README.md and the pictures show must be there before ten minutes are spent.
names() { cargo bench --quiet --bench "$1" -- --list "${2-}"; }
each names | sed -n 's/: benchmark$//p' | benches/report.py check
rm -rf "$target/criterion"
measure() { cargo bench --bench "$1" -- --noplot --warm-up-time 0.1 --measurement-time 0.3 --sample-size 10 "${2-}"; }
each measure
{
    benches/report.py record "$target/criterion" "$(date +%F)"
    printf '\n'
    benches/lines.py --sentence
} >"$record.part"
mv "$record.part" "$record"
benches/report.py readme "$record" benches/README.md
echo "$record"
