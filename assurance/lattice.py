#!/usr/bin/env python3
"""Security of presets by lattice-estimator beside that by this project: a table of docs/comparison.md.

assurance/lattice.sh runs it. Reads `estimate --list --json` on stdin, writes Markdown.
"""

import json
import multiprocessing
import sys
from math import isqrt, log2
from typing import Any

from estimator import LWE, ND, RC, SIS  # type: ignore[import-not-found]
from sage.all import RR  # type: ignore[import-not-found]


def entries(sd: float) -> Any:
    """Uniform in [-b, b] where that is the standard deviation for a whole b, else Gaussian."""
    product = 3 * sd**2  # b (b + 1)
    b = isqrt(round(product))
    return ND.Uniform(-b, b) if abs(b * (b + 1) - product) < 1e-9 * product else ND.DiscreteGaussian(sd)


def bits(attack: Any, instance: Any, **options: Any) -> str:
    return f"{float(log2(attack(instance, **options)['rop'])):.1f}"


def rated(preset: dict[str, Any]) -> str:
    """A line of the table."""
    q, r, v = 2 ** preset["w"], preset["r"], preset["v"]
    bound = RR(2) ** RR(preset["log2_4b"])
    n, distribution = preset["hiding_dimension"], entries(preset["hiding_sd"])
    sis = SIS.Parameters(n=r, q=q, m=v, length_bound=bound, norm=2)
    lwe = LWE.Parameters(n=n, q=q, Xs=distribution, Xe=distribution, m=r)
    cells = [preset["name"], f"{r} x {v}, {preset['w']}, {preset['log2_4b']:.1f}"]
    cells.append(f"{n}, {r}, {preset['hiding_sd']:.3g}")
    cells.append(f"{preset['sis_classical']:.1f} / {preset['hiding_classical']:.1f}")
    for model in RC.ADPS16, RC.MATZOV:
        cells.append(bits(SIS.lattice, sis, red_cost_model=model))
        for attack in LWE.primal_usvp, LWE.primal_bdd:
            cells.append(bits(attack, lwe, red_cost_model=model, red_shape_model="gsa"))
        cells.append(bits(LWE.dual_hybrid, lwe, red_cost_model=model))
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    presets = [preset for preset in json.load(sys.stdin)["presets"] if preset["secure"]]
    with multiprocessing.Pool() as pool:
        for line in pool.imap(rated, presets):
            print(line, flush=True)


if __name__ == "__main__":
    main()
