#!/usr/bin/env bash
# A new user on a bare machine: every command of a page, typed as it stands there, in a Debian 13
# that has nothing but what its installer puts on every machine:
#   assurance/bare.sh [--keep DIR] [--transcript FILE] [PAGE ..]
# Pages: tutorial, gpu, c, python, browser; all by default, each in a system of its own. Needs root
# and debootstrap (`apt-get install debootstrap`), and downloads compilers: 5 to 15 minutes a page
# on two cores. --keep keeps the untouched system in DIR for the next run. The last commit is
# checked.
# --transcript writes what was typed and said. As a control, each page is first typed without the
# block that installs what it needs, which must fail. Exit code 0 if every command did what its page
# says, 1 if one did not, 2 if there is no bare machine to be had.
set -euo pipefail
cd "$(dirname "$0")/.."
keep= transcript=
while [[ ${1-} == --* ]]; do
    case $1 in
    --keep) keep=${2?a directory} ;;
    --transcript) transcript=${2?a file} ;;
    *)
        echo 'usage: assurance/bare.sh [--keep DIR] [--transcript FILE] [PAGE ..]' >&2
        exit 2
        ;;
    esac
    shift 2
done
if [ $# -eq 0 ]; then set -- docs/tutorial.md kernels/README.md docs/c.md docs/python.md docs/browser.md; fi
for page; do
    [ -f "$page" ] || { echo "bare: there is no $page" >&2; exit 2; }
done
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo 'bare: needs root, and debootstrap' >&2
    exit 2
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
pristine=${keep:-$dir/pristine}
if [ ! -f "$pristine/etc/debian_version" ]; then
    mkdir -p "$pristine"
    debootstrap --variant=minbase trixie "$pristine" http://deb.debian.org/debian >"$dir/log" 2>&1 || {
        tail -n 5 "$dir/log" >&2
        exit 2
    }
fi
# Settings that the network would have given a bare machine: names, and authorities of networks that
# have their own.
inherited() {
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    mkdir -p "$1/usr/local/share/ca-certificates"
    find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$1/usr/local/share/ca-certificates" \;
}

# typed SCRIPT: with mounts that end with the shell, and the environment of a login.
typed() {
    unshare --mount --pid --fork sh -c "mount -t proc proc '$machine/proc' && mount --rbind /dev '$machine/dev' &&
        exec env -i HOME=/root USER=root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            chroot '$machine' bash -c 'cd /srv/tautochrone && exec bash /srv/$1'" >"$dir/said" 2>&1 </dev/null
}
failed=0
if [ -n "$transcript" ]; then
    {
        printf '# A new user on a bare machine, %s\n' "$(date +%F)"
        printf '\n`assurance/bare.sh` of commit %s: Debian %s, as debootstrap makes it, %s packages; %s CPUs,\n' \
            "$(git rev-parse --short HEAD)" "$(cat "$pristine/etc/debian_version")" \
            "$(chroot "$pristine" dpkg-query -f '.\n' -W | wc -l)" "$(nproc)"
        printf 'shared with other programs. Every command as it stands on its page; of those that install and\n'
        printf 'compile, what is left after the lines that name packages.\n'
    } >"$transcript"
fi
for page; do
    machine=$dir/machine
    cp -a "$pristine" "$machine"
    inherited "$machine"
    mkdir -p "$machine/srv/tautochrone"
    git archive HEAD | tar -x -C "$machine/srv/tautochrone"
    python3 assurance/bare.py --forget <"$machine/srv/tautochrone/$page" >"$machine/srv/forgotten.sh"
    python3 assurance/bare.py <"$machine/srv/tautochrone/$page" >"$machine/srv/type.sh"
    status=0
    if typed forgotten.sh; then
        echo 'without its first block, the page works as well: was the machine bare?' >>"$dir/said"
        status=1
    else
        typed type.sh || status=$?
    fi
    cat "$dir/said"
    if [ "$status" = 0 ]; then result='every command did what the page says'; else result=FAILED failed=1; fi
    printf '\n== %s: %s\n' "$page" "$result"
    if [ -n "$transcript" ]; then
        printf '\n## %s: %s\n\n```text\n%s\n```\n' "$page" "$result" "$(sed '/./,$!d' "$dir/said")" >>"$transcript"
    fi
    rm -rf "$machine"
done
exit "$failed"
