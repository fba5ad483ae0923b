"""Products of matrices: shapes, dtypes and copies, for the products of `_native`."""

from contextlib import ExitStack
from typing import Any, Literal, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt

from tautochrone import _native
from tautochrone._arrays import (
    MISTAKES,
    Array,
    Entries,
    Ints,
    erased,
    mistake,
    operand,
    output,
    scalar,
    wrong_dtype,
    wrong_type,
    zeros,
)
from tautochrone._errors import ParameterError

_I = TypeVar("_I", bound=np.integer[Any])
_Order: TypeAlias = Literal["C", "F"]


@overload
def matmul(
    x: Entries,
    y: Entries,
    /,
    *,
    dtype: type[_I],
    out: None = None,
    add: bool = False,
    order: _Order = "C",
) -> npt.NDArray[_I]: ...
@overload
def matmul(
    x: Entries,
    y: Entries,
    /,
    *,
    dtype: npt.DTypeLike | None = None,
    out: npt.NDArray[_I],
    add: bool = False,
    order: _Order = "C",
) -> npt.NDArray[_I]: ...
@overload
def matmul(
    x: Entries,
    y: Entries,
    /,
    *,
    dtype: npt.DTypeLike | None = None,
    out: Ints | None = None,
    add: bool = False,
    order: _Order = "C",
) -> Ints: ...
def matmul(
    x: Entries,
    y: Entries,
    /,
    *,
    dtype: npt.DTypeLike | None = None,
    out: Ints | None = None,
    add: bool = False,
    order: _Order = "C",
) -> Any:
    """X Y modulo 2^w, exactly, w = 8, 16, 32 or 64.

    x: (m, k), or (k,) for one row; y: (k, n), or (k,) for one column; each of any integer dtype of
    8 to 64 bits, which need not be the same: narrow entries make a product faster. Signed entries
    stand for their residue. More dimensions in front are stacks of matrices, which broadcast as
    stacks do in numpy.matmul. dtype: of the result, whose bits are w; if it is left out the one of
    the wider operand, or of two that are as wide and differ the unsigned one. out: array of the
    result's shape to write and return, whose matrices have contiguous rows or columns, in no memory
    of an operand. add: out += X Y instead. order: "C" or "F", of the matrices of a new result.

    Operands are not copied, whether in C or Fortran order or strided, unless a stride is negative
    or no multiple of the element's size, their byte order is not this machine's, or they are
    lists; such a copy is erased. Returns an array of shape (.., m, n), without the dimension of an
    operand that has one only. Constant time in all entries. On all threads of RAYON_NUM_THREADS;
    the interpreter's lock is released, and no other thread may write to the arrays meanwhile.
    Ctrl-C is heeded between matrices of a stack and parts of 2^32 terms.
    """
    if order not in ("C", "F"):
        raise ParameterError('order is "C" or "F"')
    if not isinstance(add, (bool, np.bool_)):
        raise wrong_type("add", "True or False", add)
    with ExitStack() as copies:
        left, is_row = _matrices(x, 0, copies)
        right, is_column = _matrices(y, 1, copies)
        (m, k), (k_y, n) = left.shape[-2:], right.shape[-2:]
        if k != k_y:
            raise ParameterError(f"cannot multiply {m} x {k} by {k_y} x {n}")
        try:
            stack = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        except ValueError as error:
            raise mistake(error) from None
        shape = (*stack, *(() if is_row else (m,)), *(() if is_column else (n,)))
        if out is not None:
            array = output(shape, dtype, out, out.dtype)
        elif add:
            raise ParameterError("add needs out")
        else:
            dtype = _of_product(left, right) if dtype is None else dtype
            if order == "F" and not is_row and not is_column:
                array = zeros((*stack, n, m), dtype).swapaxes(-1, -2)
            else:
                array = zeros(shape, dtype)
        result = np.expand_dims(array, -1) if is_column else array
        result = np.expand_dims(result, -2) if is_row else result
        if result.dtype.kind not in "iu" or not result.dtype.isnative:
            raise wrong_dtype(result.dtype, "an integer of 8 to 64 bits")
        # A view of the same memory.
        result = result.view(f"u{result.itemsize}")
        if stack:
            left = np.broadcast_to(left, (*stack, m, k))
            right = np.broadcast_to(right, (*stack, k, n))
        for at in np.ndindex(stack):
            _native.multiply(left[at], right[at], result[at], bool(add))
    return scalar(array) if array.ndim == 0 and out is None else array


def _matrices(given: object, axis: int, copies: ExitStack) -> tuple[Array, bool]:
    """An operand of two dimensions at least that `_native` reads, and whether it had one alone."""
    array = operand(given, copies)
    if array.ndim == 0:
        raise ParameterError("an operand has 0 dimensions; expected 1 or more")
    is_vector = array.ndim == 1
    if is_vector:
        array = np.expand_dims(array, axis)
    steps = zip(array.shape[-2:], array.strides[-2:], strict=True)
    size = max(1, array.itemsize)
    is_strided = all(length <= 1 or (step >= 0 and step % size == 0) for length, step in steps)
    if not (is_strided and array.flags.aligned and array.dtype.isnative):
        try:
            array = erased(array.astype(array.dtype.newbyteorder("="), order="C"), copies)
        except MISTAKES as error:
            raise mistake(error) from None
    return array, is_vector


def _of_product(left: Array, right: Array) -> np.dtype[Any]:
    """The dtype of the wider operand, and of two that are as wide the unsigned one."""
    return max((left.dtype, right.dtype), key=lambda dtype: (dtype.itemsize, dtype.kind == "u"))
