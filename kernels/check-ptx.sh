#!/usr/bin/env bash
# Sees by ptx/stamp that the PTX was made from these sources, and assembles every PTX with ptxas for
# the chips it is meant for. PTXAS names the assembler; without it, the wheel nvidia-cuda-nvcc (37
# MB) is fetched from PyPI into a temporary folder, for at most a minute.
#
#   kernels/check-ptx.sh             an assembler that is not available is an error
#   kernels/check-ptx.sh --or-skip   then says so and is content
set -euo pipefail
cd "$(dirname "$0")"
sha256sum --check --quiet ptx/stamp || { echo 'check-ptx.sh: the sources have changed: run regen.sh' >&2; exit 1; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
if [ -z "${PTXAS:-}" ]; then
    if ! timeout 60 python3 -m pip download -q --no-deps -d "$out" nvidia-cuda-nvcc==13.0.88 >"$out/log" 2>&1; then
        echo "check-ptx.sh: no ptxas: the wheel nvidia-cuda-nvcc is not available from PyPI ($(tail -n 1 "$out/log"))" >&2
        [ "${1:-}" = --or-skip ] || exit 1
        echo 'check-ptx.sh: SKIPPED, no PTX was assembled' >&2
        exit 0
    fi
    python3 -m zipfile -e "$out"/*.whl "$out/wheel"
    PTXAS=$(find "$out/wheel" -name ptxas -type f | head -n 1)
    chmod +x "$PTXAS"
fi
assemble() { # name, architectures
    local name=$1 architecture
    shift
    for architecture; do
        "$PTXAS" -v -arch="sm_$architecture" -o "$out/cubin" "ptx/$name.ptx" 2>"$out/log" || { cat "$out/log" >&2; exit 1; }
        # Registers a lane, least to most, and the kernels that keep some in memory.
        awk -v of="sm_$architecture $name" -v quote="'" '
            /Compiling entry/ { split($0, part, quote); kernel = part[2] }
            /bytes spill stores/ && $5 > 0 { spills = spills " " kernel " (" $5 " bytes)" }
            /Used [0-9]+ registers/ { used = $5 + 0; if (!least || used < least) least = used; if (used > most) most = used }
            END { print of ": " least " to " most " registers; spilled:" (spills ? spills : " none") }' "$out/log"
    done
}
assemble sample 75 80 90
assemble imad 75 80 90
assemble direct 80 90
assemble split 80 90
assemble tiled 80 90
