#!/usr/bin/env bash
# Constant time on machines unlike this one, by comparing traces under qemu:
#   assurance/differential.sh [ARCHITECTURE[:TIER] ..] [-- BEGINNING OF A NAME ..]
# aarch64 with NEON, aarch64:portable, i686, s390x, riscv64 and x86_64:avx2 by default. Every
# routine runs on eight secrets; instructions executed and addresses used must be the same, and must
# differ for routines that leak on purpose. s390x and riscv64 have no instruction that selects, so
# that compilers make branches of masks whose origin they see. On Debian it installs missing
# packages (qemu-user 7 or 8, and GCC for each architecture); elsewhere these must be there. Exit
# code 0 if all is as it should be, 1 if not, 2 for wrong usage.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_INCREMENTAL=0
. ./cross.sh
machines=() names=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    machines+=("$1")
    shift
done
if [ $# -gt 0 ]; then names=("${@:2}"); fi
if [ ${#machines[@]} -eq 0 ]; then machines=(aarch64 aarch64:portable i686 s390x riscv64 x86_64:avx2); fi

missing=()
for machine in "${machines[@]}"; do
    architecture=${machine%:*}
    if cross_known "$architecture"; then
        mapfile -t -O ${#missing[@]} missing < <(cross_missing "$architecture")
    elif [ "$architecture" != x86_64 ]; then
        echo "differential: $architecture is unknown; expected aarch64, i686, s390x, riscv64 or x86_64" >&2
        exit 2
    fi
done
command -v qemu-aarch64 >/dev/null || missing+=(qemu-user)
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -q && apt-get install -qy --no-install-recommends "${missing[@]}"
fi

plugins=$PWD/../target/differential
cargo test --quiet --release --locked -p tautochrone-differential --target-dir "$plugins"
cargo build --quiet --release --locked -p tautochrone-differential --target-dir "$plugins"
export CARGO_TARGET_DIR=$PWD/../target/assurance
failed=0
for machine in "${machines[@]}"; do
    architecture=${machine%:*} tier=()
    if [ "$machine" != "$architecture" ]; then tier=(--isa "${machine#*:}"); fi
    target=$(cross_target "$architecture") emulator=(qemu-"${architecture/i686/i386}")
    # qemu 7.2 has no `max` for RISC-V; its default is rv64gc and more.
    if [ "$architecture" != riscv64 ]; then emulator+=(-cpu max); fi
    if [ "$architecture" != x86_64 ]; then
        cross_use "$architecture"
        emulator+=(-L "/usr/$architecture-linux-gnu")
    fi
    RUSTFLAGS="${RUSTFLAGS-} -C symbol-mangling-version=v0" \
        cargo build --quiet --profile assurance --locked --target "$target" --bin differential
    printf '\n== %s\n' "$machine"
    "${emulator[@]}" -plugin "$plugins/release/libtautochrone_differential.so" \
        "$CARGO_TARGET_DIR/$target/assurance/differential" "${tier[@]}" "${names[@]}" || failed=1
done
exit "$failed"
