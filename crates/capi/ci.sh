#!/usr/bin/env bash
# The C library: lints, the header up to date, and, as `make install` puts it below a prefix, a C
# program that calls everything, linked to the shared and to the static library, with the samples
# and products of Rust to compare with, and once more under valgrind, which knows no instructions
# beyond AVX2.
set -euo pipefail
cd "$(dirname "$0")"
# Dependencies that the root has built already are not built again.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../../target} CARGO_INCREMENTAL=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cargo fmt --check
cargo clippy --locked --all-targets -- -D warnings
cargo test --release --locked --quiet
cargo build --release --locked --lib --example expected
"$CARGO_TARGET_DIR/release/examples/expected" "$dir"

if ! command -v pkg-config >/dev/null; then
    apt-get update -q && apt-get install -qy --no-install-recommends pkg-config
fi
# A package is staged below DESTDIR, and names the places below PREFIX alone.
make --silent install PREFIX=/opt/t DESTDIR="$dir/staged"
if grep -rIq "$dir" "$dir/staged"; then
    echo "crates/capi/ci.sh: a file names DESTDIR" >&2
    exit 1
fi
make --silent install PREFIX="$dir/usr"
lib=$dir/usr/lib
export PKG_CONFIG_PATH=$lib/pkgconfig
diff <(cd "$dir/staged/opt/t" && find .) <(cd "$dir/usr" && find .)
soname=$(readelf -d "$lib/libtautochrone.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = "libtautochrone.so.$(pkg-config --modversion tautochrone | cut -d. -f1,2)" ]
[ -e "$lib/$soname" ]
# The sizes that docs/c.md states, to a tenth.
page=$(tr '\n' ' ' <../../docs/c.md)
for part in "shared library:$lib/$soname" "static one:$lib/libtautochrone.a"; do
    stated=$(sed "s/.* ${part%%:*} has \([0-9.]*\) MB.*/\1/" <<<"$page")
    awk -v stated="$stated" -v bytes="$(stat -Lc %s "${part#*:}")" \
        'BEGIN { ratio = bytes / 1e6 / stated; print stated, "MB are stated;", bytes; exit !(ratio > .9 && ratio < 1.1) }'
done
cc=(cc -std=c99 -Wall -Wextra -Wpedantic -Wshadow -Werror -O1 -g)
read -ra flags <<<"$(pkg-config --cflags --libs tautochrone)"
read -ra static <<<"$(pkg-config --cflags --libs --static tautochrone)"
"${cc[@]}" -o "$dir/shared" tests/all.c "${flags[@]}" -Wl,-rpath,"$lib"
"${cc[@]}" -o "$dir/static" tests/all.c "${static[@]/-ltautochrone/-l:libtautochrone.a}"
if command -v c++ >/dev/null; then
    echo '#include "tautochrone.h"' | c++ -std=c++11 -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c++ -
fi
# A verdict is no condition, and is not to be ignored.
for use in 'return verify ? 1 : 0;' 'verify; return 0;'; do
    call='tautochrone_statement_verify(0, 0, 0, 0, 0)'
    printf '#include "tautochrone.h"\nint main(void) { %s }\n' "${use/verify/$call}" >"$dir/use.c"
    if cc -std=c99 -Wall -Werror -Iinclude -c -o "$dir/use.o" "$dir/use.c" 2>/dev/null; then
        echo "crates/capi/ci.sh: cc takes $use" >&2
        exit 1
    fi
done
for program in shared static; do
    # Not `ldd | grep -q`: grep ends at the first match, and ldd then fails of a closed pipe.
    case $(ldd "$dir/$program") in
        *libtautochrone*) linked=shared ;;
        *) linked=static ;;
    esac
    if [ "$program" != "$linked" ]; then
        echo "crates/capi/ci.sh: $program is linked as $linked" >&2
        exit 1
    fi
    for isa in portable auto; do
        TAUTOCHRONE_ISA=$isa "$dir/$program" "$dir"
    done
done
# The programs of docs/c.md, as they stand there.
block() { awk -v n="$1" '/^```c$/ { inside = 1; count++; next } /^```$/ { inside = 0 } inside && count == n' ../../docs/c.md; }
block 1 >"$dir/check.c"
block 2 >"$dir/prove.c"
for program in check prove; do
    cc -std=c99 -Wall -Wextra -Werror -o "$dir/$program" "$dir/$program.c" "${flags[@]}" -Wl,-rpath,"$lib"
done
cp "$dir/secure.lzs" "$dir/s.lzs"
cp "$dir/secure.lzp" "$dir/p.lzp"
verdict() { [ "$(cd "$dir" && ./check)" = valid ] || { echo "crates/capi/ci.sh: check: no verdict" >&2; exit 1; }; }
verdict
rm "$dir/s.lzs" "$dir/p.lzp"
(cd "$dir" && ./prove)
verdict
# A file that is no proof has no verdict.
cp "$dir/s.lzs" "$dir/p.lzp"
code=0
(cd "$dir" && ./check 2>/dev/null) || code=$?
[ "$code" = 2 ]

if ! command -v valgrind >/dev/null; then
    apt-get update -q && apt-get install -qy --no-install-recommends valgrind
fi
TAUTOCHRONE_ISA=avx2 RAYON_NUM_THREADS=2 valgrind --quiet --error-exitcode=3 --leak-check=full \
    --errors-for-leak-kinds=definite --show-leak-kinds=definite "$dir/shared" "$dir"
