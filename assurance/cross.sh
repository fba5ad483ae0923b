# Sourced by the scripts that build for machines unlike this one, with GCC as the linker:
# aarch64, i686, s390x and riscv64 are known.

# cross_target ARCHITECTURE: Rust's name of it.
cross_target() { printf %s "${1/riscv64/riscv64gc}-unknown-linux-gnu"; }
# cross_known ARCHITECTURE
cross_known() { [[ $1 =~ ^(aarch64|i686|s390x|riscv64)$ ]]; }
# cross_missing ARCHITECTURE: Debian's packages of GCC and of the C library, if there is no such
# GCC.
cross_missing() {
    local library=${1/aarch64/arm64}
    if ! command -v "$1-linux-gnu-gcc" >/dev/null; then
        printf '%s\n' "gcc-$1-linux-gnu" "libc6-dev-${library/i686/i386}-cross"
    fi
}
# cross_variable ARCHITECTURE NAME: cargo's variable NAME of that target.
cross_variable() { printf %s "CARGO_TARGET_$(cross_target "$1")_$2" | tr 'a-z-' 'A-Z_'; }
# cross_use ARCHITECTURE: has the target's standard library installed and tells cargo the linker.
cross_use() {
    if command -v rustup >/dev/null; then rustup --quiet target add "$(cross_target "$1")"; fi
    export "$(cross_variable "$1" LINKER)=$1-linux-gnu-gcc"
}
