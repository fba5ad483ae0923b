"""Runs docs/python.md, as one session from top to bottom."""

import doctest

import pytest
from conftest import ROOT


def test_the_page_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    # As a reader in a checkout.
    monkeypatch.chdir(ROOT)
    # Everything else becomes blank, so that failures name lines of the page.
    page, inside = [], False
    for line in (ROOT / "docs/python.md").read_text().split("\n"):
        inside = line == "```python" or inside and line != "```"
        page.append(line if inside and line != "```python" else "")
    name = "docs/python.md"
    test = doctest.DocTestParser().get_doctest("\n".join(page), {}, name, name, 0)
    assert len(test.examples) > 30
    report: list[str] = []
    flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
    failed, _ = doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    assert not failed, "".join(report)
