#!/usr/bin/env bash
# The tests of products, and of proofs of several kinds, on a machine with AMX that is emulated by
# Bochs, for those who have no such CPU:
#   assurance/amx.sh BOCHS VMLINUZ
# BOCHS: the folder of Bochs 3.0 or later, built by `./configure --enable-x86-64 --enable-avx
#   --enable-evex --enable-amx --with-nogui && make`. The version of 2026-08-22 (783b58f) needs two
#   changes:
#   - cpu/avx/amx.cc: signed bytes are taken as unsigned; `Bit32s(xbyte[0])` must be
#     `Bit32s(Bit8s(xbyte[0]))`, and so on;
#   - cpu/cpuid.cc, leaf 13, subleaf 1: EAX bit 4 (XFD) must be set, or Linux does not turn the
#     tiles on. Nothing traps, so a single process may use tiles.
# VMLINUZ: a Linux kernel of 5.16 or later that needs no modules, as Debian's
#   linux-image-6.1.0-50-cloud-amd64; 6.1.0-56 patches its own code in a way that this Bochs does not
#   survive.
# Other tools: rustup's target x86_64-unknown-linux-musl, and Debian's xorriso, isolinux,
# syslinux-common, busybox-static, cpio. Five to ten minutes after the build. Exit code 0 if all
# tests pass.
set -euo pipefail
bochs=$(realpath "${1?the folder of Bochs}") kernel=$(realpath "${2?a kernel}")
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The tests as static programs, in an initial file system that runs them.
mkdir -p "$work"/guest/{bin,proc,dev,tests} "$work/iso/isolinux"
build() { cargo test --release --target x86_64-unknown-linux-musl --no-run --message-format=json "$@"; }
{
    build -p tautochrone-matmul --lib --tests
    build -p tautochrone-zk --lib
} |
    python3 -c '
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("executable") and message["profile"]["test"]:
        print(message["target"]["name"], message["executable"])' |
    while read -r name path; do
        strip -o "$work/guest/tests/$name" "$path"
    done
cp "$(command -v busybox)" "$work/guest/bin/"
for name in sh mount grep poweroff; do ln -s busybox "$work/guest/bin/$name"; done
cat >"$work/guest/init" <<'INIT'
#!/bin/sh
mount -t proc proc /proc
mount -t devtmpfs dev /dev
exec >/dev/ttyS0 2>&1
export PROPTEST_CASES=8 PROPTEST_FAILURE_PERSISTENCE=off RUST_BACKTRACE=0
grep -m1 -o amx_int8 /proc/cpuinfo
bad=0
for test in /tests/*; do
    echo "== $test"
    case $test in
        *tautochrone_zk) $test uses:: || bad=1 ;;
        *) $test || bad=1 ;;
    esac
done
echo "all done: $bad"
poweroff -f
INIT
chmod +x "$work/guest/init"
(cd "$work/guest" && find . | cpio --quiet -o -H newc | gzip -1) >"$work/iso/initrd.gz"

# A disc that starts it, and a machine.
cp "$kernel" "$work/iso/vmlinuz"
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$work/iso/isolinux/"
# Bochs' `rep movsb` and Linux' memcpy by it do not get on.
cat >"$work/iso/isolinux/isolinux.cfg" <<'CONFIGURATION'
DEFAULT linux
LABEL linux
 KERNEL /vmlinuz
 APPEND initrd=/initrd.gz console=ttyS0,115200 loglevel=3 mitigations=off nokaslr panic=-1 clearcpuid=fsrm,erms
CONFIGURATION
xorriso -as mkisofs -quiet -o "$work/boot.iso" -b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot \
    -boot-load-size 4 -boot-info-table "$work/iso"
cat >"$work/bochsrc" <<CONFIGURATION
megs: 2048
cpu: model=sapphire_rapids, count=1, ips=50000000, ignore_bad_msrs=1
romimage: file=$bochs/bios/BIOS-bochs-latest
vgaromimage: file=$bochs/bios/VGABIOS-lgpl/VGABIOS-lgpl-latest.bin
ata0-master: type=cdrom, path=$work/boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial.txt
display_library: nogui
log: $work/bochs.log
clock: sync=none
CONFIGURATION
timeout 3600 "$bochs/bochs" -q -f "$work/bochsrc" >/dev/null 2>&1 &
machine=$!
while kill -0 $machine 2>/dev/null && ! grep -aqs 'Kernel panic' "$work/serial.txt"; do sleep 5; done
if kill $machine 2>/dev/null; then tail -n 40 "$work/serial.txt" >&2; fi
wait $machine || true

# The kernel's own lines go to the same port.
tr -d '\r' <"$work/serial.txt" | sed -n '/^amx_int8/,$p'
grep -aq '^amx_int8' "$work/serial.txt" && grep -aq '^all done: 0' "$work/serial.txt"
