#!/usr/bin/env bash
# The command `tautochrone`: crates/command/ci.sh. Its subcommands are the examples, its help,
# completions and manual pages are well formed, and its exit codes are those that are promised.
# Shells and formatters that are not there (zsh, fish, mandoc, man) are left out, by name.
set -euo pipefail
cd "$(dirname "$0")/../.."
# Dependencies that the root has built already are not built again.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target} CARGO_INCREMENTAL=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'echo "crates/command/ci.sh: line $LINENO failed" >&2' ERR
fail() {
    echo "crates/command/ci.sh: $*" >&2
    exit 1
}
# is CODE COMMAND ..: the exit code, and one line on stderr if that is 2.
is() {
    local wanted=$1 code=0
    shift
    "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = "$wanted" ] || fail "exit code $code, not $wanted: $*: $(cat "$dir/err")"
    if [ "$code" = 2 ]; then
        [ "$(wc -l <"$dir/err")" = 1 ] || fail "not one line: $*: $(cat "$dir/err")"
    fi
}
has() { command -v "$1" >/dev/null || { echo "left out: there is no $1" >&2; false; }; }

# What `cargo install` compiles, but with the features of third parties that tests ask for: the
# libraries are those that the root's tests in release have built. hygiene.sh compiles it alone.
cargo build --release --locked --quiet -p tautochrone -p tautochrone-proofs -p tautochrone-tests \
    -p tautochrone-command --bin tautochrone --example verify
mkdir "$dir/bin"
cp "$CARGO_TARGET_DIR/release/tautochrone" "$dir/bin"
export PATH=$dir/bin:$PATH

# Versions and help. Every example is there, by its own name, too.
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
[ "$(tautochrone --version)" = "tautochrone $version" ]
tautochrone --help >"$dir/help"
grep -q '^Exit codes: 0 ' "$dir/help"
names=()
for example in examples/*.rs examples/*/mod.rs; do
    example=${example%/mod.rs}
    name=$(basename "$example" .rs)
    names+=("${name//_/-}")
    is 0 tautochrone "$name" --help
    is 0 tautochrone "${name//_/-}" --help
    grep -q "^Usage: tautochrone ${name//_/-}" "$dir/out" || fail "no usage of $name"
    # Its examples are lines that work here.
    if grep -qE "^  $name " "$dir/out"; then fail "examples of $name are not those of tautochrone"; fi
    is 0 tautochrone "${name//_/-}" --version
    grep -q " $version$" "$dir/out"
    grep -q "^  ${name//_/-} " "$dir/help" || fail "$name is not in the help"
done
[ ${#names[@]} -ge 14 ]

# Completions.
for shell in bash zsh fish; do
    tautochrone completions "$shell" >"$dir/completions.$shell"
    for name in "${names[@]}"; do
        grep -q -- "$name" "$dir/completions.$shell" || fail "$shell does not complete $name"
    done
    if has "$shell"; then "$shell" -n "$dir/completions.$shell"; fi
done
# The completions of bash for `tautochrone mo` and of `tautochrone verify --st`.
completed() {
    bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _tautochrone "$1" "${@: -1}" "${@: -2:1}"; printf "%s\n" "${COMPREPLY[@]}"' - "$dir/completions.bash" "$@"
}
[ "$(completed tautochrone mo)" = modexp ]
[ "$(completed tautochrone verify --st)" = --statement ]
is 2 tautochrone completions tcsh

# Manual pages: one for each command, that formatters take.
tautochrone man --out "$dir/man" >"$dir/out"
for name in tautochrone "${names[@]/#/tautochrone-}" tautochrone-commit-file-open tautochrone-pir-query tautochrone-keys-prove; do
    page=$dir/man/$name.1
    [ -f "$page" ] || fail "no page $name.1"
    grep -q '^.SH "EXIT STATUS"' "$page"
done
if has mandoc; then
    mandoc -T lint -W error "$dir"/man/*.1
    mandoc -T utf8 "$dir/man/tautochrone-verify.1" | col -b >"$dir/out"
    grep -q -- '--statement' "$dir/out"
fi
if has man; then
    for page in "$dir"/man/*.1; do
        MANWIDTH=100 man --warnings -l "$page" >"$dir/out" 2>"$dir/err" || fail "man does not take $page"
        [ ! -s "$dir/err" ] || fail "$page: $(head -n 3 "$dir/err")"
        col -b <"$dir/out" >"$dir/text"
        grep -q '^EXIT STATUS' "$dir/text"
    done
fi

# Exit codes, and a proof; what `prove` prints is how one checks it with this program.
cd "$dir"
is 0 tautochrone isa
# Alone it lists its programs.
code=0
tautochrone >out 2>err || code=$?
[ "$code" = 2 ] || fail "exit code $code without a program"
grep -q '^  verify ' err || fail 'it does not list its programs'
is 2 tautochrone prof
is 2 tautochrone sample --sampler facct --sigma -3
is 2 env TAUTOCHRONE_ISA=abacus tautochrone isa
is 0 tautochrone prove --preset T1-128 --columns 40 --insecure --context 'for you' --statement s --proof p
grep -o 'tautochrone verify .*' out >line
is 0 sh "$dir/line"
is 1 tautochrone verify --statement s --proof p --insecure --context 'for me'
is 2 tautochrone verify --statement p --proof s --insecure
is 0 tautochrone modexp --base 2 --exponent a --modulus 11
[ "$(head -n 1 out)" = 0000000000000004 ] || [ "$(head -n 1 out)" = 4 ] || fail "2^10 mod 17: $(cat out)"
# More than a pipe holds, so that it is certainly closed before all is written.
[ "$(wc -c <"$dir/completions.bash")" -gt 65536 ]
(tautochrone completions bash 2>err || echo $? >code) | head -c 1 >/dev/null
[ "$(cat code)" = 141 ] || fail "exit code $(cat code) when stdout is closed: $(cat err)"
[ ! -s err ] || fail "a closed stdout: $(cat err)"
echo "tautochrone $version: ${#names[@]} examples, completions, manual pages, exit codes"
