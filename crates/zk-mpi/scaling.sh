#!/usr/bin/env bash
# One row of each table in docs/scaling.md: crates/zk-mpi/scaling.sh RANKS LOG2_COLUMNS [OPTION ..],
# one thread a rank. Needs `cargo build --release` here and python3.
set -euo pipefail
ranks=$1 columns=$((1 << $2))
shift 2
bin=${CARGO_TARGET_DIR:-$(cd "$(dirname "$0")" && pwd)/target}/release
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
echo '{"w": 32, "r": 1344, "v": 2952, "l": 1, "n": 148, "b": 1}' >params.json
job=(mpirun --quiet --oversubscribe --bind-to none -n "$ranks")
"${job[@]}" "$bin/prove_mpi" --params params.json --columns "$columns" --insecure --threads 1 --seed "$(printf '11%.0s' {1..32})" \
    --statement s --proof p --json "$@" >prove.json 2>log || { cat log >&2; exit 1; }
"${job[@]}" "$bin/verify_mpi" --statement s --proof p --insecure --threads 1 --json >verify.json
python3 - <<'END'
import json
for name in ("prove", "verify"):
    run = json.load(open(f"{name}.json"))
    ranks, attempts = run["ranks"], run.get("attempts", 1)
    seconds = lambda phase: max(p["seconds"] for r in ranks for p in r["phases"] if p["phase"] == phase)
    phases = [p["phase"] for p in ranks[0]["phases"] if p["phase"] not in ("start", "end")]
    cells = [f"{phase} {seconds(phase):.3f} s" for phase in phases]
    peak = max(r["peak_memory"] for r in ranks) >> 20
    sent = max(r["bytes_sent"] for r in ranks[1:] or ranks)
    print(f"| {name} | {len(ranks)} | {attempts} | {', '.join(cells)} | {sent} bytes | {peak} MiB |")
END
