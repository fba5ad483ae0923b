"""Faults of assurance/mutants.toml in one tree, each behind a number in the environment, so that
all are compiled once. A fault is put in as `if fault(number) { new } else { old }`: around
statements, the value of a `let`, or the least expression that contains the change and compiles."""
import collections, json, re

OPEN, CLOSE = "([{", ")]}"
NUMBER = "TAUTOCHRONE_FAULT"
MARK = "THIS_FAULT"
SWITCH = f"""
/// Whether this fault is on.
pub(crate) fn fault(number: u32) -> bool {{
    extern crate std;
    static ON: std::sync::OnceLock<Option<u32>> = std::sync::OnceLock::new();
    *ON.get_or_init(|| std::env::var("{NUMBER}").ok()?.parse().ok()) == Some(number)
}}
"""
# What no expression contains, or no branch may hold alone.
ITEM = re.compile(r"///|#\[|\b(fn|impl|const|static|use|let)\b")
ITEM_START = re.compile(r"\}|#\[|(pub|const|static|use|impl|fn|mod)\b")
KEYWORD = re.compile(r"\s*(if|while|return|match|&&|\|\||\.\.)?\s*(?!let\b)")


def balanced(text):
    open_ = []
    for c in text:
        if c in OPEN:
            open_.append(c)
        elif c in CLOSE and (not open_ or OPEN.index(open_.pop()) != CLOSE.index(c)):
            return False
    return not open_


def depth_0(text):
    """The text outside all brackets."""
    depth, out = 0, ""
    for c in text:
        depth += (c in OPEN) - (c in CLOSE)
        out += c if depth == 0 else ""
    return out


def start(source, at):
    """Where the expression around `at` may begin: behind a bracket, a comma, `;`, `=` or `=>`."""
    depth = 0
    while at > 0:
        c, before = source[at - 1], source[max(at - 2, 0)]
        if c in CLOSE:
            depth += 1
        elif c in OPEN and depth == 0:
            return at
        elif c in OPEN:
            depth -= 1
        elif depth == 0 and (c in ",;" or before + c == "=>"):
            return at
        elif depth == 0 and c == "=" and before not in "=!<>+-*/|&^%" and source[at] not in "=>":
            return at
        at -= 1
    return at


def end(source, at):
    """Where it may end."""
    depth = 0
    while at < len(source):
        c = source[at]
        if depth == 0 and (c in ",;{" or c in CLOSE):
            return at
        depth += (c in OPEN) - (c in CLOSE)
        at += 1
    return at


def edits(source, mutant):
    """Ways to write the fault, as (begin, end, text with a mark for the number)."""
    find, replace = mutant["find"], mutant["replace"]
    at = source.index(find)
    behind = at + len(find)
    old, new = find.strip(), replace.strip()
    statements = all(balanced(text) and text[-1:] in ("", ";", "}") for text in (old, new))
    if statements and not ITEM_START.match(old) and "fn " not in old:
        if not re.search(r"\blet ", depth_0(old)):
            yield at, behind, "\n" + branch(new, find) + "\n"
        values = [re.fullmatch(r"(let [^=;]*?= )(.*);", text, re.S) for text in (old, new)]
        if all(values) and values[0][1] == values[1][1]:
            yield at, behind, values[0][1] + branch(values[1][2], values[0][2]) + ";"
    least = min(len(find), len(replace))
    same = next((i for i in range(least) if find[i] != replace[i]), least)
    rest = least - same
    tail = next((i for i in range(rest) if find[-1 - i] != replace[-1 - i]), rest)
    first, last = at + same, behind - tail
    changed = replace[same : len(replace) - tail]
    left, right = first, last
    for _ in range(4):
        left, right = start(source, left), end(source, right)
        old = source[left:right]
        new = source[left:first] + changed + source[last:right]
        lead = KEYWORD.match(old)[0]
        inside = old.strip() and len(old) < 1500 and left > 0 and right < len(source)
        fits = balanced(old) and balanced(new) and new.startswith(lead)
        if inside and fits and not ITEM.search(old):
            choice = branch(new[len(lead) :], old[len(lead) :])
            yield left, right, f"{lead}({choice}) "
        around = source[left - 1 : left], source[right : right + 1]
        if around not in list(zip(OPEN, CLOSE)):
            return
        left, right = left - 1, right + 1
        while left > 0 and re.match(r"[\w.:!&*]", source[left - 1]):
            left -= 1


def branch(new, old):
    return f"if crate::fault({MARK}) {{ {new} }} else {{ {old} }}"


def write(tree, sources, chosen, mutants):
    """The tree with the faults as they are chosen; the lines of each, by file."""
    lines = collections.defaultdict(list)
    for file, source in sources.items():
        here = sorted((*chosen[i][0], i) for i in chosen if mutants[i]["file"] == file)
        text, done = "", 0
        for begin, behind, edit, i in here:
            if begin < done:
                del chosen[i]  # within another
                continue
            text += source[done:begin]
            first = text.count("\n") + 1
            text += edit.replace(MARK, str(i))
            lines[file].append((first, text.count("\n") + 1, i))
            done = behind
        (tree / file).write_text(text + source[done:])
    return lines


def build(tree, mutants, cargo):
    """Writes faults into the tree until it compiles: the numbers of those that are in it."""
    sources = {m["file"]: (tree / m["file"]).read_text() for m in mutants}
    chosen = {i: list(edits(sources[m["file"]], m)) for i, m in enumerate(mutants)}
    chosen = {i: ways for i, ways in chosen.items() if ways}
    folders = sorted({file.split("/src/")[0] for file in sources if "/src/" in file})
    for folder in folders:
        lib = tree / folder / "src/lib.rs"
        lib.write_text(lib.read_text() + SWITCH)
        for file in sources.keys() & {f"{folder}/src/lib.rs"}:
            sources[file] = lib.read_text()
    manifests = [(tree / folder / "Cargo.toml").read_text() for folder in folders]
    packages = ["-p" + re.search(r'^name = "(.*)"', text, re.M)[1] for text in manifests]
    while sources:
        lines = write(tree, sources, chosen, mutants)
        code, output = cargo(["check", "--quiet", "--tests", "--message-format", "json", *packages])
        if code == 0:
            break
        found = set()
        for message in map(json.loads, re.findall(r'^\{.*"compiler-message".*\}$', output, re.M)):
            if message["message"]["level"] == "error":
                for span in message["message"]["spans"]:
                    found.add(nearest(lines[span["file_name"]], span))
        found -= {None}
        if not found:
            raise SystemExit(f"faults together do not compile\n{output}")
        for i in found & chosen.keys():
            chosen[i].pop(0)
            if not chosen[i]:
                del chosen[i]
    return set(chosen)


def nearest(lines, span):
    """The fault on the lines of an error, or else the nearest one in the file."""
    def distance(fault):
        first, last, _ = fault
        return max(first - span["line_end"], span["line_start"] - last, 0)
    return min(lines, key=distance)[2] if lines else None
