"""What follows from headers with mixed masks, from docs/format.md alone: binding by any numbers of columns of both
parts, and any scale. python3 mixed.py > mixed.txt"""
from math import ceil, log, log2, pi, sqrt, floor

from narrow import DELTA, dual, least_beta, primal, root_up

ROWS = [  # l, Lp, micros, rows of messages, F^2, w, r, k, bits rounded off T beyond the default
    (4124, 10, 8850000, 1186, 6895328, 28, 960, 1152, 0),
    (4096, 10, 8850000, 163, 2658304, 27, 640, 1032, 0),
    (1051, 0, 5380000, 1186, 1757272, 27, 896, 1104, 0),
    (300, 4, 8000000, 40, 48000, 26, 500, 900, 0),
    (20000, 10, 7800000, 3000, 240000000, 32, 1100, 1300, 0),
    (20000, 10, 7800000, 3000, 240000000, 32, 1100, 1300, 2),
]
N = 130

def bisect(low, high, reached):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high

def kappa_squared(v):
    return 1.3225 if v >= 2400 else small(v)

def small(v):
    return bisect(1, 50, lambda m: log(N) + v * log(m) + v * (1 - m * m) / 2 <= -64 * log(2)) ** 2

def binding(r, w, parts):
    """The least beta for the best scale of the first part, with steps of both numbers of columns."""
    (messages, norm), (others, other) = parts
    steps = [[*range(0, count, max(1, count // 60)), count] for count in (messages, others)]
    best = 50
    for step in range(-60, 61):
        g = (other - log2(others) / 2) - (norm - log2(messages) / 2) + step / 12
        target = log2(2 ** (2 * (g + norm)) + 2 ** (2 * other)) / 2
        if target < w + min(g, 0):
            def works(b):
                return any((x + y) * DELTA[b] + (r * w + x * g) / (x + y) <= target
                           for x in steps[0] for y in steps[1] if x + y >= r)
            if not works(best):
                best = max(best, least_beta(works))
    return .292 * best

for l, lp, micros, messages, squared, w, r, k, more in ROWS:
    v, count = k + r, N << lp
    s2 = min(count, count / 2 + sqrt(count * (128 + log2(l)) * log(2) / 2))
    eta2 = (log(16 * v * l) + 100 * log(2)) / (2 * pi * pi)
    sigma = next(s for s in range(2, 1 << 20) if 1 / ((1e6 / micros) ** 2 + s2 / s ** 2) >= 4.4 * eta2)
    lam = 1 / ((1e6 / micros) ** 2 + s2 / sigma ** 2)
    omega = sqrt(lam / 2 * (1 + sqrt(1 - 4 * eta2 / lam)))
    tau = sqrt(2 * 129 * log(2))
    alpha = (tau + sqrt(tau * tau + 2 * log(2))) / (2 * log(2))
    x = bisect(N, 50 * N, lambda x: N / 2 * (x / N - 1 - log(x / N)) >= 128 * log(2))
    sigma_m = ceil(alpha * sqrt(x / 2 * squared))
    c = min(l, -(-l // 2) + 5 * root_up(l))
    sz = root_up(sigma ** 2 + -(-c * micros ** 2 // 10 ** 12))
    d, dt = floor(log2(sigma)) + 2, max(0, floor(log2(.6 * sz * sqrt(24 / l)))) + more
    f2 = 1 + (4 ** d / 12 + (c * 4 ** dt / 12 if dt else 0)) / sz ** 2
    norm = 2 + log2(floor(kappa_squared(messages) * sigma_m ** 2 * messages)) / 2
    other = 2 + log2(floor((small(r) if more else kappa_squared(v)) * sz * sz * (k + r * f2))) / 2
    print(l, lp, micros, messages, squared, w, r, k, more, sigma, sigma_m, "%.9f %.9f %.3f %.3f" % (
        norm, other, binding(r, w, [(messages, norm), (v, other)]), min(primal(k, r, w, omega), dual(k, r, w, omega))))
