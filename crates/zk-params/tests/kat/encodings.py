#!/usr/bin/env python3
"""Known answers for the encoding of Z, from docs/format.md alone: encodings.py > encodings.txt

One line a case: sigma coefficients(,) bytes(hex). Python integers and 80 decimal digits; no code is shared with the crate."""
from decimal import Decimal, getcontext

getcontext().prec = 80
LOG2_E = Decimal(1).exp().ln() / Decimal(2).ln()


class Bits:
    """A bit string, least significant bit first within bytes."""

    def __init__(self):
        self.bits = []

    def put(self, value, count):
        self.bits += [value >> i & 1 for i in range(count)]

    def bytes(self):
        padded = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(sum(bit << i for i, bit in enumerate(padded[at : at + 8])) for at in range(0, len(padded), 8))


def first_plane(z, k):
    plane = Bits()
    for x in z:
        plane.put(abs(x) & (1 << k) - 1, k)
        plane.put(int(x < 0), 1)
    return plane.bytes()


def frequencies(sigma, k):
    count = (14 * sigma >> k) + 1
    g = (int(LOG2_E * 2**64) << 2 * k) // (8 * sigma * sigma)
    weights = []
    for s in range(count):
        exponent = (2 * s + 1) ** 2 * g
        whole, fraction = exponent >> 64, Decimal(exponent & 2**64 - 1) / 2**64
        weights.append(int(Decimal(2) ** (64 - fraction)) >> whole if whole < 64 else 0)
    share = 2**16 - count
    result = [1 + weight * share // sum(weights) for weight in weights]
    result[0] += 2**16 - sum(result)
    return result


def rans(z, sigma):
    k = max(0, sigma.bit_length() - 1 - 3)
    frequency = frequencies(sigma, k)
    before = [sum(frequency[:s]) for s in range(len(frequency))]
    states, words = [1 << 16] * 16, []
    for i in reversed(range(len(z))):
        s = abs(z[i]) >> k
        x = states[i % 16]
        if x >= frequency[s] << 16:
            words.insert(0, x & 0xFFFF)
            x >>= 16
        states[i % 16] = (x // frequency[s] << 16) + x % frequency[s] + before[s]
    out = first_plane(z, k) + b"".join(x.to_bytes(4, "little") for x in states)
    return out + b"".join(word.to_bytes(2, "little") for word in words)


def case(sigma, count):
    """Zeros, both ends of the range, small values, and a spread over three deviations."""
    fixed = [0, 1, -1, 14 * sigma, -14 * sigma, sigma, -sigma]
    width = 6 * sigma + 1
    return fixed + [(i * i * 2654435761 + 97 * i) % width - 3 * sigma for i in range(count)]


cases = [(sigma, case(sigma, count)) for sigma in [2, 5, 8, 1000, 638977, 2**27, 2**32 - 1] for count in [0, 3, 26]]
# The worked example.
cases.append((5, [3, -6, 0, 1]))
for sigma, z in cases:
    print(sigma, ",".join(map(str, z)), rans(z, sigma).hex())
