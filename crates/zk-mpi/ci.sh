#!/usr/bin/env bash
# Proofs over MPI, from nothing to a verdict: crates/zk-mpi/ci.sh. Installs Open MPI where it is
# missing (Debian), then lints, the jobs of tests/, and the identity of real files with those of
# `prove`, checked by `verify`.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v mpirun >/dev/null || ! command -v mpicc >/dev/null || [ -z "$(find /usr/lib -name 'libclang*.so*')" ]; then
    apt-get update -q
    apt-get install -qy --no-install-recommends libopenmpi-dev openmpi-bin libclang-dev
fi
root=$(cd ../.. && pwd)
# Dependencies that the root has built already are not built again.
export CARGO_TARGET_DIR="$root/target" CARGO_INCREMENTAL=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

cargo fmt --check
cargo clippy --locked --release --all-targets -- -D warnings
cargo test --locked --release

cargo build --locked --release --bins
# The packages that the root's tests in release have built.
(cd "$root" && cargo build --release --locked -p tautochrone -p tautochrone-proofs -p tautochrone-tests \
    --example prove --example verify)
bin=$root/target/release seed=$(printf '5a%.0s' {1..32})
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
common=(--insecure --seed "$seed" --reproducible --context ci)
given=() # the file of A', for provers and verifiers
mpi() { mpirun --quiet --oversubscribe -n "$@"; }
# same OPTION ..: the files of `prove` by any number of ranks, and the verdicts of both verifiers.
same() {
    local shown ranks
    set -- "$@" "${given[@]}"
    "$bin/examples/prove" "$@" "${common[@]}" --statement "$dir/s" --proof "$dir/p"
    shown=$("$bin/examples/verify" "${given[@]}" --statement "$dir/s" --proof "$dir/p" --context ci --insecure |
        grep -e '^valid' -e '^matrix')
    for ranks in 1 2 3 4; do
        mpi "$ranks" "$bin/prove_mpi" "$@" "${common[@]}" --statement "$dir/s$ranks" --proof "$dir/p$ranks"
        cmp "$dir/s" "$dir/s$ranks"
        cmp "$dir/p" "$dir/p$ranks"
        [ "$(mpi "$ranks" "$bin/verify_mpi" "${given[@]}" \
            --statement "$dir/s$ranks" --proof "$dir/p$ranks" --context ci --insecure)" = "$shown" ]
    done
}
# 3000 columns are 12 blocks, the last one short.
same --preset T4-128 --columns 3000
same --preset B4-128 --columns 3000
# Words of 64 bits; columns of a file, over an A' of another program.
echo '{"w": 50, "r": 48, "v": 200, "l": 1300, "n": 20, "b": 1, "round_t": 0}' >"$dir/w50.json"
same --params "$dir/w50.json"
echo '{"w": 32, "r": 48, "v": 200, "l": 700, "n": 20, "b": 1}' >"$dir/w32.json"
head -c $((48 * 152 * 4)) /dev/urandom >"$dir/a"
head -c $((200 * 700)) /dev/urandom | tr '\000-\377' '[\000*128][\001*128]' >"$dir/columns"
given=(--matrix "$dir/a")
same --params "$dir/w32.json" --witness "$dir/columns"
given=()
# Columns that mask, and columns of messages, in different ranks; messages of a file.
same --exact 64:0:1 --exact 16:-2:5 --columns 700
same --exact 64:-1:1 --norm 64:3.2 --columns 700
head -c $((11 * 700)) /dev/urandom | tr '\000-\377' '[\000*128][\001*128]' >"$dir/messages"
same --exact 3:-1:1 --exact 8:0:1 --columns 700 --witness "$dir/messages"
# Keys that are well formed.
same --exact-keys --preset T4-128 --columns 700
