"""Arrays that functions take, make and erase."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from tautochrone._errors import ArgumentTypeError, Error, ParameterError, RangeError

Array: TypeAlias = npt.NDArray[Any]
Data: TypeAlias = bytes | bytearray | memoryview | npt.NDArray[np.uint8]
Ints: TypeAlias = npt.NDArray[np.integer[Any]]
Entries: TypeAlias = Ints | Sequence[Any]
Size: TypeAlias = SupportsIndex | Sequence[SupportsIndex]

# What Python and numpy raise about an argument.
MISTAKES = (OverflowError, TypeError, ValueError)


def mistake(error: Exception) -> Error:
    """The exception of this package for one of MISTAKES, with its text."""
    if isinstance(error, Error):
        return error
    if isinstance(error, OverflowError):
        return RangeError(str(error))
    return (ArgumentTypeError if isinstance(error, TypeError) else ParameterError)(str(error))


def wrong_type(name: str, expected: str, got: object) -> ArgumentTypeError:
    """About the argument of that name; its value may be secret."""
    return ArgumentTypeError(f"{name}: expected {expected}, got {type(got).__name__}")


def wrong_dtype(dtype: np.dtype[Any], expected: str) -> ArgumentTypeError:
    """About an array of a dtype that a function does not take."""
    order = "" if dtype.isnative else " in the byte order of this machine"
    return ArgumentTypeError(f"dtype is {dtype}; expected {expected}{order}")


def zeros(shape: Size, dtype: npt.DTypeLike) -> Array:
    """`numpy.zeros`, which says itself if a shape or dtype is wrong."""
    try:
        return np.zeros(shape, dtype)
    except MISTAKES as error:
        raise mistake(error) from None


def output(
    size: Size | None, dtype: npt.DTypeLike | None, out: Array | None, default: npt.DTypeLike
) -> Array:
    """The array to be filled.

    `out`, which must agree with size and dtype where these are given, or a new one of that shape,
    none for one value, and dtype.
    """
    if out is None:
        return zeros(() if size is None else size, default if dtype is None else dtype)
    if not isinstance(out, np.ndarray):
        raise wrong_type("out", "a numpy array", out)
    try:
        if dtype is not None and np.dtype(dtype) != out.dtype:
            raise ArgumentTypeError(f"dtype is {np.dtype(dtype)}, and of out {out.dtype}")
        shape = out.shape if size is None else np.broadcast_shapes(size)
    except MISTAKES as error:
        raise mistake(error) from None
    if shape != out.shape:
        raise ParameterError(f"size is {shape}, and of out {out.shape}")
    return out


def scalar(array: Array) -> Any:
    """The one value of an array without dimensions, which is erased."""
    value = array[()]
    array.fill(0)
    return value


def erased(array: Array, copies: ExitStack) -> Array:
    """An array that nobody else has, erased when `copies` are closed."""
    copies.callback(array.fill, 0)
    return array


def operand(given: object, copies: ExitStack) -> Array:
    """The caller's array, or one of anything else that numpy turns into one."""
    if isinstance(given, np.ndarray):
        return given
    try:
        return erased(np.array(given), copies)
    except MISTAKES as error:
        raise mistake(error) from None


def wipe(buffer: Array | bytearray, /) -> None:
    """Overwrites an array or a bytearray with zeros.

    buffer: a writable numpy array of any shape, strides and numeric dtype, or a bytearray. For
    secrets that are not needed any more. Copies that numpy or Python made elsewhere stay, and
    `bytes` and `int` cannot be erased at all.
    """
    if isinstance(buffer, bytearray):
        buffer[:] = bytes(len(buffer))
        return
    if not isinstance(buffer, np.ndarray):
        raise wrong_type("buffer", "a numpy array or a bytearray", buffer)
    try:
        buffer.fill(0)
    except MISTAKES as error:
        raise mistake(error) from None
