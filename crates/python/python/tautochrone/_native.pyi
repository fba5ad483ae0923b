import builtins
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, Literal, Protocol, SupportsIndex, TypeAlias, TypeVar, final, overload

import numpy as np
import numpy.typing as npt

from tautochrone._estimates import Distance, Estimate

_Size: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Data: TypeAlias = bytes | bytearray | memoryview | npt.NDArray[np.uint8]
_Source: TypeAlias = _Data | Stream | None
_Ints: TypeAlias = npt.NDArray[np.integer[Any]]
_Centre: TypeAlias = float | Sequence[Any] | npt.NDArray[np.floating[Any] | np.integer[Any]]
_Entries: TypeAlias = _Ints | Sequence[Any]
_Range: TypeAlias = tuple[SupportsIndex, SupportsIndex, SupportsIndex]
_Norm: TypeAlias = tuple[SupportsIndex, SupportsIndex]
_Fact: TypeAlias = tuple[_Entries, _Entries, SupportsIndex]
_Block: TypeAlias = tuple[SupportsIndex, SupportsIndex, _Entries]
_S = TypeVar("_S", np.int8, np.int16, np.int32, np.int64)
_I = TypeVar("_I", bound=np.integer[Any])
_Method: TypeAlias = Literal["barrett", "auto"]
_Challenge: TypeAlias = Literal["ternary", "binary"]
_Masks: TypeAlias = Literal["wide", "mixed", "narrow"]
_Order: TypeAlias = Literal["C", "F"]
_Kind: TypeAlias = Literal["full", "folded-half", "unfolded-half", "bimodal"]

__all__ = [
    "PRESETS",
    "VERSION",
    "Bitslice",
    "Facct",
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
    "prove_circuit",
    "prove_keys",
    "prove_messages",
    "r1cs",
    "random_witness",
    "uniform",
    "verify",
    "verify_circuit",
    "verify_keys",
    "verify_messages",
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
        cls, seed: _Data | None = None, label: str = "sample", index: SupportsIndex = 0
    ) -> Stream: ...
    @property
    def position(self) -> int: ...
    def bytes(self, n: SupportsIndex, /) -> builtins.bytes: ...

@final
class Facct:
    def __new__(cls, sigma: float) -> Facct: ...
    def __getnewargs__(self) -> tuple[float]: ...
    @property
    def sigma(self) -> float: ...
    @property
    def bound(self) -> int: ...
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
        size: _Size,
        *,
        dtype: None = None,
        centre: _Centre | None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        size: _Size,
        *,
        dtype: type[_S],
        centre: _Centre | None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        size: None = None,
        *,
        dtype: type[np.int64] | None = None,
        centre: Sequence[Any] | npt.NDArray[np.floating[Any] | np.integer[Any]],
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        size: _Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        centre: _Centre | None = None,
        out: npt.NDArray[_S],
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        size: _Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        centre: _Centre | None = None,
        out: _Ints | None = None,
        seed: _Source = None,
    ) -> Any: ...

class _Sampler:
    @property
    def sigma(self) -> float: ...
    @property
    def bound(self) -> int: ...
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
        size: _Size,
        *,
        dtype: None = None,
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def sample(
        self,
        size: _Size,
        *,
        dtype: type[_S],
        out: None = None,
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        size: _Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: npt.NDArray[_S],
        seed: _Source = None,
    ) -> npt.NDArray[_S]: ...
    @overload
    def sample(
        self,
        size: _Size | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        out: _Ints | None = None,
        seed: _Source = None,
    ) -> Any: ...

@final
class Bitslice(_Sampler):
    def __new__(
        cls,
        sigma: float | None = None,
        *,
        variance: _Ratio | None = None,
        precision: SupportsIndex = 64,
        kind: _Kind = "full",
        bits: SupportsIndex | None = None,
        tail: float | None = None,
    ) -> Bitslice: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...
    @property
    def precision(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def pmf(self) -> Pmf: ...
    @property
    def factor(self) -> int | None: ...

@final
class Ziggurat(_Sampler):
    def __new__(
        cls, sigma: float, *, rectangles: SupportsIndex = 1024, factor: SupportsIndex | None = None
    ) -> Ziggurat: ...
    def __getnewargs_ex__(self) -> tuple[tuple[float], dict[str, Any]]: ...

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
    size: _Size,
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
    size: _Size | None = None,
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
    size: _Size,
    *,
    bits: SupportsIndex | None = None,
    below: SupportsIndex | None = None,
    signed: bool = False,
    dtype: npt.DTypeLike | None = None,
    out: _Ints | None = None,
    seed: _Source = None,
) -> _Ints: ...
@overload
def uniform(
    size: _Size | None = None,
    *,
    bits: SupportsIndex | None = None,
    below: SupportsIndex | None = None,
    signed: bool = False,
    dtype: npt.DTypeLike | None = None,
    out: _Ints | None = None,
    seed: _Source = None,
) -> Any: ...

