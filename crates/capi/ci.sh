#!/usr/bin/env bash
# The C library: lints, the header up to date, and a C program that calls everything, linked to the
# shared and to the static library, with the samples and products of Rust to compare with, and once
# more under valgrind, which knows no instructions beyond AVX2.
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

lib=$CARGO_TARGET_DIR/release
cc=(cc -std=c99 -Wall -Wextra -Wpedantic -Wshadow -Werror -O1 -g -Iinclude tests/all.c)
"${cc[@]}" -o "$dir/shared" -L"$lib" -ltautochrone -Wl,-rpath,"$lib"
# What `rustc --print native-static-libs` names.
"${cc[@]}" -o "$dir/static" "$lib/libtautochrone.a" -lgcc_s -lutil -lrt -lpthread -lm -ldl
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
    cc -std=c99 -Wall -Wextra -Werror -Iinclude -o "$dir/$program" "$dir/$program.c" -L"$lib" -ltautochrone -Wl,-rpath,"$lib"
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
