#!/usr/bin/env python3
"""What the documents say of the repository: functions, libraries, tests, scripts, links, figures and
features that they name are there, and none is left out that they should name. Prints what is not
so; exit code 1 if anything is."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINT = "integer_division_remainder_used"
# Scripts that CI runs, and scripts that need a machine that is built by hand.
NOT_LONG = {"amx.sh", "ctgrind.sh", "hygiene.sh", "long.sh"}


def read(name):
    return (ROOT / name).read_text()


def files(*patterns):
    """Files that git does not ignore, but for the work of others."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.check_output(command, text=True).split("\0")[:-1]
    return [name for name in names if "/vendor/" not in name and (ROOT / name).is_file()]


def section(text, heading):
    """What follows a heading, up to the next one."""
    return text.split(heading, 1)[1].split("\n#", 1)[0]


def words(text):
    """With spaces in the place of line breaks."""
    return text.replace("\n", " ")


def compared(what, stated, found):
    """A line for each difference of two sets."""
    yield from (f"{what}: {name} is stated, and not there" for name in sorted(stated - found))
    yield from (f"{what}: {name} is there, and not stated" for name in sorted(found - stated))


def variable_time_functions():
    """docs/assurance.md lists exactly the functions whose names end in `_vartime`."""
    listed = set(re.findall(r"^\| `([^`]+)`", section(read("docs/assurance.md"), "\n## Variable time\n"), re.M))
    defined = {
        f"{name.split('/')[1]}::{function}"
        for name in files("crates/*.rs")
        for function in re.findall(r"^(?:(?!//|fn ).)*\bfn (\w+_vartime)[(<]", read(name), re.M)
    }
    return compared("docs/assurance.md, variable time", listed, defined)


def linted_libraries():
    """Clippy wants a reason for each division in the libraries that docs/assurance.md names."""
    row = next(row for row in read("docs/assurance.md").split("\n") if row.startswith("| ") and LINT in row)
    named = set(re.findall("`([^`]+)`", row.split(" | ")[1]))
    linted = {
        name.split("/")[-3]
        for name in files("crates/*/src/lib.rs", "kernels/src/lib.rs")
        if f"warn(clippy::{LINT}," in read(name)
    }
    return compared(f"docs/assurance.md, {LINT}", named, linted)


def dependencies():
    """Every dependency on the work of others has a reason next to it."""
    table = read("Cargo.toml").split("\n[workspace.dependencies]\n")[1].split("\n[")[0]
    for line in table.split("\n"):
        if " = " in line and not line.startswith("tautochrone") and " # " not in line:
            yield f"Cargo.toml: without a reason: {line}"


def tests_of_command_lines():
    """Each promise of the command line has a test that exists."""
    lines = section(read("docs/assurance.md"), "\n## Command lines\n").split("\n")
    rows = [line for line in lines if line.startswith("| ")][1:]
    if len(rows) <= 15:
        yield f"docs/assurance.md: {len(rows)} promises of the command line"
    for row in rows:
        tests = re.findall(r"`(\w+)::(\w+)`", row.rsplit(" | ", 1)[1])
        if not tests:
            yield f"docs/assurance.md: without a test: {row}"
        for file, name in tests:
            paths = (f"tests/cli/{file}.rs", f"tests/cli/scripts/{file}.txt")
            sources = [read(path) for path in files(*paths)]
            if not any(f"fn {name}() {{" in source or f"\n== {name}\n" in f"\n{source}" for source in sources):
                yield f"docs/assurance.md: no test {file}::{name}"


def scripts():
    """Scripts that are named are there, and assurance/long.sh has a step for all that are not for CI."""
    pages = "".join(map(read, ["SECURITY.md", "docs/assurance.md", "CONTRIBUTING.md"]))
    named, long = set(re.findall(r"assurance/([\w.-]+\.sh)\b", pages)), read("assurance/long.sh")
    if len(named) <= 10:
        yield f"few scripts are named: {named}"
    for name in sorted(named):
        if not (ROOT / "assurance" / name).is_file():
            yield f"no assurance/{name}"
        if name not in NOT_LONG and name not in long:
            yield f"assurance/long.sh leaves out {name}"