@final
class Pmf:
    def __new__(
        cls,
        sigma: float | None = None,
        *,
        variance: _Ratio | None = None,
        precision: SupportsIndex = 64,
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
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def __len__(self) -> int: ...

@overload
def matmul(
    x: _Entries,
    y: _Entries,
    /,
    *,
    dtype: type[_I],
    out: None = None,
    add: bool = False,
    order: _Order = "C",
) -> npt.NDArray[_I]: ...
@overload
def matmul(
    x: _Entries,
    y: _Entries,
    /,
    *,
    dtype: npt.DTypeLike | None = None,
    out: npt.NDArray[_I],
    add: bool = False,
    order: _Order = "C",
) -> npt.NDArray[_I]: ...
@overload
def matmul(
    x: _Entries,
    y: _Entries,
    /,
    *,
    dtype: npt.DTypeLike | None = None,
    out: _Ints | None = None,
    add: bool = False,
    order: _Order = "C",
) -> _Ints: ...
def modexp(
    base: SupportsIndex,
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    /,
    *,
    bits: SupportsIndex | None = None,
    exponent_bits: SupportsIndex | None = None,
    method: _Method = "barrett",
) -> int: ...
def modexp_batch(
    jobs: Sequence[tuple[SupportsIndex, SupportsIndex, SupportsIndex]],
    /,
    *,
    bits: SupportsIndex | None = None,
    exponent_bits: SupportsIndex | None = None,
    method: _Method = "barrett",
) -> list[int]: ...

@final
class Ice:
    def __new__(cls, level: SupportsIndex, key: _Data) -> Ice: ...
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
        l: SupportsIndex | None = None,
        v: SupportsIndex | None = None,
        r: SupportsIndex | None = None,
        w: SupportsIndex | None = None,
        b: SupportsIndex | None = None,
        lambda_: SupportsIndex | None = None,
        n: SupportsIndex | None = None,
        sigma: SupportsIndex | None = None,
        rho: SupportsIndex | None = None,
        round_t: SupportsIndex | None = None,
        challenge: _Challenge | None = None,
        norm_bound: SupportsIndex | None = None,
        insecure: bool = False,
    ) -> Params: ...
    @staticmethod
    def _of_header(header: _Data, insecure: bool) -> Params: ...
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
    def __reduce__(self) -> tuple[Any, tuple[bytes, bool]]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def estimate(params: Params | str, /) -> Estimate: ...
def optimise(
    b: SupportsIndex,
    l: SupportsIndex,
    *,
    w: SupportsIndex | None = None,
    bits: float = 128.0,
    quantum: bool = False,
    lambda_: SupportsIndex = 128,
    challenge: _Challenge = "ternary",
    whole_t: bool = False,
    key_hints: SupportsIndex = 0,
    masks: _Masks | None = None,
    proofs: SupportsIndex = 1,
) -> Params: ...
def random_witness(
    params: Params | str, *, seed: _Data | None = None
) -> npt.NDArray[Any]: ...
def commit(
    params: Params | str,
    witness: npt.NDArray[np.int8] | npt.NDArray[np.int32],
    *,
    seed_a: _Data | None = None,
    matrix: _Ints | None = None,
    keys: _Ints | None = None,
) -> bytes: ...
def prove(
    statement: _Data,
    witness: npt.NDArray[np.int8] | npt.NDArray[np.int32],
    *,
    context: _Data | None = None,
    seed: _Data | None = None,
    insecure: bool = False,
    check: bool = True,
    reproducible: bool = False,
    matrix: _Ints | None = None,
    exact: bool = False,
    hints: SupportsIndex = 1,
) -> bytes: ...
def verify(
    statement: _Data,
    proof: _Data,
    *,
    context: _Data | None = None,
    require: Sequence[str] = ...,
    insecure: bool = False,
    matrix: _Ints | None = None,
    keys: _Ints | None = None,
) -> None: ...
def r1cs(a: _Entries, b: _Entries, c: _Entries, *, public: SupportsIndex) -> bytes: ...
def prove_circuit(
    r1cs: _Data,
    wires: _Data | npt.NDArray[np.uint64],
    *,
    context: _Data | None = None,
    seed: _Data | None = None,
) -> tuple[bytes, bytes]: ...
def verify_circuit(
    r1cs: _Data,
    public: Sequence[SupportsIndex] | _Ints,
    statement: _Data,
    proof: _Data,
    *,
    context: _Data | None = None,
) -> None: ...
def prove_keys(
    set: str,
    keys: Sequence[tuple[_Data, _Data]],
    secrets: Sequence[_Data],
    *,
    purpose: _Data | None = None,
    seed: _Data | None = None,
) -> tuple[bytes, bytes]: ...
def prove_messages(
    messages: npt.NDArray[np.int8],
    *,
    ranges: Sequence[_Range] = ...,
    norms: Sequence[_Norm] = ...,
    facts: Sequence[_Fact] = ...,
    blocks: Sequence[_Block] = ...,
    context: _Data | None = None,
    seed: _Data | None = None,
    masks: _Masks | None = None,
    proofs: SupportsIndex = 1,
) -> tuple[bytes, bytes]: ...
def verify_messages(
    columns: SupportsIndex,
    statement: _Data,
    proof: _Data,
    *,
    ranges: Sequence[_Range] = ...,
    norms: Sequence[_Norm] = ...,
    facts: Sequence[_Fact] = ...,
    blocks: Sequence[_Block] = ...,
    context: _Data | None = None,
) -> None: ...
def verify_keys(
    set: str,
    keys: Sequence[tuple[_Data, _Data]],
    statement: _Data,
    proof: _Data,
    *,
    purpose: _Data | None = None,
) -> None: ...
def wipe(buffer: npt.NDArray[Any] | bytearray, /) -> None: ...
