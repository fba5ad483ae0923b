import builtins
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar, final, overload

import numpy as np
import numpy.typing as npt

_Shape: TypeAlias = int | Sequence[int]
_Seed: TypeAlias = bytes | bytearray
_Source: TypeAlias = bytes | bytearray | Stream | None
_Data: TypeAlias = bytes | bytearray
_Ints: TypeAlias = npt.NDArray[np.integer[Any]]
_S = TypeVar("_S", np.int8, np.int16, np.int32, np.int64)
_I = TypeVar("_I", bound=np.integer[Any])
_Method: TypeAlias = Literal["barrett", "auto"]
_Challenge: TypeAlias = Literal["ternary", "binary"]
_Order: TypeAlias = Literal["C", "F"]
_Kind: TypeAlias = Literal["full", "folded-half", "unfolded-half", "bimodal"]

__all__ = [
    "PRESETS",
    "VERSION",
    "Bitslice",
    "Distance",
    "Estimate",
    "Facct",
    "Hardness",
    "Ice",
    "Params",
    "Pmf",
    "Stream",
    "Ziggurat",
    "commit",
    "estimate",
    "matmul",
    "modexp",
    "modexp_batch",
    "optimise",
    "prove",
    "prove_keys",
    "random_witness",
    "uniform",
    "verify",
    "verify_keys",
    "wipe",
]

class _Ratio(Protocol):
    @property
    def numerator(self) -> int: ...
    @property
    def denominator(self) -> int: ...

PRESETS: Final[list[str]]
VERSION: Final[str]

@final
class Stream:
    def __new__(
        cls, seed: _Seed | None = None, label: str = "sample", index: int = 0
    ) -> Stream: ...
    @property
    def position(self) -> int: ...
    def bytes(self, n: int, /) -> builtins.bytes: ...

@final
class Facct:
    def __new__(cls, sigma: float) -> Facct: ...
    @property
    def sigma(self) -> float: ...
    @property
    def bound(self) -> int: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: None = None,
        centre: float | npt.NDArray[np.float64] | None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: type[_S],
        centre: float | npt.NDArray[np.float64] | None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        centre: float | npt.NDArray[np.float64] | None = None,
        out: npt.NDArray[_S],
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        centre: float | npt.NDArray[np.float64] | None = None,
        out: _Ints | None = None,
        seed: _Source = None,
    ) -> _Ints: ...

@final
class Bitslice:
    def __new__(
        cls,
        sigma: float | None = None,
        *,
        variance: _Ratio | None = None,
        precision: int = 64,
        kind: _Kind = "full",
        bits: int | None = None,
        tail: float | None = None,
    ) -> Bitslice: ...
    @property
    def sigma(self) -> float: ...
    @property
    def bound(self) -> int: ...
    @property
    def precision(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def pmf(self) -> Pmf: ...
    @property
    def factor(self) -> int | None: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: type[_S],
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: npt.NDArray[_S],
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: _Ints | None = None,
        seed: _Source = None,
    ) -> _Ints: ...

@final
class Ziggurat:
    def __new__(
        cls, sigma: float, *, rectangles: int = 1024, factor: int | None = None
    ) -> Ziggurat: ...
    @property
    def sigma(self) -> float: ...
    @property
    def bound(self) -> int: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: type[_S],
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: npt.NDArray[_S],
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        shape: _Shape | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: _Ints | None = None,
        seed: _Source = None,
    ) -> _Ints: ...

@overload
def uniform(
    shape: _Shape | None = None,
    *,
    bits: int | None = None,
    below: int | None = None,
    signed: bool = False,
    dtype: type[_I],
    out: None = None,
    seed: _Source = None,
) -> npt.NDArray[_I]: ...
@overload
def uniform(
    shape: _Shape | None = None,
    *,
    bits: int | None = None,
    below: int | None = None,
    signed: bool = False,
    dtype: npt.DTypeLike | None = None,
    out: npt.NDArray[_I],
    seed: _Source = None,
) -> npt.NDArray[_I]: ...
@overload
def uniform(
    shape: _Shape | None = None,
    *,
    bits: int | None = None,
    below: int | None = None,
    signed: bool = False,
    dtype: npt.DTypeLike | None = None,
    out: _Ints | None = None,
    seed: _Source = None,
) -> _Ints: ...

@final
class Distance:
    @property
    def log2_statistical(self) -> float: ...
    @property
    def log2_renyi(self) -> float: ...
    @property
    def log2_tail(self) -> float: ...
    @property
    def log2_ratio(self) -> float: ...

@final
class Pmf:
    def __new__(
        cls,
        sigma: float | None = None,
        *,
        variance: _Ratio | None = None,
        precision: int = 64,
        half: Literal["folded", "unfolded"] = "folded",
    ) -> Pmf: ...
    @property
    def sigma(self) -> float: ...
    @property
    def masses(self) -> list[int]: ...
    @property
    def precision(self) -> int: ...
    @property
    def half(self) -> str: ...
    def fractions(self) -> list[Fraction]: ...
    def floats(self) -> npt.NDArray[np.float64]: ...
    def distance(self) -> Distance: ...
    def __len__(self) -> int: ...

