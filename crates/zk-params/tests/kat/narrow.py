"""What follows from headers with narrow masks, from docs/format.md alone: exact fractions where it has integers, and
sums over m and zeta in place of any formula for the best of them. python3 narrow.py > narrow.txt"""
from math import ceil, e, floor, isqrt, log, log2, pi, sqrt

ROWS = [  # l, n, Lp, micros, sigma, w, r, k, d, dT
    (1024, 130, 10, 8780000, 1332, 20, 768, 800, 12, 6),
    (4096, 130, 10, 8850000, 1343, 20, 776, 800, 12, 6),
    (65536, 130, 10, 7040000, 1535, 20, 816, 800, 12, 4),
    (4096, 130, 0, 4800000, 130, 17, 672, 664, 9, 3),
    (1 << 18, 130, 10, 6050000, 1820, 21, 816, 840, 12, 4),
    (4096, 142, 20, 8880000, 44200, 25, 1016, 1032, 17, 10),
    (256, 130, 6, 8880000, 400, 19, 700, 760, 10, 6),
    (1, 1, 0, 2000000, 100, 17, 8, 8, 8, 0),
    (1000, 1024, 3, 5000000, 3000, 24, 900, 700, 13, 0),
    (10**6, 130, 1, 4600000, 1800, 22, 800, 900, 12, 1),
    (64, 130, 2, 8000000, 400, 25, 8, 200000, 10, 4),
    (64, 130, 2, 8000000, 4000, 60, 900, 500, 13, 6),
]
BETAS = range(50, 4001)
DELTA = {b: (log2(pi * b) / b + log2(b / (2 * pi * e))) / (2 * (b - 1)) for b in BETAS}

def root_up(x):
    return isqrt(x) + (isqrt(x) ** 2 < x)

def least_beta(works):
    low, high = 50, 4000
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if works(middle) else (middle + 1, high)
    return low

def binding(r, w, v, log4b):
    """Any number of columns."""
    return .292 * least_beta(lambda b: any(d * DELTA[b] + r * w / d <= log4b for d in range(r, v + 1)))

def primal(k, r, w, sd):
    def works(b):
        left = log2(b) / 2 + log2(sd)
        return any(left <= (2 * b - d - 1) * DELTA[b] + (d - k - 1) * w / d for d in range(k + 2, k + r + 2))
    return .292 * least_beta(works)

def dual(k, r, w, sd, sieve=.292):
    guess, best = log2(sd * sqrt(2 * pi * e)), 4000 * sieve
    for zeta in range(min(k, 512)):
        if zeta * guess >= best:
            break
        for b in BETAS:
            if sieve * b >= best:
                break
            # d DELTA + (k - zeta) w / d is convex in d, least at the root of (k - zeta) w / DELTA.
            d = min(max(sqrt((k - zeta) * w / DELTA[b]), k - zeta), k - zeta + r)
            length = min(x * DELTA[b] + (k - zeta) * w / x for x in (floor(d), ceil(d), d)) + log2(4 / 3) / 2
            exponent = 2 * (length - w)
            if exponent > 20:
                continue
            n = 4 * pi ** 2 * sd ** 2 * 2 ** exponent / log(2) + log2(1 + 2 * zeta * guess * log(2))
            rest = max(0, n - .2075 * b)
            if max(sieve * b + rest, n, zeta * guess) < 1000:
                best = min(best, log2(2 ** (sieve * b + rest) + 2 ** n + 2 ** (zeta * guess)))
    return best

def main():
    for l, n, lp, micros, sigma, w, r, k, d, dt in ROWS:
        v, count = k + r, n << lp
        s2 = min(count, count / 2 + sqrt(count * (128 + log2(l)) * log(2) / 2))
        eta2 = (log(16 * v * l) + 100 * log(2)) / (2 * pi * pi)
        lam = 1 / ((1e6 / micros) ** 2 + s2 / sigma ** 2)
        omega = sqrt(lam / 2 * (1 + sqrt(max(0, 1 - 4 * eta2 / lam))))
        c = min(l, -(-l // 2) + 5 * root_up(l))
        sz = root_up(sigma ** 2 + -(-c * micros ** 2 // 10 ** 12))
        f2 = 1 + (4 ** d / 12 + (c * 4 ** dt / 12 if dt else 0)) / sz ** 2
        low, high = (1.0, 50.0) if v < 2400 else (1.15, 1.15)
        for _ in range(200):
            m = (low + high) / 2
            if log(n) + v * log(m) + v * (1 - m * m) / 2 <= -64 * log(2):
                high = m
            else:
                low = m
        log4b = 2 + log2(floor(high * high * sz * sz * (k + r * f2))) / 2
        print(l, n, lp, micros, sigma, w, r, k, d, dt, "%.12g %.12g %.12g %.12g %d %.9f %.9g %.9g %.9g %.9g" % (
            s2, eta2, lam, omega, sz, log4b, binding(r, w, v, log4b), primal(k, r, w, omega), dual(k, r, w, omega),
            dual(k, r, w, omega, .265)))

if __name__ == "__main__":
    main()
