#!/usr/bin/env python3
"""Faults put into the sources by hand (assurance/mutants.toml), in a copy; the tests named with each
must find it. Most are compiled together (assurance/together.py), and one at a time is on; the others
are compiled one by one, half a minute to two each. A step for releases. Exit code 0 if all are found,
1 if one survives or no longer applies or compiles, 2 for wrong usage, a wrong table, or tests that fail
without a fault."""
import argparse, contextlib, os, pathlib, re, shutil, signal, subprocess, sys, time, tomllib

import together

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = ROOT / "target/mutants"  # kept, so that a second run compiles little
TREE = BASE / "tree"
FIELDS = ["name", "file", "find", "replace", "test"]
CPU = pathlib.Path("/proc/cpuinfo").read_text()
PARSER = argparse.ArgumentParser(description=__doc__)


def table():
    """The entries, each with texts for all fields, a name of its own, and something to change."""
    mutants = tomllib.loads((ROOT / "assurance/mutants.toml").read_text()).get("mutant", [])
    for m in mutants:
        if sorted(m.keys() - {"needs"}) != sorted(FIELDS) or not all(isinstance(text, str) for text in m.values()):
            PARSER.error(f"{m}; expected texts {', '.join(FIELDS)}")
        # Golden bytes are regenerated with the code: what they alone find is not found.
        if m["find"] in ("", m["replace"]) or not m["test"].split() or "golden" in m["test"]:
            PARSER.error(f"{m['name']}: nothing to find or change, or no tests of a crate")
    if not mutants or len({m["name"] for m in mutants}) < len(mutants):
        PARSER.error("no mutants, or two of one name")
    return mutants


def apply(mutant, root):
    """The file's text with the fault, or why there is none. Overlapping occurrences count."""
    path = root / mutant["file"]
    source = path.read_text() if path.is_file() else ""
    times = len(re.findall(f"(?={re.escape(mutant['find'])})", source))
    problem = f"{mutant['file']}: the text to replace occurs {times} times; expected once"
    return source.replace(mutant["find"], mutant["replace"]), problem if times != 1 else ""


def copy():
    """A copy of the files that git tracks and that are there."""
    shutil.rmtree(TREE, ignore_errors=True)
    for name in subprocess.check_output(["git", "-C", ROOT, "ls-files", "-z"], text=True).split("\0")[:-1]:
        if (ROOT / name).is_file():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, TREE / name)


def cargo(arguments, limit=3600, more={}, until="(?!)"):
    """Exit code, or None where it took too long or printed `until`, and what was printed."""
    # A counterexample that one fault gave would be tried first with the next.
    settings = {"CARGO_TARGET_DIR": str(BASE / "target"), "CARGO_INCREMENTAL": "1",
                "CARGO_TERM_COLOR": "never", "RUST_BACKTRACE": "0", "TAUTOCHRONE_TESTS": "full",
                "PROPTEST_FAILURE_PERSISTENCE": "off"}
    # Into a file: what outlives cargo would hold a pipe open.
    with open(BASE / "log", "w+b") as log:
        child = subprocess.Popen(["cargo", *arguments], cwd=TREE, env=os.environ | settings | more,
                                 stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                 start_new_session=True)
        end, pattern = time.monotonic() + limit, re.compile(until.encode(), re.M)
        try:
            while (code := child.poll()) is None and time.monotonic() < end:
                time.sleep(0.2)
                if pattern.search((BASE / "log").read_bytes()):
                    break
        finally:  # the test program is a child of cargo, in its group
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        log.seek(0)
        return code, log.read().decode(errors="replace")


def baseline(tests):
    """How long each command may take with a fault: without, it must run some test, and pass."""
    limits = {}
    for test in tests:
        code, output = cargo(["test", "--no-run", *test.split()])
        start = time.monotonic()
        code, output = cargo(["test", *test.split()]) if code == 0 else (code, output)
        passed = sum(map(int, re.findall(r"^test result: ok\. (\d+) passed", output, re.M)))
        if code != 0 or not passed:
            PARSER.error(f"cargo test {test}; expected tests that pass without a fault\n{output}")
        print(f"baseline  {passed} tests of cargo test {test}", flush=True)
        limits[test] = max(120, 10 * (time.monotonic() - start))
    return limits


def verdict_of(test, limit, number=""):
    """What became of a fault that is compiled, and by which test."""
    failure = r"^test (.*?)(?: - should panic)? \.\.\. FAILED"
    for skip in ["--", "--skip", "verdicts_"], []:  # the longest tests last
        code, output = cargo(["test", *test, *skip], limit, {together.NUMBER: str(number)}, failure)
        if code != 0:
            break
    else:
        return "SURVIVED", ""
    failed = re.findall(failure, output, re.M)
    return "caught", failed[0] if failed else "no end" if code is None else "no result"


def trial(mutant, limit):
    """The same of one that is not."""
    mutated, problem = apply(mutant, TREE)
    if problem:
        return "INVALID", problem
    path, test = TREE / mutant["file"], mutant["test"].split()
    source = path.read_text()
    path.write_text(mutated)
    compiled, output = cargo(["test", "--no-run", *test])
    if compiled == 0:
        verdict = verdict_of(test, limit)
    else:
        verdict = "INVALID", (re.findall("^error.*", output, re.M) or ["does not compile"])[0]
    path.write_text(source)
    return verdict


PARSER.add_argument("--only", default="", metavar="TEXT", help="faults whose name contains TEXT")
PARSER.add_argument("--texts", action="store_true", help="only see whether each text occurs exactly once")
options = PARSER.parse_args()
mutants = [m for m in table() if options.only in m["name"]]
if not mutants:
    PARSER.error(f"no name in assurance/mutants.toml contains {options.only!r}")
if options.texts:
    problems = [f"{m['name']}: {problem}" for m in mutants if (problem := apply(m, ROOT)[1])]
    sys.exit("\n".join(problems) or print(f"{len(mutants)} mutants apply"))
for m in mutants[:]:
    if missing := [flag for flag in m.get("needs", "").split() if not re.search(rf"\b{flag}\b", CPU)]:
        print(f"left out  {m['name']}: this CPU has no {', '.join(missing)}")
        mutants.remove(m)
problems = {i: problem for i, m in enumerate(mutants) if (problem := apply(m, ROOT)[1])}
copy()
applying = [m for i, m in enumerate(mutants) if i not in problems]
in_one = together.build(TREE, applying, cargo)
print(f"{len(in_one)} of {len(mutants)} faults are compiled together", flush=True)
ordered = sorted(range(len(applying)), key=lambda i: (i not in in_one, applying[i]["test"]))
limits, missed = {}, len(problems)
for problem in problems.values():
    print("INVALID  ", problem)
for i in ordered:
    m = applying[i]
    if i not in in_one and in_one:
        copy()
        limits, in_one = {}, set()
    if m["test"] not in limits:
        limits |= baseline([m["test"]])
    start, limit = time.monotonic(), limits[m["test"]]
    verdict, how = verdict_of(m["test"].split(), limit, i) if i in in_one else trial(m, limit)
    missed += verdict != "caught"
    print(f"{verdict:9} {m['name']}: {how} ({time.monotonic() - start:.0f} s)", flush=True)
sys.exit(f"{missed} of {len(mutants)} mutants not caught" if missed else print(f"all {len(mutants)} caught"))
