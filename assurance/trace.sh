#!/usr/bin/env bash
# Constant time of what valgrind does not know, by the tracer:
#   assurance/trace.sh [--from TIER] [BEGINNING OF A NAME ..]
# AVX-512 on the CPU itself, AMX with emulated tiles. Exit code 0: every claim holds and every
# deliberate leak is reported; also where the CPU has no AVX-512, which is said. Findings, with
# their places in the source, are in target/ctgrind/trace.log, the instructions that were executed
# in executed.txt. The rules by which secrets pass through them are compared with the CPU.
set -euo pipefail
cd "$(dirname "$0")"
out=$PWD/../target/ctgrind
if ! grep -qw avx512bw /proc/cpuinfo 2>/dev/null; then
    echo 'skipped: this CPU has no AVX-512'
    exit
fi
./ctgrind.sh --build
CARGO_TARGET_DIR=$PWD/../target/trace cargo build --quiet --locked -p tautochrone-trace
tracer=../target/trace/debug/tautochrone-trace
if ! "$tracer" /bin/true; then
    echo 'skipped: this system does not let programs be traced'
    exit
fi
"$tracer" --rules --log "$out/trace.log" --executed "$out/executed.txt" \
    "$out/assurance/ctgrind" "$@"

# Code that runs at once is followed as if it were stepped through: the same instructions, the same
# secrets, the same findings.
for way in '' --singly; do
    "$tracer" $way --log "$out/log$way.txt" --executed "$out/control$way.txt" \
        "$out/assurance/ctgrind" --from avx512 control ice >"$out/control.out"
    cat "$out/log$way.txt" >>"$out/control$way.txt"
done
cmp "$out/control.txt" "$out/control--singly.txt"