@overload
def matmul(
    x: _Ints,
    y: _Ints,
    /,
    *,
    dtype: type[_I],
    out: None = None,
    add: bool = False,
    order: _Order = "C",
) -> npt.NDArray[_I]: ...
@overload
def matmul(
    x: _Ints,
    y: _Ints,
    /,
    *,
    dtype: npt.DTypeLike | None = None,
    out: npt.NDArray[_I],
    add: bool = False,
    order: _Order = "C",
) -> npt.NDArray[_I]: ...
@overload
def matmul(
    x: _Ints,
    y: _Ints,
    /,
    *,
    dtype: npt.DTypeLike | None = None,
    out: _Ints | None = None,
    add: bool = False,
    order: _Order = "C",
) -> _Ints: ...
def modexp(
    base: int,
    exponent: int,
    modulus: int,
    /,
    *,
    bits: int | None = None,
    exponent_bits: int | None = None,
    method: _Method = "barrett",
) -> int: ...
def modexp_batch(
    jobs: Sequence[tuple[int, int, int]],
    /,
    *,
    bits: int | None = None,
    exponent_bits: int | None = None,
    method: _Method = "barrett",
) -> list[int]: ...

@final
class Ice:
    def __new__(cls, level: int, key: _Data) -> Ice: ...
    @property
    def level(self) -> int: ...
    def encrypt(self, data: _Data, /) -> bytes: ...
    def decrypt(self, data: _Data, /) -> bytes: ...

@final
class Params:
    def __new__(
        cls,
        preset: str = "T4-128",
        *,
        l: int | None = None,
        v: int | None = None,
        r: int | None = None,
        w: int | None = None,
        b: int | None = None,
        lambda_: int | None = None,
        n: int | None = None,
        sigma: int | None = None,
        rho: int | None = None,
        round_t: int | None = None,
        challenge: _Challenge | None = None,
        norm_bound: int | None = None,
        insecure: bool = False,
    ) -> Params: ...
    @staticmethod
    def of_statement(statement: _Data, /, *, insecure: bool = False) -> Params: ...
    @property
    def l(self) -> int: ...
    @property
    def v(self) -> int: ...
    @property
    def r(self) -> int: ...
    @property
    def w(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def lambda_(self) -> int: ...
    @property
    def n(self) -> int: ...
    @property
    def sigma(self) -> int: ...
    @property
    def rho(self) -> int: ...
    @property
    def most_proofs(self) -> int | None: ...
    @property
    def round_t(self) -> int: ...
    @property
    def challenge(self) -> str: ...
    @property
    def norm_bound(self) -> int | None: ...
    @property
    def norm_bound_squared(self) -> int: ...
    @property
    def witness_shape(self) -> tuple[int, int]: ...
    @property
    def statement_bytes(self) -> int: ...
    @property
    def expected_proof_bytes(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Hardness:
    @property
    def beta(self) -> int: ...
    @property
    def classical(self) -> float: ...
    @property
    def quantum(self) -> float: ...

@final
class Estimate:
    @property
    def binding(self) -> Hardness: ...
    @property
    def hiding(self) -> Hardness: ...
    @property
    def hiding_primal(self) -> Hardness: ...
    @property
    def hiding_dual(self) -> Hardness: ...
    @property
    def log2_4b(self) -> float: ...

def estimate(params: Params | str, /) -> Estimate: ...
def optimise(
    w: int | None,
    b: int,
    l: int,
    *,
    bits: float = 128.0,
    quantum: bool = False,
    lambda_: int = 128,
    challenge: _Challenge = "ternary",
    whole_t: bool = False,
) -> Params: ...
def random_witness(
    params: Params | str, *, seed: _Seed | None = None
) -> npt.NDArray[Any]: ...
def commit(
    params: Params | str,
    witness: npt.NDArray[np.int8] | npt.NDArray[np.int32],
    *,
    seed_a: _Seed | None = None,
) -> bytes: ...
def prove(
    statement: _Data,
    witness: npt.NDArray[np.int8] | npt.NDArray[np.int32],
    *,
    context: _Data | None = None,
    seed: _Seed | None = None,
    insecure: bool = False,
    check: bool = True,
    reproducible: bool = False,
) -> bytes: ...
def verify(
    statement: _Data,
    proof: _Data,
    *,
    context: _Data | None = None,
    require: Sequence[str] = ...,
    insecure: bool = False,
) -> None: ...
def prove_keys(
    set: str,
    keys: Sequence[tuple[bytes, bytes]],
    secrets: Sequence[bytes],
    *,
    purpose: _Data | None = None,
    seed: _Seed | None = None,
) -> tuple[bytes, bytes]: ...
def verify_keys(
    set: str,
    keys: Sequence[tuple[bytes, bytes]],
    statement: _Data,
    proof: _Data,
    *,
    purpose: _Data | None = None,
) -> None: ...
def wipe(buffer: npt.NDArray[Any] | bytearray, /) -> None: ...
