"""Products modulo 2^w against numpy's."""

from typing import Any

import numpy as np
import pytest
import tautochrone as tc
from conftest import SEED

WORDS = [np.uint8, np.uint16, np.uint32, np.uint64]
ENTRIES = [*WORDS, np.int8, np.int16, np.int32, np.int64]


def random(shape: Any, dtype: Any, seed: int = 0) -> Any:
    bits = np.iinfo(dtype).bits
    unsigned = np.dtype(f"uint{bits}")
    return tc.uniform(shape, bits=bits, dtype=unsigned, seed=tc.Stream(SEED, "test", seed)).view(
        dtype
    )


def expected(x: Any, y: Any, dtype: Any) -> Any:
    with np.errstate(over="ignore"):
        return (x.astype(np.uint64) @ y.astype(np.uint64)).astype(dtype)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("left", ENTRIES)
def test_all_types(word: Any, left: Any) -> None:
    for i, right in enumerate(ENTRIES):
        x, y = random((13, 37), left, i), random((37, 19), right, i + 1)
        z = tc.matmul(x, y, dtype=word)
        assert z.dtype == word and z.shape == (13, 19)
        assert np.array_equal(z, expected(x, y, word)), right


def test_default_dtype_is_of_the_wider_operand() -> None:
    cases = [
        (np.int8, np.int32, np.int32),
        (np.uint16, np.uint8, np.uint16),
        (np.int64, np.int64, np.int64),
        (np.uint32, np.int8, np.uint32),
        (np.uint64, np.int64, np.uint64),
        (np.int8, np.uint8, np.uint8),
    ]
    for left, right, dtype in cases:
        assert tc.matmul(random((2, 2), left), random((2, 2), right)).dtype == dtype
        assert tc.matmul(random((2, 2), right), random((2, 2), left)).dtype == dtype
    foreign = random((2, 2), np.int64).astype(np.dtype(np.int64).newbyteorder())
    assert tc.matmul(foreign, foreign).dtype == np.int64
    assert np.array_equal(tc.matmul([[-2]], [[1]]), [[-2]])


@pytest.mark.parametrize(
    "left, right",
    [
        ((6, 3, 4), (6, 4, 5)),
        ((6, 3, 4), (4, 5)),
        ((3, 4), (6, 4, 5)),
        ((2, 1, 3, 4), (6, 4, 5)),
        ((6, 3, 4), (4,)),
        ((4,), (6, 4, 5)),
        ((0, 3, 4), (4, 5)),
        ((6, 3, 0), (6, 0, 5)),
    ],
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_stacks(left: Any, right: Any, order: Any) -> None:
    x, y = random(left, np.int32), random(right, np.int8)
    z = tc.matmul(x, y, order=order)
    want = expected(x, y, np.int32)
    assert z.shape == want.shape and np.array_equal(z, want)
    matrices = z.swapaxes(-1, -2) if order == "F" and min(x.ndim, y.ndim) > 1 else z
    assert matrices.flags.c_contiguous
    out = np.ones((3, *want.shape), np.int32)[1]
    assert tc.matmul(x, y, out=out, add=True) is out
    assert np.array_equal(out, want + np.int32(1))
    strided = x[..., ::-1], np.flip(y, 0 if y.ndim == 1 else -2)
    assert np.array_equal(tc.matmul(*strided), want)


def views(x: Any) -> list[Any]:
    """The same matrix, in many layouts."""
    big = np.zeros((2 * x.shape[0] + 1, 3 * x.shape[1] + 2), x.dtype)
    big[1::2, 2::3] = x
    return [
        np.ascontiguousarray(x),
        np.asfortranarray(x),
        big[1::2, 2::3],
        np.asfortranarray(big)[1::2, 2::3],
        np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1],
        np.ascontiguousarray(x.T).T,
    ]


def test_layouts() -> None:
    x, y = random((31, 17), np.uint32), random((17, 23), np.int8)
    z = expected(x, y, np.uint32)
    for left in views(x):
        for right in views(y):
            for order in ("C", "F"):
                got = tc.matmul(left, right, order=order)
                assert np.array_equal(got, z)
                assert got.flags.c_contiguous if order == "C" else got.flags.f_contiguous


def test_operands_that_repeat_or_are_not_aligned() -> None:
    y = random((5, 3), np.uint32)
    ones = np.broadcast_to(np.uint32(1), (4, 5))
    assert np.array_equal(tc.matmul(ones, y), expected(ones, y, np.uint32))
    raw = np.zeros(4 * 5 * 4 + 1, np.uint8)
    x = raw[1:].view(np.uint32).reshape(4, 5)
    x[...] = 7
    assert np.array_equal(tc.matmul(x, y), expected(x, y, np.uint32))
    fields = np.zeros((4, 5), [("a", np.uint32), ("b", np.uint8)])["a"]
    fields[...] = 3
    assert np.array_equal(tc.matmul(fields, y), expected(fields, y, np.uint32))


