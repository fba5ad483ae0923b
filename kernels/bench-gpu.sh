#!/usr/bin/env bash
# Tests, memory and race checks and timings of the kernels on a GPU, with one table at the end.
#
#   kernels/bench-gpu.sh build [DIR]   where cargo is (no GPU, no CUDA needed): puts the binaries into DIR
#   kernels/bench-gpu.sh run [DIR]     where a GPU and the CUDA tools are (no cargo needed): runs them
#
# DIR [target/gpu-bench] is what has to be carried from one machine to the other; it holds this
# script too. The binaries need glibc and the driver, nothing else. compute-sanitizer is taken from
# the PATH or /usr/local/cuda/bin.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() { sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 2; }
[ $# -ge 1 ] || usage

build() {
    local out=$1 test
    cd "$here/.."
    mkdir -p "$out"
    # Without the feature `emulation`: these tests take the real driver.
    cargo build --release -p tautochrone-kernels --features cuda --example gpu_bench
    test=$(cargo test --release -p tautochrone-kernels --features cuda --test device --no-run --message-format json |
        sed -n 's/.*"executable":"\([^"]*\/device-[^"]*\)".*/\1/p')
    cp "$test" "$out/device-test"
    cp "${CARGO_TARGET_DIR:-target}/release/examples/gpu_bench" "$out/gpu_bench"
    cp "${BASH_SOURCE[0]}" "$out/bench-gpu.sh"
    echo "built: $out"
}

run() {
    cd "$1"
    PATH=$PATH:/usr/local/cuda/bin
    local log tool failed=0
    log=$(mktemp -d)
    trap "rm -rf '$log'" EXIT
    # The driver's code for the PTX, stored from one test to the next.
    export CUDA_CACHE_PATH=$log/cache
    row() { printf '%-34s %s\n' "$1" "$2" | tee -a "$log/table"; }
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv,noheader 2>/dev/null | tee -a "$log/table" || true
    # 1. The kernels against the reference, on the device.
    if ./device-test --ignored >"$log/test" 2>&1; then row 'tests on the device' passed
    else row 'tests on the device' FAILED; tail -n 40 "$log/test"; failed=1; fi
    # 2. Memory and races, on the smallest of them: the sanitizer is slow.
    for tool in memcheck racecheck synccheck; do
        if ! command -v compute-sanitizer >/dev/null; then row "compute-sanitizer $tool" 'not found'; failed=1; continue; fi
        if compute-sanitizer --tool "$tool" --error-exitcode 9 ./device-test --ignored --test-threads 1 \
            uniform_is_the_reference gaussian_is_the_reference longest_carries empty_products blocks_and_edges groups_of_tiles >"$log/$tool" 2>&1; then
            row "compute-sanitizer $tool" 'no errors'
        else row "compute-sanitizer $tool" FAILED; tail -n 40 "$log/$tool"; failed=1; fi
    done
    # 3. Timings: the median of nine runs, by the device's clock and end to end; every product by
    # each method.
    if ! ./gpu_bench "${@:2}" | tee -a "$log/table"; then failed=1; fi
    printf '\n== all in one table\n'
    cat "$log/table"
    return "$failed"
}

directory=${2:-$here/../target/gpu-bench}
case $1 in
build) build "$(mkdir -p "$directory" && cd "$directory" && pwd)" ;;
run) if [ $# -ge 2 ]; then run "$directory" "${@:3}"; elif [ -x "$here/device-test" ]; then run "$here"; else run "$directory"; fi ;;
*) usage ;;
esac
