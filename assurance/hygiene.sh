#!/usr/bin/env bash
# Packages, licences, features and unsafe code: assurance/hygiene.sh. Exit code 0 if all is as
# it should be.
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

# Every workspace builds from its lock file as it stands: users and `pip` build with --locked.
for lock in $(git ls-files '*Cargo.lock'); do
    cargo metadata --format-version 1 --locked --manifest-path "${lock%lock}toml" >/dev/null ||
        { echo "$lock is not up to date" >&2; exit 1; }
done

# Two versions of one crate are those that deny.toml explains.
python3 - <<'END'
import collections, sys, tomllib
packages = {(p["name"], p["version"]): p for p in tomllib.load(open("Cargo.lock", "rb"))["package"]}
versions = collections.defaultdict(list)
for name, version in packages:
    versions[name].append(version)
bans = tomllib.load(open("deny.toml", "rb"))["bans"]
tools = {tree["crate"] for tree in bans["skip-tree"]}
seen, todo = collections.defaultdict(set), [key for key, p in packages.items() if "source" not in p]
while todo:
    name, version = todo.pop()
    if version in seen[name] or name in tools:
        continue
    seen[name].add(version)
    for dependency in packages[name, version].get("dependencies", []):
        other, *only = dependency.split()
        todo.append((other, only[0] if only else versions[other][0]))
skipped = {skip["crate"] for skip in bans["skip"]}
bad = [f"{name}: {', '.join(sorted(all))}, of which deny.toml must explain all but one"
       for name, all in seen.items() if sum(f"{name}@{version}" not in skipped for version in all) > 1]
gone = [f"{skip}: explained in deny.toml, not in Cargo.lock" for skip in sorted(skipped)
        if skip.split("@")[1] not in seen[skip.split("@")[0]]]
gone += [f"{tool}: explained in deny.toml, not in Cargo.lock" for tool in sorted(tools) if tool not in versions]
sys.exit("\n".join(bad + gone) or 0)
END

# 2. Unsafe blocks and functions of each crate; every one has a SAFETY comment (clippy denies others).
echo 'unsafe code:'
for crate in crates/* kernels; do
    count=$({ grep -rhoE --include='*.rs' '\bunsafe (\{|fn|impl|extern)' "$crate/src" || true; } | wc -l)
    printf '  %-24s %4d\n' "${crate#crates/}" "$count"
done

# 3. The table of faults follows the sources, and pages its length.
assurance/mutants.py --texts
faults=$(grep -c '^\[\[mutant\]\]' assurance/mutants.toml)
for page in README.md docs/assurance.md; do
    grep -q " $faults faults " "$page" || { echo "$page: expected $faults faults" >&2; exit 1; }
done

# Leaks for the kernel of AMX, which a step for releases puts into it, compile there.
assurance/leaks.sh --check

# What threads share, in many of the orders that their steps may have.
cargo test --quiet --locked -p tautochrone-interleavings

# What compares traces under qemu, on made-up ones; `assurance/differential.sh` runs it on programs.
cargo test --quiet --locked -p tautochrone-differential

# dependent FEATURES: a crate of somebody else builds and runs with nothing but the dependencies in its
# manifest: no patch, no CUDA toolkit.
dependent() {
    cp Cargo.lock assurance/dependent/Cargo.lock
    CARGO_TARGET_DIR=$PWD/target cargo run --quiet --manifest-path assurance/dependent/Cargo.toml \
        --features "$1"
}

# 4. Every combination of features compiles.
echo 'features:'
cargo check --quiet -p tautochrone-matmul -p tautochrone-zk -p tautochrone-gauss -p tautochrone-simd \
    -p tautochrone-ice --no-default-features
for features in rayon nalgebra ndarray rayon,nalgebra,ndarray; do
    cargo check --quiet -p tautochrone-matmul --no-default-features --features "$features"
done
for features in os-rng rayon serde std rayon,serde; do
    cargo check --quiet -p tautochrone-zk --no-default-features --features "$features"
done
cargo check --quiet -p tautochrone --no-default-features
# Without `os-rng` there is no entropy: neither the crate nor a seed that looks fresh.
if cargo tree --quiet --locked -p tautochrone --no-default-features -e normal --prefix none | grep '^getrandom '; then
    echo 'without default features, nothing may depend on getrandom' >&2
    exit 1
fi
cargo test --quiet -p tautochrone-ctr --no-default-features --lib entropy
# (`compile-ptx` changes the build script alone, and needs clang-19: the step of GPU kernels tries it.)
for features in '' zk cuda cuda,zk cust cust,zk emulation emulation,zk; do
    cargo check --quiet -p tautochrone-kernels --features "$features"
done
for features in '' cuda emulation; do
    cargo check --quiet -p tautochrone -p tautochrone-command --features "$features"
done

for features in '' cuda rayon,serde,nalgebra,ndarray; do dependent "$features"; done

# 5. What claims no_std compiles for targets that have no standard library, of 64 and 32 bits, and has
# the known answers there; what needs no C compiler compiles, without a warning, where there are no
# vector kernels.
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
    # The tests, too, which architectures.sh runs there, and where there are no kernels at all.
    rustup --quiet target add s390x-unknown-linux-gnu
    for target in aarch64-unknown-linux-gnu s390x-unknown-linux-gnu; do
        RUSTFLAGS='-D warnings' cargo check --quiet --tests --target "$target" -p tautochrone-simd -p tautochrone-ctr \
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
