#!/usr/bin/env bash
# The timing report, several runs of it, with the state of the clock before each:
#   assurance/timing.sh [RUNS [SECONDS]]
# Ten runs of two seconds for each routine by default. Prints every run, then for each routine the
# largest |t|, how often it was above 10, and the shares of permutations as large in those runs. A
# quiet machine is needed; exit code 0 unless the control was not noticed.
set -euo pipefail
cd "$(dirname "$0")"
runs=${1-10} seconds=${2-2}
export CARGO_TARGET_DIR=$PWD/../target/assurance CARGO_INCREMENTAL=0
RUSTFLAGS="${RUSTFLAGS:-} -C symbol-mangling-version=v0" cargo build --quiet --locked --profile assurance --bin timing
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for ((run = 1; run <= runs; run++)); do
    echo "-- run $run, $(date -u +%FT%TZ)"
    printf 'clock: %s MHz; governor %s; boost %s; load %s\n' \
        "$(sed -n 's/^cpu MHz.*: //p' /proc/cpuinfo | paste -sd ' ')" \
        "$(cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor 2>/dev/null || echo unknown)" \
        "$(cat /sys/devices/system/cpu/cpufreq/boost 2>/dev/null || echo unknown)" \
        "$(cut -d ' ' -f 1 /proc/loadavg)"
    "$CARGO_TARGET_DIR/assurance/timing" --report "$seconds"
done | tee "$log"
awk -F 'max [|]t[|] = ' '
/max [|]t[|]/ {
    name = $1; split($2, parts, " "); t = parts[1] + 0; p = parts[length(parts)]
    if (!(name in worst) || t > worst[name]) worst[name] = t
    if (t > 10) { above[name]++; shares[name] = shares[name] " " p }
    order[name] = order[name] ? order[name] : ++n
}
END {
    print "-- all runs: routine, largest |t|, runs above 10, their shares of permutations"
    for (name in order) printf "%s %8.2f %d%s\n", name, worst[name], above[name], shares[name] | "sort"
}' "$log"
! grep -q '^BROKEN' "$log"
