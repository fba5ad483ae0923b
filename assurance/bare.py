"""The commands of a page, as a script for a machine that has nothing: bare.py [--forget] < page

--forget leaves out the first block, which installs packages: the other blocks must fail.

Blocks `sh setup` are typed as they stand, one after another in one shell; each line of a block `sh`
by itself, with the exit code that a comment names. A block of another language goes into the file
that the paragraph before it names with its path (`../keys/src/main.rs`, `check.c`), if it does.
"""

import re
import shlex
import sys

PRELUDE = r"""log=$(mktemp)
typed() { printf '\n$ %s\n' "$1"; }
# The output of a command, without the lines of commands that install and compile.
said() {
    grep -vE '^ *(Compiling|Checking|Downloaded|Downloading|Adding|Locking|Updating|Installing|info:|Get:|Setting up|Selecting|Preparing|Unpacking|Processing)' "$log" |
        tail -n "$1" | cut -c1-200
}
ended() {
    echo "[exit code $1 after $((SECONDS - start)) s]"
    if [ "$1" != "$2" ]; then
        tail -n 30 "$log"
        echo "FAILED: exit code $1, not $2"
        exit 1
    fi
}
"""


def blocks(page):
    """Each fenced block: its language, its lines, and the paragraph before it."""
    paragraph, ended, block, fence = "", False, None, ""
    for line in page.split("\n"):
        if block is None and line.startswith("```"):
            fence, block = line[3:], []
        elif block is not None and line == "```":
            yield fence, block, paragraph
            block, ended = None, True
        elif block is not None:
            block.append(line)
        elif line:
            paragraph, ended = ("" if ended else paragraph) + line + "\n", False
        else:
            ended = True


def main():
    out = [PRELUDE]
    forget = sys.argv[1:] == ["--forget"]
    for fence, lines, paragraph in blocks(sys.stdin.read()):
        if forget and fence == "sh setup":
            forget = False
            continue
        if fence == "sh setup":
            for line in lines:
                out.append(f"typed {shlex.quote(line)}; start=$SECONDS")
                # In this shell, which keeps what it exports and activates.
                out.append(f"{{ {line.split(' #')[0]}\n}} >\"$log\" 2>&1; code=$?; said 6; ended $code 0")
        elif fence == "sh":
            for line in filter(None, lines):
                command, _, code = line.partition(" # exit ")
                out.append(f"typed {shlex.quote(line)}; start=$SECONDS")
                out.append(f"( {command}\n) >\"$log\" 2>&1; code=$?; said 12; ended $code {code or 0}")
        elif named := re.search(r"`((?:\.\./)*[\w/]+\.(?:rs|c|py|mjs))`", paragraph):
            name = named.group(1)
            out.append(f"printf '\\n[into %s: the block of the page, {len(lines)} lines]\\n' {name}")
            out.append(f"cat >{name} <<'END OF THE BLOCK'")
            out.extend(lines)
            out.append("END OF THE BLOCK")
    print("\n".join(out))


main()
