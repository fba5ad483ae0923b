"""Samplers of arrays: shapes, dtypes and widths, for the samplers of `_native`."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from numbers import Rational, Real
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, TypeVar, final, overload

import numpy as np
import numpy.typing as npt

from tautochrone import _native
from tautochrone._arrays import (
    Array,
    Data,
    Ints,
    Size,
    erased,
    operand,
    output,
    scalar,
    wrong_dtype,
)
from tautochrone._errors import ParameterError
from tautochrone._estimates import Distance

_Source: TypeAlias = Data | _native.Stream | None
_Centres: TypeAlias = Sequence[Any] | npt.NDArray[np.floating[Any] | np.integer[Any]]
_Kind: TypeAlias = Literal["full", "folded-half", "unfolded-half", "bimodal"]
_Half: TypeAlias = Literal["folded", "unfolded"]
_S = TypeVar("_S", np.int8, np.int16, np.int32, np.int64)
_I = TypeVar("_I", bound=np.integer[Any])


class _Ratio(Protocol):
    @property
    def numerator(self) -> int: ...
    @property
    def denominator(self) -> int: ...


def _checked(sigma: float) -> float:
    """A float or an int, and no other fraction, which would be rounded."""
    # Floats have none, and an int has 1.
    if getattr(sigma, "denominator", 1) != 1:
        raise ParameterError(
            f"sigma is {sigma}, which would be rounded; give float(sigma), or, of Bitslice and "
            "Pmf, sigma^2 as variance="
        )
    return sigma


def _width(
    sigma: float | None, variance: _Ratio | None
) -> tuple[float | None, tuple[int, int] | None]:
    """One of the two, and sigma^2 as numerator and denominator."""
    if (sigma is None) == (variance is None):
        raise ParameterError("give one of sigma and variance")
    if sigma is not None:
        return _checked(sigma), None
    if isinstance(variance, Rational):
        ratio = int(variance.numerator), int(variance.denominator)
        if ratio[0] > 0 and max(ratio) < 1 << 128:
            return None, ratio
    raise ParameterError(
        f"variance is {variance}; expected a positive fractions.Fraction or int, with numerator "
        "and denominator below 2^128"
    )


def _drawn(
    fill: Callable[[Array], None],
    size: Size | None,
    dtype: npt.DTypeLike | None,
    out: Array | None,
    default: npt.DTypeLike = np.int64,
) -> Any:
    """What `fill` writes: into an array, or for a scalar if no size and no array are asked for."""
    array = output(size, dtype, out, default)
    fill(array)
    return scalar(array) if size is None and out is None and array.ndim == 0 else array


class _Sampler:
    """A sampler of `_native`, and the call that makes it again."""

    __slots__ = ("_again", "_native")

    def __init__(self, native: _native.Sampler, again: partial[Any]) -> None:
        self._native = native
        self._again = again

    @property
    def sigma(self) -> float:
        """The standard deviation parameter."""
        return self._native.sigma

    @property
    def bound(self) -> int:
        """The largest absolute value of a sample, around 0."""
        return self._native.bound

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return self._again, ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(sigma={self.sigma!r})"


class _AroundZero(_Sampler):
    """A sampler that has no centre."""

    __slots__ = ()

    @overload
    def sample(
        self,
        size: None = None,
        *,
        dtype: None = None,
        out: None = None,
        seed: _Source = None,
    ) -> np.int64: ...
    @overload
    def sample(
        self,
        size: None = None,
        *,
        dtype: type[_S],
        out: None = None,
        seed: _Source = None,
    ) -> _S: ...
    @overload
    def sample(
        self,
        size: Size,
        *,
        dtype: None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        size: Size,
        *,
        dtype: type[_S],
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        size: Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: npt.NDArray[_S],
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        size: Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: Ints | None = None,
        seed: _Source = None,
    ) -> Any: ...
    def sample(
        self,
        size: Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: Ints | None = None,
        seed: _Source = None,
    ) -> Any:
        """Independent samples in an array of any shape.

        size: int or tuple of ints; the shape of `out`, or one scalar, if it is left out. dtype:
        int64 (the default), int32, int16 or int8, if `bound` fits; int8 is the fastest for
        Bitslice. out: C-contiguous array to fill and return. seed: 32 bytes, a Stream to continue,
        or None for the operating system's entropy.

        Bitslice is constant time in samples and seed, Ziggurat is NOT. The interpreter's lock is
        released; Ctrl-C is heeded every 65536 samples and leaves zeros in `out`.
        """
        return _drawn(lambda array: self._native.fill(array, seed), size, dtype, out)


@final
class Facct(_Sampler):
    """Discrete Gaussian samples for any real 2 <= sigma < 2^32 and any centre, in constant time.

    P(z) is proportional to exp(-(z - mu)^2 / (2 sigma^2)), within 2^-100 of that distribution, and
    |z - mu| <= bound + 1. After FACCT (Zhao, Steinfeld, Sakzad, IEEE TC 2020). Raises
    ParameterError for another sigma.
    """

    __slots__ = ()
    __module__ = "tautochrone"

    def __init__(self, sigma: float) -> None:
        super().__init__(_native.facct(_checked(sigma)), partial(Facct, sigma))

    @overload
    def sample(
        self,
        size: None = None,
        *,
        dtype: None = None,
        centre: float | None = None,
        out: None = None,
        seed: _Source = None,
    ) -> np.int64: ...
    @overload
    def sample(
        self,
        size: None = None,
        *,
        dtype: type[_S],
        centre: float | None = None,
        out: None = None,
        seed: _Source = None,
    ) -> _S: ...
    @overload
    def sample(
        self,
        size: Size,
        *,
        dtype: None = None,
        centre: float | _Centres | None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        size: Size,
        *,
        dtype: type[_S],
        centre: float | _Centres | None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        size: None = None,
        *,
        dtype: type[np.int64] | None = None,
        centre: _Centres,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        size: Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        centre: float | _Centres | None = None,
        out: npt.NDArray[_S],
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        size: Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        centre: float | _Centres | None = None,
        out: Ints | None = None,
        seed: _Source = None,
    ) -> Any: ...
    def sample(
        self,
        size: Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        centre: float | _Centres | None = None,
        out: Ints | None = None,
        seed: _Source = None,
    ) -> Any:
        """Independent samples in an array of any shape.

        size: int or tuple of ints; the shape of `out` or `centre` if it is left out, or one scalar
        without either. dtype: int64 (the default), int32, int16 or int8, if `bound` fits. centre:
        mu, |mu| < 2^51: None for 0, a number for all samples, or an array or list of numbers that
        broadcasts to the size, one for each sample; with a centre, samples are int64. out:
        C-contiguous array to fill and return. seed: 32 bytes, a Stream to continue, or None for the
        operating system's entropy.

        Constant time in samples, seed and centres. The interpreter's lock is released; Ctrl-C is
        heeded every 65536 samples and leaves zeros in `out`.
        """
        native = self._native
        if centre is None:
            return _drawn(lambda array: native.fill(array, seed), size, dtype, out)
        if isinstance(centre, Real):
            mu = float(centre)
            return _drawn(lambda array: native.fill_centred(array, mu, seed), size, dtype, out)
        with ExitStack() as copies:
            centres = operand(centre, copies)
            if not np.can_cast(centres.dtype, np.float64):
                raise wrong_dtype(centres.dtype, "float64 for centres")
            if size is None and out is None and centres.ndim > 0:
                size = centres.shape

            def fill(array: Array) -> None:
                whole = centres
                if whole.shape != array.shape:
                    try:
                        whole = np.broadcast_to(whole, array.shape)
                    except ValueError:
                        shapes = f"{centres.shape} do not broadcast to {array.shape}"
                        raise ParameterError(f"centres of shape {shapes}") from None
                plain = whole.flags.c_contiguous and whole.flags.aligned
                if not plain or whole.dtype != np.float64:
                    whole = erased(whole.astype(np.float64, order="C"), copies)
                native.fill_centres(array, whole, seed)

            return _drawn(fill, size, dtype, out)


@final
class Bitslice(_AroundZero):
    """Discrete Gaussian samples by Boolean circuits or byte look-ups, in constant time.

    sigma: read as the decimal that it prints as (3.19 is 319/100), or a fractions.Fraction for
    sigma^2 as `variance=`. precision: bits of the probability table, 32 to 128. kind: "full" for
    D_sigma; "folded-half" for |z|; "unfolded-half" for z given z >= 0; "bimodal" for -z or z + 1, z
    an unfolded half. bits: refuse magnitudes of more bits. tail: refuse tables that reach less than
    this many sigma. Raises ParameterError, which says what would work.
    """

    __slots__ = ("_factor", "_kind", "_table")
    __module__ = "tautochrone"

    def __init__(
        self,
        sigma: float | None = None,
        *,
        variance: _Ratio | None = None,
        precision: SupportsIndex = 64,
        kind: _Kind = "full",
        bits: SupportsIndex | None = None,
        tail: float | None = None,
    ) -> None:
        native, self._table, self._factor = _native.bitslice(
            *_width(sigma, variance), precision, kind, bits, tail
        )
        self._kind: str = kind
        again = partial(
            Bitslice,
            sigma,
            variance=variance,
            precision=precision,
            kind=kind,
            bits=bits,
            tail=tail,
        )
        super().__init__(native, again)

    @property
    def precision(self) -> int:
        """Bits of the probability table: at least what was asked for."""
        return self._table.precision

    @property
    def kind(self) -> str:
        """Which distribution: "full", "folded-half", "unfolded-half" or "bimodal"."""
        return self._kind

    @property
    def pmf(self) -> "Pmf":
        """The integers that samples are drawn by: exact probabilities of magnitudes.

        If `factor` is not None, of the magnitudes of x1 and x2 in z = x1 + factor x2.
        """
        return Pmf._of(self._table, partial(getattr, self, "pmf"))

    @property
    def factor(self) -> int | None:
        """k if samples are sums x1 + k x2 of two narrower ones, else None."""
        return self._factor

    def __repr__(self) -> str:
        return f"Bitslice(sigma={self.sigma!r}, precision={self.precision}, kind={self.kind!r})"


@final
class Ziggurat(_AroundZero):
    """Exact discrete Gaussian samples for 1/2 <= sigma <= 2^40. NOT constant time.

    The distribution is the discrete Gaussian cut at `bound` = ceil(13 sigma), without any rounding.
    rectangles: 1 to 65536. factor: extra points stored per rectangle, at most 255, for chords in
    place of exponentials; None for none. Only where nobody can time the calls, or samples are
    public.
    """

    __slots__ = ()
    __module__ = "tautochrone"

    def __init__(
        self,
        sigma: float,
        *,
        rectangles: SupportsIndex = 1024,
        factor: SupportsIndex | None = None,
    ) -> None:
        again = partial(Ziggurat, sigma, rectangles=rectangles, factor=factor)
        super().__init__(_native.ziggurat(_checked(sigma), rectangles, factor), again)


@final
class Pmf:
    """Exact probabilities of a discrete Gaussian's magnitudes: masses[z] / 2^precision for |z|.

    sigma: read as the decimal that it prints as (3.19 is 319/100), or a fractions.Fraction for
    sigma^2 as `variance=`. precision: 32 to 128 bits. half: "folded" for |z|, z of D_sigma (with a
    fair sign, that is D_sigma); "unfolded" for z given z >= 0. The masses are integers with sum
    exactly 2^precision; `distance` says how far they are from the ideal distribution.
    """

    __slots__ = ("_again", "_table")
    __module__ = "tautochrone"

    def __init__(
        self,
        sigma: float | None = None,
        *,
        variance: _Ratio | None = None,
        precision: SupportsIndex = 64,
        half: _Half = "folded",
    ) -> None:
        self._table = _native.Table(*_width(sigma, variance), precision, half)
        self._again: partial[Any] = partial(
            Pmf, sigma, variance=variance, precision=precision, half=half
        )

    @staticmethod
    def _of(table: _native.Table, again: partial[Any]) -> "Pmf":
        pmf = Pmf.__new__(Pmf)
        pmf._table, pmf._again = table, again
        return pmf

    @property
    def sigma(self) -> float:
        """The standard deviation parameter."""
        return self._table.sigma

    @property
    def masses(self) -> list[int]:
        """The integers, with sum 2^precision."""
        return self._table.masses

    @property
    def precision(self) -> int:
        """Bits of the table."""
        return self._table.precision

    @property
    def half(self) -> str:
        """Which half: "folded" or "unfolded"."""
        return self._table.half

    def fractions(self) -> list[Fraction]:
        """The probabilities as fractions.Fraction, which sum to 1."""
        return [Fraction(mass, 1 << self.precision) for mass in self.masses]

    def floats(self) -> npt.NDArray[np.float64]:
        """The probabilities, rounded: float64 of shape (len,)."""
        return np.array(list(map(float, self.masses))) * 2.0**-self.precision

    def distance(self) -> Distance:
        """How far the table is from the ideal distribution, computed exactly."""
        return Distance(*self._table.distance())

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return self._again, ()

    def __len__(self) -> int:
        return len(self.masses)

    def __repr__(self) -> str:
        return f"Pmf(sigma={self.sigma!r}, precision={self.precision}, half={self.half!r})"


@overload
def uniform(
    size: None = None,
    *,
    bits: SupportsIndex | None = None,
    below: SupportsIndex | None = None,
    signed: bool = False,
    dtype: type[_I],
    out: None = None,
    seed: _Source = None,
) -> _I: ...
@overload
def uniform(
    size: Size,
    *,
    bits: SupportsIndex | None = None,
    below: SupportsIndex | None = None,
    signed: bool = False,
    dtype: type[_I],
    out: None = None,
    seed: _Source = None,
) -> npt.NDArray[_I]: ...
@overload
def uniform(
    size: Size | None = None,
    *,
    bits: SupportsIndex | None = None,
    below: SupportsIndex | None = None,
    signed: bool = False,
    dtype: npt.DTypeLike | None = None,
    out: npt.NDArray[_I],
    seed: _Source = None,
) -> npt.NDArray[_I]: ...
@overload
def uniform(
    size: Size,
    *,
    bits: SupportsIndex | None = None,
    below: SupportsIndex | None = None,
    signed: bool = False,
    dtype: npt.DTypeLike | None = None,
    out: Ints | None = None,
    seed: _Source = None,
) -> Ints: ...
@overload
def uniform(
    size: Size | None = None,
    *,
    bits: SupportsIndex | None = None,
    below: SupportsIndex | None = None,
    signed: bool = False,
    dtype: npt.DTypeLike | None = None,
    out: Ints | None = None,
    seed: _Source = None,
) -> Any: ...
def uniform(
    size: Size | None = None,
    *,
    bits: SupportsIndex | None = None,
    below: SupportsIndex | None = None,
    signed: bool = False,
    dtype: npt.DTypeLike | None = None,
    out: Ints | None = None,
    seed: _Source = None,
) -> Any:
    """Independent integers, exactly uniform, in an array of any shape.

    Give one of bits and below. bits: [0, 2^bits), or with signed=True [-2^(bits-1), 2^(bits-1));
    below: [0, below). size: int or tuple of ints; the shape of `out`, or one scalar, if it is left
    out. dtype: uint8 to uint64 (the default), or int8 to int64 (the default) if signed. out:
    C-contiguous array to fill and return. seed: 32 bytes, a Stream to continue, or None for the
    operating system's entropy.

    Constant time in numbers and seed. The interpreter's lock is released; Ctrl-C is heeded every
    65536 numbers and leaves zeros in `out`.
    """
    return _drawn(
        lambda array: _native.uniform(array, bits, below, signed, seed),
        size,
        dtype,
        out,
        np.int64 if signed else np.uint64,
    )
