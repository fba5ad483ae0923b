#!/usr/bin/env python3
"""The table of docs/python.md: this package against numpy and, where it is installed, OpenDP.

python compare.py, on a quiet machine. Every row takes turns with the others; the least time counts.
"""

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import tautochrone as tc

SIGMA = 3.2
RNG = np.random.default_rng()


def least(calls: dict[str, Callable[[], Any]], rounds: int = 100) -> dict[str, float]:
    """Seconds of each call, in turns."""
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def samples() -> None:
    n = 1 << 16
    wide, narrow = np.zeros(n, np.int64), np.zeros(n, np.int8)
    facct, bitslice, ziggurat = tc.Facct(SIGMA), tc.Bitslice(SIGMA), tc.Ziggurat(SIGMA)
    calls: dict[str, tuple[int, Callable[[], Any]]] = {
        "`numpy`: `normal(0, sigma, n).round()`, int64": (
            n,
            lambda: RNG.normal(0, SIGMA, n).round().astype(np.int64),
        ),
        "`Bitslice`, int8": (n, lambda: bitslice.sample(out=narrow)),
        "`Bitslice`, int64": (n, lambda: bitslice.sample(out=wide)),
        "`Facct`, int64": (n, lambda: facct.sample(out=wide)),
        "`Ziggurat`, int64, not constant time": (n, lambda: ziggurat.sample(out=wide)),
    }
    if importlib.util.find_spec("opendp"):
        import opendp.prelude as dp

        dp.enable_features("contrib")
        space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
        measurement = dp.m.make_gaussian(*space, scale=SIGMA)
        zeros = [0] * 256
        calls["OpenDP, exact, not constant time"] = len(zeros), lambda: measurement(zeros)
    times = least({name: call for name, (_, call) in calls.items()})
    base = next(iter(times.values())) / n
    print("\n| samples of sigma 3.2 | times numpy's speed |\n|---|---|")
    for name, (count, _) in calls.items():
        print(f"| {name} | {base / (times[name] / count):.3g} |")


def products() -> None:
    x = tc.uniform((256, 256), bits=32, dtype=np.uint32)
    y = tc.uniform((256, 256), bits=32, dtype=np.uint32)
    narrow = tc.Bitslice(SIGMA).sample((256, 256), dtype=np.int8)
    modulus, exponent = 2**2048 - 1942289, 2**2048 - 5
    rows: list[tuple[str, dict[str, Callable[[], Any]]]] = [
        (
            "256 x 256 by 256 x 256, uint32",
            {"theirs": lambda: x @ y, "ours": lambda: tc.matmul(x, y)},
        ),
        (
            "the same by int8",
            {"theirs": lambda: x @ narrow.astype(np.uint32), "ours": lambda: tc.matmul(x, narrow)},
        ),
        (
            "2048-bit modexp",
            {
                "theirs": lambda: pow(3, exponent, modulus),
                "ours": lambda: tc.modexp(3, exponent, modulus),
            },
        ),
        (
            "16 of them",
            {
                "theirs": lambda: [pow(g, exponent, modulus) for g in range(3, 19)],
                "ours": lambda: tc.modexp_batch([(g, exponent, modulus) for g in range(3, 19)]),
            },
        ),
    ]
    print("\n| arithmetic | times the speed of numpy's `@` or Python's `pow` |\n|---|---|")
    for name, calls in rows:
        times = least(calls, 30)
        print(f"| {name} | {times['theirs'] / times['ours']:.3g} |")


samples()
products()
