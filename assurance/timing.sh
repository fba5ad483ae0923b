#!/usr/bin/env bash
# The timing report, several runs of it, with the state of the clock before each:
#   assurance/timing.sh [RUNS [SECONDS]]
# Ten runs of two seconds for each routine by default. Prints every run, then for each routine the
# largest score of the sign test and how often it was above 5, which chance does once in two million
# times. A quiet machine is needed; exit code 0 unless the control was not noticed.
set -euo pipefail
cd "$(dirname "$0")"
runs=${1-10} seconds=${2-2}
export CARGO_TARGET_DIR=$PWD/../target/assurance CARGO_INCREMENTAL=0
RUSTFLAGS="${RUSTFLAGS:-} -C symbol-mangling-version=v0" cargo build --quiet --locked --profile assurance --bin differential
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for ((run = 1; run <= runs; run++)); do
    echo "-- run $run, $(date -u +%FT%TZ)"
    printf 'clock: %s MHz; governor %s; boost %s; load %s\n' \
        "$(sed -n 's/^cpu MHz.*: //p' /proc/cpuinfo | paste -sd ' ')" \
        "$(cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor 2>/dev/null || echo unknown)" \
        "$(cat /sys/devices/system/cpu/cpufreq/boost 2>/dev/null || echo unknown)" \
        "$(cut -d ' ' -f 1 /proc/loadavg)"
    "$CARGO_TARGET_DIR/assurance/differential" --times "$seconds"
done | tee "$log"
awk -F ' +z = +' '
/ z = / {
    name = $1; z = $2 + 0
    if (!(name in worst) || z > worst[name]) worst[name] = z
    if (z > 5) above[name]++
}
END {
    print "-- all runs: routine, largest score, runs above 5"
    for (name in worst) printf "%s %8.2f %d\n", name, worst[name], above[name] | "sort"
}' "$log"
! grep -q '^BROKEN' "$log"
