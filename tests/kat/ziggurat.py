#!/usr/bin/env python3
"""Writes ziggurat.json: partitions and acceptance probabilities of the discrete Ziggurat, computed by GNU MPFR.

    pip install gmpy2 && python3 tests/kat/ziggurat.py > tests/kat/ziggurat.json

Given sigma, m and the area S (an f64, hence an exact number), everything else follows from the definitions:
y_m = 0, X_m = ceil(13 sigma), y_{i-1} = y_i + S / (1 + X_i), X_i = max {x : rho(x) >= y_i}, X_0 = 0,
p(i, x) = (rho(x) - y_i) / (y_{i-1} - y_i). Shares no code with the library.
"""

import json
import struct

import gmpy2
from gmpy2 import mpfr, mpz

PRECISION = 1024
# Bits of p that are written, rounded down.
BITS = 256

# (sigma, m, S as the library's search finds it: any other that covers the curve would do for these
# tests).
CASES = [
    (0.8, 8, 0x3FCCFB2B7FC5F56D),
    (2.0, 63, 0x3FA90D14A141C330),
    (10.0, 63, 0x3FCB69A829A5F393),
    (32.0, 14, 0x400ABE25BFFE2740),
    (215.0, 512, 0x3FE0F55D45EC0DD0),
    (1000.0, 63, 0x40349CB0C2064C06),
    (160000.0, 499, 0x40793EEAEF7A32C4),
    (2000000000.0, 512, 0x4152C505CA14A1C1),
    (1099511627776.0, 63, 0x421519771345FBDF),
]


def rho(sigma, x):
    t = mpfr(x) / sigma
    return gmpy2.exp(-t * t / 2)


def corner(sigma, y):
    """The largest x with rho(x) >= y, or 0."""
    if y >= 1:
        return 0
    x = int(gmpy2.floor(sigma * gmpy2.sqrt(-2 * gmpy2.log(y))))
    while rho(sigma, x + 1) >= y:
        x += 1
    while x > 0 and rho(sigma, x) < y:
        x -= 1
    return x


def case(sigma, m, bits):
    area = mpfr(struct.unpack("<d", struct.pack("<Q", bits))[0])
    s = mpfr(sigma)
    corners = [0] * (m + 1)
    y = [mpfr(0)] * (m + 1)
    corners[m] = int(gmpy2.ceil(13 * s))
    for i in range(m, 0, -1):
        if i < m:
            corners[i] = corner(s, y[i])
        y[i - 1] = y[i] + area / (1 + corners[i])
    assert y[0] >= 1
    points = []
    for i in sorted({1, 2, m // 8 + 1, m // 3 + 1, m // 2 + 1, m - 1, m}):
        left, right = corners[i - 1], corners[i]
        for x in sorted({left + 1, left + (right - left) // 2, right}):
            if left < x <= right:
                p = (rho(s, x) - y[i]) / (y[i - 1] - y[i])
                assert 0 <= p <= 1
                digits = int(mpz(gmpy2.floor(p * (mpz(1) << BITS))))
                points.append([i, x, f"{digits:064x}"])
    return {"sigma": sigma, "area": f"{bits:016x}", "corners": corners, "points": points}


def main():
    gmpy2.get_context().precision = PRECISION
    gmpy2.get_context().round = gmpy2.RoundToNearest
    source = f"{gmpy2.mpfr_version()} at {PRECISION} bits; points are i, x, floor(2^{BITS} p(i, x))"
    print("{")
    print(f'"source": {json.dumps(source)},')
    print('"generator": "tests/kat/ziggurat.py",')
    # A line for each case: short to read in a diff.
    print('"cases": [')
    print(",\n".join(json.dumps(case(*c)) for c in CASES))
    print("]\n}")


if __name__ == "__main__":
    main()
