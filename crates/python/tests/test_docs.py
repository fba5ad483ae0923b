"""Runs docs/python.md and docs/tour.ipynb, each as one session from top to bottom."""

import doctest
from typing import Any

import matplotlib.pyplot as plt
import nbformat
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


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs")
    plt.switch_backend("agg")
    notebook = nbformat.read("tour.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    session: dict[str, Any] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, cell.id, "exec"), session)
            outputs = [output.output_type for output in cell.outputs]
            # The text that readers see was run, too, without an error.
            assert cell.execution_count and "error" not in outputs
    assert len(plt.get_fignums()) == 4
    plt.close("all")