@pytest.mark.parametrize("dtype", ENTRIES)
def test_operands_of_another_byte_order(dtype: Any) -> None:
    x, y = random((31, 17), dtype), random((17, 23), np.uint64)
    z = expected(x, y, np.uint64)
    for left in views(x):
        foreign = left.astype(left.dtype.newbyteorder())
        assert np.array_equal(tc.matmul(foreign, y), z)
        assert np.array_equal(foreign, x)
    assert np.array_equal(tc.matmul(x, y.astype(y.dtype.newbyteorder())), z)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.uint32, np.int32, np.uint64, np.int8])
def test_out(order: Any, dtype: Any) -> None:
    x, y = random((9, 8), np.uint64), random((8, 7), np.uint64)
    big = np.full((10, 10), 5, dtype, order=order)
    out = big[1:, 2:9]
    assert tc.matmul(x, y, out=out) is out
    assert np.array_equal(out, expected(x, y, dtype))
    assert (big[0] == 5).all() and (big[:, :2] == 5).all() and (big[:, 9:] == 5).all()
    with np.errstate(over="ignore"):
        twice = (2 * out.astype(np.uint64)).astype(dtype)
    tc.matmul(x, y, out=out, add=True)
    assert np.array_equal(out, twice)


def test_vectors() -> None:
    x, y, u, v = (
        random((6, 5), np.int16),
        random((5, 4), np.int16),
        random(5, np.int8),
        random(5, np.uint8),
    )
    for left, right in [(x, u), (u, y), (u, v), (x, y)]:
        z = tc.matmul(left, right, dtype=np.uint32)
        want = expected(left, right, np.uint32)
        assert z.shape == np.shape(want) and np.array_equal(z, want)
    out = np.zeros(12, np.uint32)[::2]
    tc.matmul(x, u, out=out)
    assert np.array_equal(out, expected(x, u, np.uint32))


@pytest.mark.parametrize(
    "shape",
    [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0), (1, 1, 1), (1, 300, 1), (1, 3, 300), (300, 3, 1)],
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_edges(shape: tuple[int, int, int], order: Any) -> None:
    m, k, n = shape
    x, y = random((m, k), np.uint32), random((k, n), np.uint32)
    assert np.array_equal(tc.matmul(x, y, order=order), expected(x, y, np.uint32))
    out = np.full((m, n), 7, np.uint32, order=order)
    assert np.array_equal(
        tc.matmul(x, y, out=out, add=True), expected(x, y, np.uint32) + np.uint32(7)
    )


def test_errors() -> None:
    x, y = random((3, 4), np.uint32), random((4, 5), np.uint32)
    with pytest.raises(tc.ParameterError, match="cannot multiply 4 x 5 by 3 x 4"):
        tc.matmul(y, x)
    for bad in [
        np.zeros((3, 4)),
        np.zeros((3, 4), bool),
        np.zeros((3, 4), object),
    ]:
        with pytest.raises(tc.ArgumentTypeError):
            tc.matmul(bad, y)
    with pytest.raises(tc.ArgumentTypeError):
        tc.matmul(x, y, dtype=np.float64)
    foreign = np.dtype(np.uint32).newbyteorder()
    with pytest.raises(tc.ArgumentTypeError, match="byte order"):
        tc.matmul(x, y, dtype=foreign)
    with pytest.raises(tc.ArgumentTypeError, match="byte order"):
        tc.matmul(x, y, out=np.zeros((3, 5), foreign))
    with pytest.raises(tc.ParameterError, match="size is"):
        tc.matmul(x, y, out=np.zeros((5, 3), np.uint32))
    with pytest.raises(tc.ParameterError, match="contiguous rows"):
        tc.matmul(x, y, out=np.zeros((6, 10), np.uint32)[::2, ::2])
    with pytest.raises(tc.ParameterError, match="contiguous rows"):
        tc.matmul(x, y, out=np.zeros((3, 5), np.uint32)[::-1])
    square = random((4, 4), np.uint32)
    with pytest.raises(tc.ParameterError, match="overlap"):
        tc.matmul(square, square, out=square)
    wide = random((3, 9), np.uint32)
    with pytest.raises(tc.ParameterError, match="overlap"):
        tc.matmul(wide[:, :4], y, out=wide[:, 4:])
    frozen = np.zeros((3, 5), np.uint32)
    frozen.flags.writeable = False
    with pytest.raises(tc.ParameterError, match="writeable"):
        tc.matmul(x, y, out=frozen)
    with pytest.raises(tc.ParameterError, match="add needs out"):
        tc.matmul(x, y, add=True)
    with pytest.raises(tc.ParameterError, match="dimensions"):
        tc.matmul(np.zeros((), np.uint8), y)
    with pytest.raises(tc.ParameterError, match="broadcast"):
        tc.matmul(np.zeros((2, 3, 4), np.uint32), np.zeros((3, 4, 5), np.uint32))
    with pytest.raises(tc.ParameterError, match="order"):
        tc.matmul(x, y, order="K")  # type: ignore[call-overload]
