#!/usr/bin/env bash
# Measures every part and its baselines, writes benches/record/DATE-CPU.md and the README's table of results from it:
#   benches/record.sh [NAME]
# NAME defaults to the CPU's model in small letters. Ten minutes to build, ten to measure; leave the machine alone meanwhile.
# Sizes that take long are left out here: `cargo bench` has them all.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0
target=${CARGO_TARGET_DIR:-$PWD/target}
name=${1-$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1 | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9-')}
record=benches/record/$(date +%F)-$name.md

cargo bench --benches --no-run
rm -rf "$target/criterion"
measure() { cargo bench --bench "$1" -- --noplot --warm-up-time 0.1 --measurement-time 0.3 --sample-size 10 "${2-}"; }
measure uniform
measure facct
measure bitslice
measure ziggurat '^ziggurat/'
measure ice '/[012]-8192/|^key/'
measure bignum '^modexp-(odd|even)/2048|^product/2048'
measure matmul '^(square/w[0-9]+-(256|1024)|ternary/.*x(16|142|1024)-.*)/'
measure zk '/T4-128/'
(cd benches/report && CARGO_TARGET_DIR=$target/report cargo build --release)
"$target/report/release/tautochrone-report" record "$target/criterion" "$(date +%F)" >"$record.part"
mv "$record.part" "$record"
"$target/report/release/tautochrone-report" readme "$record" README.md
echo "$record"
