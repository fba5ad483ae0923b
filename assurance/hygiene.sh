#!/usr/bin/env bash
# Packages, licences, features, unsafe code and imports: assurance/hygiene.sh. Exit code 0 if all is
# as it should be.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0

# 1. Every licence in the tree is one that MIT OR Apache-2.0 can be combined with.
cargo metadata --format-version 1 --locked |
    python3 -c '
import json, re, sys
free = {"MIT", "MIT-0", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "Unlicense", "CC0-1.0", "BSL-1.0",
        "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"}
bad, packages = [], json.load(sys.stdin)["packages"]
for p in packages:
    licence = (p["license"] or "none").replace("/", " OR ")
    terms = [[u.strip(" ()") for u in t.split(" AND ")] for t in re.sub(r"[()]", "", licence).split(" OR ")]
    if not any(all(u in free for u in term) for term in terms):
        name, version = p["name"], p["version"]
        bad.append(f"{name} {version}: {licence}")
print(f"licences: {len(packages)} packages")
sys.exit("\n".join(bad) if bad else 0)'

# 2. Unsafe blocks and functions of each crate; every one has a SAFETY comment (clippy denies others).
echo 'unsafe code:'
for crate in crates/* kernels; do
    count=$({ grep -rhoE --include='*.rs' '\bunsafe (\{|fn|impl|extern)' "$crate/src" || true; } | wc -l)
    printf '  %-24s %4d\n' "${crate#crates/}" "$count"
done

# 3. No file of a crate imports one that imports it, directly or through others.
cargo test --quiet --locked --manifest-path assurance/cycles/Cargo.toml
cargo run --quiet --locked --manifest-path assurance/cycles/Cargo.toml -- .

# 4. Every combination of features compiles.
echo 'features:'
cargo check --quiet -p tautochrone-matmul -p tautochrone-zk -p tautochrone-gauss -p tautochrone-simd \
    -p tautochrone-ice --no-default-features
for features in rayon nalgebra rayon,nalgebra; do
    cargo check --quiet -p tautochrone-matmul --no-default-features --features "$features"
done
for features in rayon serde rayon,serde; do
    cargo check --quiet -p tautochrone-zk --no-default-features --features "$features"
done
# (`compile-ptx` changes the build script alone, and needs clang-19: the step of GPU kernels tries it.)
for features in '' zk cuda cuda,zk cust cust,zk emulation emulation,zk; do
    cargo check --quiet -p tautochrone-kernels --features "$features"
done
for features in '' cuda emulation; do
    cargo check --quiet -p tautochrone -p tautochrone-cli --features "$features"
done
# So do dependent crates, whose manifests have nothing but the dependency: no patch, no CUDA toolkit.
dependent=$(mktemp -d)
mkdir "$dependent/src"
cat >"$dependent/Cargo.toml" <<END
[workspace]
[package]
name = "dependent"
edition = "2024"
[features]
cuda = ["tautochrone/cuda"]
[dependencies]
tautochrone = { path = "$PWD" }
# As in the workspace, whose compiled dependencies serve again.
[profile.dev]
opt-level = 2
debug = "line-tables-only"
overflow-checks = true
END
echo '#[cfg(feature = "cuda")] pub use tautochrone::kernels::Gpu;' >"$dependent/src/lib.rs"
cp Cargo.lock "$dependent"
for features in '' cuda; do
    CARGO_TARGET_DIR=$PWD/target cargo check --quiet --manifest-path "$dependent/Cargo.toml" \
        --features "$features"
done
rm -r "$dependent"

# 5. What claims no_std compiles for a target that has no standard library; what needs no C compiler compiles, without a
# warning, where there are no vector kernels.
if command -v rustup >/dev/null; then
    echo 'targets:'
    rustup --quiet target add x86_64-unknown-none aarch64-unknown-linux-gnu
    RUSTFLAGS='-D warnings' cargo check --quiet --target aarch64-unknown-linux-gnu \
        -p tautochrone-simd -p tautochrone-matmul -p tautochrone-ice -p tautochrone-bignum
    cargo check --quiet --target x86_64-unknown-none -p tautochrone-simd
    cargo check --quiet --target x86_64-unknown-none -p tautochrone-matmul -p tautochrone-ice --no-default-features
fi

# 6. The libraries compile with the oldest version of Rust that their manifests promise.
if command -v rustup >/dev/null; then
    oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    echo "Rust $oldest:"
    if rustup --quiet toolchain install "$oldest" --profile minimal --no-self-update; then
        CARGO_TARGET_DIR=$PWD/target/msrv cargo "+$oldest" check --quiet --locked \
            -p tautochrone --features cuda,nalgebra,serde
    else
        echo 'skipped: this version could not be installed'
    fi
fi

# 7. Every published crate packs, with all that it needs (`cargo publish` would build them too): its
# own README and licences, and of the root package neither examples nor tests.
echo 'packages:'
published=$(cargo metadata --format-version 1 --no-deps --locked |
    python3 -c '
import json, sys
names = [p["name"] for p in json.load(sys.stdin)["packages"] if p["publish"] is None]
print("\n".join(names))')
for name in $published; do
    cargo package --package "$name" --allow-dirty --list >"target/package-list"
    for file in README.md LICENSE-MIT LICENSE-APACHE Cargo.toml src/lib.rs; do
        grep -qx "$file" target/package-list || { echo "$name: no $file in its package" >&2; exit 1; }
    done
    if [ "$name" = tautochrone ] && grep -E '^(examples|tests|benches)/' target/package-list; then
        echo "$name: these need crates that are not published" >&2
        exit 1
    fi
done
cargo package --workspace --no-verify --allow-dirty --quiet
ls target/package/*.crate