def figures():
    """The README's figures are in the table that benches/record.sh writes."""
    rows = read("README.md").split("| one thread, ", 1)[1].split("\n\n")[0].split("\n")[2:]
    cells = " ".join(row.removesuffix(" |").rsplit(" | ", 1)[1] for row in rows)
    numbers = [word for word in re.split(r"[,( ]", cells) if re.fullmatch(r"\d*\.?\d+", word)]
    if len(numbers) <= 3:
        yield f"README.md: few figures: {numbers}"
    recorded = re.split(r"[ \n]", read("benches/README.md"))
    yield from (f"README.md: {number} is not in benches/README.md" for number in numbers if number not in recorded)


def headings(page):
    """The anchors of a page's headings."""
    lines = [line.strip("#").strip().lower() for line in read(page).split("\n") if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", line).replace(" ", "-") for line in lines}


def links():
    """Every link to a place in the repository leads to a file, and to a heading where it names one."""
    pages = files("*.md")
    if len(pages) <= 40:
        yield f"{len(pages)} pages"
    for page in pages:
        for link in re.findall(r'(?:\]\(|\bsrc="|\bsrcset=")([^)"]*)[)"]', read(page)):
            if re.search(r"://|::|\s", link):
                continue
            file, _, heading = link.partition("#")
            target = (ROOT / page).parent / file if file else ROOT / page
            if not target.exists() or heading and heading not in headings(target):
                yield f"{page}: {link} leads nowhere"


def newcomers():
    """Pages say what costs a newcomer time, and install the versions that were tested."""
    for page in ["README.md", "src/README.md", "crates/zk/README.md"]:
        for said in ["`--release`", "opt-level = 3", '[profile.dev.package."*"]']:
            if said not in words(read(page)):
                yield f"{page} does not name {said}"
    if "`cargo test` takes" not in words(read("README.md")):
        yield "README.md has no command for the tests"
    lines = [(page, line) for page in files("*.md") for line in read(page).split("\n")]
    installs = [(page, line) for page, line in lines if "cargo install --path" in line]
    if not installs:
        yield "no page installs anything"
    yield from (f"{page}: without --locked: {line}" for page, line in installs if " --locked" not in line)


def features():
    """The facade forwards every feature of its crates, and its page names each."""
    manifest, page = read("Cargo.toml"), read("src/README.md")
    for name in ["bignum", "ctr", "gauss", "ice", "matmul", "zk"]:
        _, _, table = read(f"crates/{name}/Cargo.toml").partition("\n[features]\n")
        for feature in re.findall(r"^(\S+) = \[", table.split("\n[")[0], re.M):
            # The facade needs the standard library.
            if feature in ("default", "std"):
                continue
            if f'"tautochrone-{name}/{feature}"' not in manifest:
                yield f"Cargo.toml does not forward {name}'s {feature}"
            if f"`{feature}`" not in page:
                yield f"src/README.md does not name {name}'s {feature}"


def threads():
    """Programs use all threads also where cargo builds their package alone, without the features
    that other packages turn on."""
    if not re.search('^tautochrone-zk .*"rayon"', read("crates/cli/Cargo.toml"), re.M):
        yield "crates/cli/Cargo.toml: zk without rayon"


def widths():
    """Comments are wrapped at 100 columns, but for tables and what is printed as it stands."""
    for name in files("*.rs"):
        verbatim = False
        for number, line in enumerate(read(name).split("\n"), 1):
            comment = re.match(r" *//[/!]? ?(.*)", line)
            if comment and comment[1].startswith("```"):
                verbatim = not verbatim
            if comment and len(line) > 100 and not verbatim and not re.match(r"\||    |.*\\n\\$", comment[1]):
                yield f"{name}:{number}: a comment of {len(line)} columns"


CHECKS = [
    variable_time_functions, linted_libraries, dependencies, tests_of_command_lines, scripts, figures, links,
    newcomers, features, threads, widths,
]
problems = [problem for check in CHECKS for problem in check()]
print("\n".join(problems) or f"documents: {len(CHECKS)} checks, all as they say")
sys.exit(bool(problems))
