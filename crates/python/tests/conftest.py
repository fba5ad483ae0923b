"""What the tests share."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

# ci.sh copies the tests away from the sources.
ROOT = Path(os.environ.get("TAUTOCHRONE_ROOT", Path(__file__).resolve().parents[2].parent))
SEED = bytes(range(32))


class Examples:
    """The programs of the repository, which are Rust all the way."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def run(self, name: str, *args: object, code: int = 0) -> dict[str, Any]:
        command = [str(self.directory / name), *map(str, args), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}
        return answer


@pytest.fixture(scope="session")
def examples() -> Examples:
    """ci.sh sets the variable; by hand, `cargo build --release --examples` makes the programs."""
    directory = Path(os.environ.get("TAUTOCHRONE_EXAMPLES", ROOT / "target/release/examples"))
    if not (directory / "prove").exists():
        pytest.skip(f"no examples in {directory}: cargo build --release --examples")
    return Examples(directory)
