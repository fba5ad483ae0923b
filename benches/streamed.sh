#!/usr/bin/env bash
# Memory of a proof of ranges about many columns, and of its check:
#     benches/streamed.sh [LOG2_COLUMNS [ROWS:LOW:HIGH]]
# prints sizes and the peak resident sizes of `prove` and `verify`. S is drawn again whenever it is
# read, T is written and read in blocks. Needs GNU time, and in TMPDIR space for T, 3.6 GB by
# default.
set -euo pipefail
cd "$(dirname "$0")/.."
columns=$((1 << ${1:-20})) range=${2:-64:0:1}
cargo build --quiet --locked --release -p tautochrone-proofs --example prove --example verify
bin=${CARGO_TARGET_DIR:-target}/release/examples
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
measured() {
    /usr/bin/time -o "$dir/peak" -f 'peak        %M KiB' "$@" >"$dir/out"
    sed "/^time/d; /^to check/d; s| in $dir/[sp]||" "$dir/out"
    cat "$dir/peak"
}
echo "prove --exact $range --columns $columns"
measured "$bin/prove" --exact "$range" --columns "$columns" --statement "$dir/s" --proof "$dir/p"
rows=${range%%:*}
echo "verify"
measured "$bin/verify" --statement "$dir/s" --proof "$dir/p" --message-rows "$rows"
