#!/usr/bin/env python3
"""Poseidon2 (Grassi, Khovratovich, Schofnegger, AFRICACRYPT 2023) over p = 2^61 - 1, written from
the paper: the round numbers, the internal matrix, the round constants, and known answers for
`poseidon2.rs`.

    python3 poseidon2.py

prints what the Rust code has as constants and what its test compares with.
"""

from math import ceil, comb, floor, gcd, inf, log, log2

P = 2**61 - 1
WIDTH = 12
SECURITY = 128
FIELD_BITS = 61


def smallest_power():
    """The least d > 1 for which x^d is a permutation of F."""
    return next(d for d in range(2, 100) if gcd(d, P - 1) == 1)


ALPHA = smallest_power()


def secure(full, partial):
    """The conditions of the designers' script: statistical, interpolation and Groebner-basis
    attacks (Poseidon, section 5.5; eprint 2023/537)."""
    t, alpha, m = WIDTH, ALPHA, SECURITY
    statistical = 6 if m <= floor(log2(P) - (alpha - 1) / 2) * (t + 1) else 10
    bits = log(2, alpha)
    needed = max(
        statistical,
        1 + ceil(bits * min(m, FIELD_BITS)) + ceil(log(t, alpha)) - partial,
        ceil(bits * min(m, log2(P)) - partial),
        ceil(t - 1 + bits * min(m / (t + 1), log2(P) / 2) - partial),
        ceil((t - 2 + m / (2 * log2(alpha)) - partial) / (t - 1)),
    )
    third = t // 3
    under = third * full // 2 + partial + alpha
    over = (full - 1) * t + partial + third + under
    return full >= needed and 2 * log2(comb(over, under)) >= m


def round_numbers():
    """The numbers of rounds with the fewest S-boxes, then the designers' margin: two full rounds
    and 7.5 percent of the partial ones."""
    best, cost = None, inf
    for partial in range(1, 100):
        for full in range(4, 100, 2):
            padded = full + 2, ceil(partial * 1.075)
            if secure(full, partial):
                boxes = WIDTH * padded[0] + padded[1]
                if boxes < cost or (boxes == cost and padded[0] < best[0]):
                    best, cost = padded, boxes
    return best


FULL, PARTIAL = round_numbers()


def grain():
    """The bits of the Grain LFSR in self-shrinking mode (Poseidon, appendix E)."""
    state = []
    for value, width in ((1, 2), (0, 4), (FIELD_BITS, 12), (WIDTH, 12), (FULL, 10), (PARTIAL, 10)):
        state += [value >> i & 1 for i in reversed(range(width))]
    state += [1] * 30
    assert len(state) == 80

    def step():
        bit = state[62] ^ state[51] ^ state[38] ^ state[23] ^ state[13] ^ state[0]
        state.pop(0)
        state.append(bit)
        return bit

    for _ in range(160):
        step()
    while True:
        if step():
            yield step()
        else:
            step()


def constants():
    """Numbers of 61 bits from Grain, those below p: for a full round one each element, for a
    partial one the first."""
    bits = grain()

    def element():
        while True:
            value = 0
            for _ in range(FIELD_BITS):
                value = 2 * value + next(bits)
            if value < P:
                return value

    half = FULL // 2
    rounds = []
    for index in range(FULL + PARTIAL):
        full = index < half or index >= half + PARTIAL
        rounds.append([element() for _ in range(WIDTH if full else 1)])
    return rounds


def multiply(a, b):
    return [
        [sum(a[i][k] * b[k][j] for k in range(len(b))) % P for j in range(len(b[0]))]
        for i in range(len(a))
    ]


