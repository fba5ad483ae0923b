#!/usr/bin/env bash
# Instructions of aarch64 kernels, counted by qemu, where there is no such CPU to measure time on:
#   benches/counts.sh [KERNEL ..]
# Prints, for each kernel on each instruction set, the instructions of one sample, byte or
# multiply-add: the difference of two runs, so that neither the start of a program nor tables count.
# Needs qemu-user-static and GCC for aarch64 (assurance/architectures.sh installs them). Exit code 0
# if all was counted.
set -euo pipefail
cd "$(dirname "$0")/.."
target=aarch64-unknown-linux-gnu
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
cargo build --quiet --profile dist --locked --target "$target" --target-dir target/counts \
    -p tautochrone-counts
program=target/counts/$target/dist/tautochrone-counts
if [ $# -eq 0 ]; then
    set -- ctr facct 'facct centres' 'bitslice planes' 'bitslice bytes' ziggurat \
        'uniform below 1000003' ice 'product 32 by 8 bits'
fi

# One line of the log for each instruction: blocks of one, none of them chained.
instructions() {
    qemu-aarch64-static -cpu max -L /usr/aarch64-linux-gnu -singlestep -d exec,nochain \
        -D /proc/self/fd/3 "$program" "$@" 3>&1 >&2 | grep -c '^Trace'
}

printf '| kernel | unit | portable | neon | ratio |\n|---|---|---|---|---|\n'
for kernel; do
    case $kernel in
    ctr | ice) amount=4096 unit=byte ;;
    product*) amount=$((96 * 256 * 96)) unit=multiply-add ;;
    *) amount=4096 unit=sample ;;
    esac
    counts=()
    for isa in portable neon; do
        one=$(instructions "$kernel" "$isa" 1)
        three=$(instructions "$kernel" "$isa" 3)
        counts+=("$(((three - one) / 2))")
    done
    awk -v what="$kernel | $unit" -v amount="$amount" -v a="${counts[0]}" -v b="${counts[1]}" \
        'BEGIN { printf "| %s | %.2f | %.2f | %.2f |\n", what, a / amount, b / amount, a / b }'
done
