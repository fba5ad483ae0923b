#!/usr/bin/env python3
"""Counts lines of Rust, for records: benches/lines.py [--sentence] [COMMIT]

A table in Markdown, a row for each crate or folder: files, all lines, and of these code, comments
and tests; or a sentence about the seven libraries. Tests are folders and files of that name,
modules under `#[cfg(test)]` with all below them, and folders that are no part of a library: benches,
examples, fuzzers, assurance. Empty lines are part of the total alone. Without COMMIT it counts the
files that git tracks, as they are in its index.
"""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import PurePosixPath

LIBRARIES = ("bignum", "ctr", "gauss", "ice", "kernels", "matmul", "zk", "zk-field", "zk-params")
OUTSIDE = ("assurance", "benches", "examples", "fuzz", "tests")
COMMIT = next((word for word in sys.argv[1:] if not word.startswith("-")), "")


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def read_all():
    names = git("ls-tree", "-r", "--name-only", COMMIT) if COMMIT else git("ls-files")
    names = [name for name in names.splitlines() if name.endswith(".rs")]
    return {name: git("show", f"{COMMIT}:{name}").splitlines() for name in names}


def test_modules(files):
    """The paths, without .rs, of modules that are compiled for tests alone."""
    found = set()
    for name, lines in files.items():
        path = PurePosixPath(name)
        folder = path.parent if path.stem in ("lib", "main", "mod") else path.with_suffix("")
        for at, line in enumerate(lines):
            module = re.match(r"\s*(?:pub(?:\(\w+\))? )?mod (\w+);", line)
            attributes = "".join(lines[max(at - 3, 0) : at]).rpartition(";")[2]
            if module and "cfg(test)" in attributes:
                found.add(str(folder / module[1]))
    return found


def count(lines, is_test):
    """All lines, code, comments, tests."""
    code = comments = tests = 0
    for at, line in enumerate(lines):
        text = line.strip()
        if text.startswith("#[cfg(test)]") and re.match(r"(pub\S* )?mod \w+ \{", lines[at + 1]):
            is_test = True
        if text.startswith("//"):
            comments += 1
        elif text and is_test:
            tests += 1
        elif text:
            code += 1
    return [len(lines), code, comments, tests]


def main():
    files = read_all()
    below = test_modules(files)
    rows = defaultdict(lambda: [0] * 5)
    for name, lines in files.items():
        path = PurePosixPath(name)
        own = [str(path.with_suffix("")), *map(str, path.parents)]
        folders = path.parts[:-1]
        is_test = any(part in below for part in own) or folders[:1] and folders[0] in OUTSIDE
        is_test = is_test or any(part in ("tests", "benches", "examples") for part in folders)
        row = folders[1] if folders[0] == "crates" else folders[0]
        counts = [1, *count(lines, bool(is_test or path.stem == "tests"))]
        rows[row] = [old + new for old, new in zip(rows[row], counts)]
    total = [sum(column) for column in zip(*rows.values())]
    libraries = [sum(column) for column in zip(*(rows[name] for name in LIBRARIES if name in rows))]
    if "--sentence" in sys.argv:
        print(f"The seven libraries have {libraries[2]} lines of code and {libraries[1]} with", end="")
        print(f" comments and tests; all of Rust has {total[1]} lines.")
        return
    print("| | files | lines | code | comments | tests |\n|---|---|---|---|---|---|")
    for name, counts in [*sorted(rows.items()), ("the seven libraries", libraries), ("all", total)]:
        print(f"| {name} |", " | ".join(f"{number:,}".replace(",", " ") for number in counts), "|")


main()
