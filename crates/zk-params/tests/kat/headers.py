"""The first 256 bytes of a statement with narrow masks and of one with mixed masks, of the seed of 32 ones, from
docs/format.md alone. python3 headers.py > headers.txt"""
from math import ceil, floor, log, pi, sqrt

from narrow import root_up

N, MICROS, LP = 130, 8850000, 10

def kappa(v):
    g = lambda k: (log(N) + v * log(k)) + v * (1 - k * k) / 2
    low, high = 1.0, 2.0
    while g(high) > -64 * log(2):
        high *= 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if g(middle) <= -64 * log(2) else (middle, high)
    return high

def header(masks, w, r, l, groups, squared):
    v, gaussian = sum(rows for rows, *_ in groups), groups[-1][0]
    sigma_0, count = MICROS / 1e6, N << LP
    s2 = min(count, count / 2 + sqrt((count * (128 * log(2) + log(l))) / 2))
    eta2 = (log((16 * gaussian) * l) + 100 * log(2)) / ((2 * pi) * pi)
    lam = lambda sigma: 1 / (1 / (sigma_0 * sigma_0) + s2 / (sigma * sigma))
    sigma = next(s for s in range(2, 1 << 20) if lam(s) >= 1.1 * (4 * eta2))
    c = min(l, -(-l // 2) + 5 * root_up(l))
    sz = root_up(sigma ** 2 + -(-c * MICROS ** 2 // 10 ** 12))
    d, dt = sigma.bit_length() + 1, ((216 * sz * sz // (25 * l)).bit_length() - 1) // 2
    f2 = 1 + (4 ** d / 12 + (2 * c * 4 ** dt if dt else 0) / 24) / (sz * sz)
    k2 = 529 / 400 if gaussian >= 2400 else kappa(gaussian) * kappa(gaussian)
    b2 = floor((k2 * (float(sz) * sz)) * ((gaussian - r) + r * f2))
    le = lambda x, size: x.to_bytes(size, "little")
    words = b"".join(le(x, 4) for x in (128, w, r, v, N, d, dt, 1))
    start = b"TCZKstmt" + le(2, 2) + bytes([1, 1, 0, len(groups), masks, LP])
    rows = b"".join(le(a, 4) + le(b, 4) + le(kind, 8) + le(x, 8) for a, b, kind, x in groups)
    whole = start + words + le(l, 8) + le(sigma, 8) + le(b2, 16) + le(squared, 16)
    print((whole + bytes([1] * 32 + [0] * 32) + rows).ljust(256, b"\0").hex())

v, l, s = 1576, 4096, MICROS / 1e6
squared = ceil((v * l) * (s * s) + 8 * sqrt((v * l) * ((((2 * s) * s) * s) * s)))
header(1, 20, 776, l, [(v, 127, 2, MICROS)], squared)
l = 4124
header(2, 28, 960, l, [(1024, 1, 1, 0), (162, 2, 1, 0), (2112, 127, 2, MICROS)], l * (1024 + 4 * 162))