def minimal_polynomial(matrix):
    """Of a matrix, if it has degree 12 for the first unit vector: by its powers. None otherwise."""
    n = len(matrix)
    vectors = [[[1]] + [[0]] * (n - 1)]
    for _ in range(n):
        vectors.append(multiply(matrix, vectors[-1]))
    rows = [[vectors[k][i][0] for k in range(n + 1)] for i in range(n)]
    for column in range(n):
        pivot = next((i for i in range(column, n) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        inverse = pow(rows[column][column], -1, P)
        rows[column] = [x * inverse % P for x in rows[column]]
        for i in range(n):
            if i != column and rows[i][column]:
                factor = rows[i][column]
                rows[i] = [(x - factor * y) % P for x, y in zip(rows[i], rows[column])]
    return [-rows[i][n] % P for i in range(n)] + [1]


def reduce(a, f):
    a = a[:]
    while len(a) >= len(f):
        top = a.pop() * pow(f[-1], -1, P) % P
        for i in range(len(f) - 1):
            a[len(a) - len(f) + 1 + i] = (a[len(a) - len(f) + 1 + i] - top * f[i]) % P
    while a and a[-1] == 0:
        a.pop()
    return a


def times(a, b, f):
    product = [0] * max(len(a) + len(b) - 1, 0)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] = (product[i + j] + x * y) % P
    return reduce(product, f)


def frobenius(a, f):
    result, power, exponent = [1], a, P
    while exponent:
        if exponent & 1:
            result = times(result, power, f)
        power = times(power, power, f)
        exponent >>= 1
    return result


def is_irreducible(f):
    """Rabin's test: x^(p^12) = x modulo f, and x^(p^6) - x and x^(p^4) - x are prime to it."""
    x, power = [0, 1], [0, 1]
    for degree in range(1, 13):
        power = frobenius(power, f)
        if degree in (4, 6):
            a = f
            b = [(c - d) % P for c, d in zip(power + [0] * 2, x + [0] * len(power))]
            b = reduce(b, f)
            while b:
                a, b = b, reduce(a, b)
            if len(a) != 1:
                return False
    return power == x


def internal_matrix(diagonal):
    return [
        [(1 + diagonal[i] * (i == j)) % P for j in range(WIDTH)] for i in range(WIDTH)
    ]


def internal_diagonal():
    """The least k for which 1 + k diag(1, .., 12) and its first 24 powers have irreducible minimal
    polynomials of degree 12, so that no subspace is invariant (Poseidon2, section 5.3)."""
    k = 1
    while True:
        diagonal = [k * (i + 1) for i in range(WIDTH)]
        matrix = power = internal_matrix(diagonal)
        for _ in range(2 * WIDTH):
            f = minimal_polynomial(power)
            if f is None or not is_irreducible(f):
                break
            power = multiply(power, matrix)
        else:
            return diagonal
        k += 1


M4 = [[5, 7, 1, 3], [4, 6, 1, 1], [1, 3, 5, 7], [1, 1, 4, 6]]


def external_matrix():
    """circ(2 M4, M4, M4)."""
    return [
        [M4[i % 4][j % 4] * (2 if i // 4 == j // 4 else 1) for j in range(WIDTH)]
        for i in range(WIDTH)
    ]


DIAGONAL = internal_diagonal()
CONSTANTS = constants()


def permute(state):
    outside, inside = external_matrix(), internal_matrix(DIAGONAL)

    def apply(matrix, state):
        return [x[0] for x in multiply(matrix, [[x] for x in state])]

    state = apply(outside, state)
    half = FULL // 2
    for index, row in enumerate(CONSTANTS):
        full = index < half or index >= half + PARTIAL
        for i, constant in enumerate(row):
            state[i] = pow((state[i] + constant) % P, ALPHA, P)
        state = apply(outside if full else inside, state)
    return state


RATE = 7


def digest(message):
    """Seven bytes an element, seven elements a block; the length stands in the capacity."""
    state = [0] * RATE + [len(message)] + [0] * (WIDTH - RATE - 1)
    for start in range(0, max(len(message), 1), 7 * RATE):
        block = message[start:start + 7 * RATE]
        for i in range(RATE):
            state[i] = (state[i] + int.from_bytes(block[7 * i:7 * i + 7], "little")) % P
        state = permute(state)
    return b"".join(x.to_bytes(8, "little") for x in state[:5])


if __name__ == "__main__":
    print("power", ALPHA, "full", FULL, "partial", PARTIAL, "diagonal", DIAGONAL)
    print("first and last constant", CONSTANTS[0][0], CONSTANTS[-1][-1])
    print("permutation of 0, 1, ..", permute(list(range(WIDTH))))
    for text in (b"", b"abc", bytes(range(49)), bytes(range(50)), bytes(range(200))):
        print(text[:4], len(text), digest(text).hex())
