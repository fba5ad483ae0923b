#!/usr/bin/env bash
# The verifier as WebAssembly, in OUT: crates/wasm/ci.sh [OUT [PICTURES]]. Lints, the package and
# two pages, tests in node with real files, and tests of the pages where Chromium can be installed;
# pictures of them in a directory, docs/pictures, if it is named.
set -euo pipefail
pictures=${2:+$(realpath "$2")} out=${1:+$(realpath -m "$1")}
cd "$(dirname "$0")"
# Dependencies that the root has built already are not built again.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../../target} CARGO_INCREMENTAL=0
out=${out:-$CARGO_TARGET_DIR/wasm}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! rustup --quiet target add wasm32-unknown-unknown; then
    echo 'crates/wasm/ci.sh: it needs the target wasm32-unknown-unknown, by rustup' >&2
    exit 2
fi
if ! command -v node >/dev/null; then
    apt-get update -q && apt-get install -qy --no-install-recommends nodejs
fi
cargo fmt --all --check
# For the host, whose dependencies the root has checked.
cargo clippy --locked --workspace --all-targets -- -D warnings
# In a folder of its own, so that it holds no lock for which steps beside it would wait.
RUSTFLAGS="-D warnings" cargo build --release --locked --target wasm32-unknown-unknown \
    --target-dir "$CARGO_TARGET_DIR/wasm32" -p tautochrone-wasm
cargo build --release --locked -p bundle
# With the packages that the root's tests in release have built.
(cd ../.. && cargo build --release --locked -p tautochrone -p tautochrone-proofs -p tautochrone-tests \
    -p tautochrone-files --bin files --example verify)
"$CARGO_TARGET_DIR/release/files" "$dir"
mkdir -p "$out"
"$CARGO_TARGET_DIR/release/bundle" \
    "$CARGO_TARGET_DIR/wasm32/wasm32-unknown-unknown/release/tautochrone_wasm.wasm" "$dir" "$out"

export TAUTOCHRONE_FILES=$dir TAUTOCHRONE_PACKAGE=$out/package TAUTOCHRONE_PAGES=$out
node --test tests/verify.test.mjs tests/plan.test.mjs
# The program of the package's README, as a user of the package has it.
mkdir -p "$dir/user/node_modules"
cp -r "$out/package" "$dir/user/node_modules/tautochrone-verify"
sed -n '/^```js$/,/^```$/{/^```/d;p}' package/README.md >"$dir/user/readme.mjs"
cp "$dir/secure.lzs" "$dir/user/s.lzs"
cp "$dir/secure.lzp" "$dir/user/p.lzp"
(cd "$dir/user" && node readme.mjs) | tee "$dir/said"
grep -qx valid "$dir/said"
if command -v npm >/dev/null && npm install --silent --prefix "$dir/user" typescript@5 @types/node@20; then
    cp -r "$out/package" "$dir/user/node_modules/tautochrone-verify" # npm has removed it
    cp tests/types.ts "$dir/user"
    (cd "$dir/user" && node_modules/.bin/tsc --strict --noEmit --target es2022 --module nodenext types.ts)
else
    echo 'the types were not tested: there is no npm'
fi
if ! command -v chromium chromium-browser google-chrome >/dev/null && command -v apt-get >/dev/null; then
    apt-get update -q && apt-get install -qy --no-install-recommends chromium || true
fi
if CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome); then
    export CHROMIUM
    node --test tests/page.test.mjs tests/explorer.test.mjs
    if [ -n "$pictures" ]; then node tests/picture.mjs "$pictures"; fi
else
    echo 'the pages were not tested: there is no Chromium'
fi
