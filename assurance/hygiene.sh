#!/usr/bin/env bash
# Packages, licences, features and unsafe code: assurance/hygiene.sh. Exit code 0 if all is as
# it should be.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0

# 1. Every workspace builds from its lock file as it stands: users and `pip` build with --locked.
for lock in $(git ls-files '*Cargo.lock'); do
    cargo metadata --format-version 1 --locked --manifest-path "${lock%lock}toml" >/dev/null ||
        { echo "$lock is not up to date" >&2; exit 1; }
done

# Licences, sources and advisories, and no crate in two versions that deny.toml does not explain.
if cargo deny --version >/dev/null 2>&1; then
    assurance/supply.sh
else
    echo 'licences: skipped, assurance/supply.sh needs cargo-deny'
fi

# 2. Unsafe blocks and functions of each crate; every one has a SAFETY comment (clippy denies
# others).
echo 'unsafe code:'
for crate in crates/* kernels; do
    count=$({ grep -rhoE --include='*.rs' '\bunsafe (\{|fn|impl|extern)' "$crate/src" || true; } | wc -l)
    printf '  %-24s %4d\n' "${crate#crates/}" "$count"
done

# 3. The table of faults follows the sources, and the page its length.
assurance/mutants.py --texts
faults=$(grep -c '^\[\[mutant\]\]' assurance/mutants.toml)
grep -q " $faults faults " docs/assurance.md || { echo "docs/assurance.md: expected $faults faults" >&2; exit 1; }

# Leaks for the kernel of AMX, which a step for releases puts into it, compile there.
assurance/leaks.sh --check

# The plugin that compares traces under qemu, on made-up ones; `assurance/differential.sh` runs it
# on programs.
cargo test --quiet --locked -p tautochrone-differential

# dependent FEATURES: a crate of somebody else builds and runs with nothing but the dependencies in
# its manifest: no patch, no CUDA toolkit.
dependent() {
    cp Cargo.lock assurance/dependent/Cargo.lock
    CARGO_TARGET_DIR=$PWD/target cargo run --quiet --manifest-path assurance/dependent/Cargo.toml \
        --features "$1"
}

# 4. Every combination of features compiles.
echo 'features:'
cargo check --quiet -p tautochrone-matmul -p tautochrone-zk -p tautochrone-zk-field -p tautochrone-gauss -p tautochrone-simd \
    -p tautochrone-ice --no-default-features
for features in rayon nalgebra ndarray rayon,nalgebra,ndarray; do
    cargo check --quiet -p tautochrone-matmul --no-default-features --features "$features"
done
for features in os-rng rayon serde committed device relations shards std rayon,serde; do
    cargo check --quiet -p tautochrone-zk --no-default-features --features "$features"
done
for features in '' serde std; do
    cargo check --quiet -p tautochrone-zk-params --no-default-features --features "$features"
done
cargo check --quiet -p tautochrone --no-default-features
# Without `os-rng` there is no entropy: neither the crate nor a seed that looks fresh.
if cargo tree --quiet --locked -p tautochrone --no-default-features -e normal --prefix none | grep '^getrandom '; then
    echo 'without default features, nothing may depend on getrandom' >&2
    exit 1
fi
cargo test --quiet -p tautochrone-ctr --no-default-features --lib entropy
# (`compile-ptx` changes the build script alone, and needs clang-19: the step of GPU kernels tries
# it.)
for features in '' zk cuda cuda,zk cust cust,zk emulation emulation,zk; do
    cargo check --quiet -p tautochrone-kernels --features "$features"
done
for features in '' cuda emulation; do
    cargo check --quiet -p tautochrone -p tautochrone-command --features "$features"
done
# As `cargo install` has it: with the features that it asks for, and no other package.
cargo check --quiet --locked -p tautochrone-command

for features in '' cuda rayon,serde,nalgebra,ndarray; do dependent "$features"; done

# 5. What claims no_std compiles for targets that have no standard library, of 64 and 32 bits, and
# has the known answers there; what needs no C compiler compiles, without a warning, where there are
# no vector kernels.
if command -v rustup >/dev/null; then
    echo 'targets:'
    rustup --quiet target add x86_64-unknown-none thumbv7em-none-eabihf aarch64-unknown-linux-gnu \
        wasm32-unknown-unknown
    RUSTFLAGS='-D warnings' cargo check --quiet --target aarch64-unknown-linux-gnu \
        -p tautochrone-simd -p tautochrone-matmul -p tautochrone-ice -p tautochrone-bignum
    cargo check --quiet --target x86_64-unknown-none -p tautochrone-simd
    cp Cargo.lock assurance/no_std/Cargo.lock
    for target in x86_64-unknown-none thumbv7em-none-eabihf; do
        CARGO_TARGET_DIR=$PWD/target RUSTFLAGS='-D warnings' cargo check --quiet --lib --target "$target" \
            --manifest-path assurance/no_std/Cargo.toml
    done
    CARGO_TARGET_DIR=$PWD/target cargo run --quiet --manifest-path assurance/no_std/Cargo.toml
    cargo check --quiet --target x86_64-unknown-none -p tautochrone-matmul -p tautochrone-ice --no-default-features
    cargo check --quiet --target x86_64-unknown-none -p tautochrone-kem-keys
    # The tests, too, which architectures.sh runs there, and where there are no kernels at all.
    # Nothing is linked, so that no C compiler for these targets is needed, which blake3 would call.
    rustup --quiet target add s390x-unknown-linux-gnu
    for target in aarch64-unknown-linux-gnu s390x-unknown-linux-gnu; do
        TARGET_CC=true TARGET_AR=true RUSTFLAGS='-D warnings' cargo check --quiet --tests --target "$target" -p tautochrone-simd -p tautochrone-ctr \
            -p tautochrone-gauss -p tautochrone-ice -p tautochrone-bignum -p tautochrone-matmul
    done
    # A verifier where there is no entropy and there are no threads.
    RUSTFLAGS='-D warnings' cargo check --quiet --target wasm32-unknown-unknown -p tautochrone-zk --no-default-features
fi

# 6. The libraries compile with the oldest version of Rust that their manifests promise.
if command -v rustup >/dev/null; then
    oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    echo "Rust $oldest:"
    if rustup --quiet toolchain install "$oldest" --profile minimal --no-self-update; then
        CARGO_TARGET_DIR=$PWD/target/msrv cargo "+$oldest" check --quiet --locked \
            -p tautochrone --features cuda,nalgebra,ndarray,serde
        CARGO_TARGET_DIR=$PWD/target/msrv cargo "+$oldest" check --quiet --locked -p tautochrone-kem-keys
    else
        echo 'skipped: this version could not be installed'
    fi
fi

# 7. Every published crate packs, with all that it needs (`cargo publish` would build them too): its
# own README, whose links lead somewhere outside the repository, and licences; of the root package
# neither examples nor tests. `assurance/publish.sh` builds what was packed.
echo 'packages:'
published=$(cargo metadata --format-version 1 --no-deps --locked |
    python3 -c '
import json, sys
names = [p["name"] for p in json.load(sys.stdin)["packages"] if p["publish"] is None]
print("\n".join(names))')
for name in $published; do
    cargo package --package "$name" --allow-dirty --list >"target/package-list"
    readme=README.md
    if [ "$name" = tautochrone ]; then readme=src/README.md; fi
    for file in "$readme" LICENSE-MIT LICENSE-APACHE Cargo.toml src/lib.rs; do
        grep -qx "$file" target/package-list || { echo "$name: no $file in its package" >&2; exit 1; }
    done
    if [ "$name" = tautochrone ] && grep -E '^(examples|tests|benches)/' target/package-list; then
        echo "$name: these need crates that are not published" >&2
        exit 1
    fi
done
if grep -nE '\]\(' src/README.md crates/*/README.md kernels/README.md | grep -v 'crates/python/' |
    grep -vE '\]\(https://'; then
    echo 'these links lead nowhere from a registry' >&2
    exit 1
fi
cargo publish --workspace --dry-run --no-verify --allow-dirty --quiet
printf '  %s\n' $published
