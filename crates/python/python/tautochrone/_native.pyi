import builtins
from collections.abc import Sequence
from typing import Any, Final, Literal, SupportsIndex, TypeAlias, final

import numpy as np
import numpy.typing as npt

from tautochrone._arrays import Array as _Array
from tautochrone._arrays import Data as _Data
from tautochrone._arrays import Entries as _Entries
from tautochrone._arrays import Ints as _Ints
from tautochrone._estimates import Estimate

_Source: TypeAlias = _Data | Stream | None
_Words: TypeAlias = npt.NDArray[np.uint64]
_Placed: TypeAlias = tuple[SupportsIndex, SupportsIndex, SupportsIndex, SupportsIndex]
_Fact: TypeAlias = tuple[_Entries, _Entries, SupportsIndex]
_Block: TypeAlias = tuple[SupportsIndex, SupportsIndex, _Entries]
_Challenge: TypeAlias = Literal["ternary", "binary"]
_Masks: TypeAlias = Literal["wide", "mixed", "narrow"]

__all__ = [
    "PRESETS",
    "VERSION",
    "Ice",
    "Params",
    "Sampler",
    "Stream",
    "Table",
    "bitslice",
    "commit",
    "estimate",
    "facct",
    "multiply",
    "optimise",
    "powers",
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
    "ziggurat",
]

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
class Sampler:
    @property
    def sigma(self) -> float: ...
    @property
    def bound(self) -> int: ...
    def fill(self, array: _Array, seed: _Source) -> None: ...
    def fill_centred(self, array: _Array, mu: float, seed: _Source) -> None: ...
    def fill_centres(
        self, array: _Array, centres: npt.NDArray[np.float64], seed: _Source
    ) -> None: ...

@final
class Table:
    def __new__(
        cls,
        sigma: float | None,
        variance: tuple[int, int] | None,
        precision: SupportsIndex,
        half: str,
    ) -> Table: ...
    @property
    def sigma(self) -> float: ...
    @property
    def masses(self) -> list[int]: ...
    @property
    def precision(self) -> int: ...
    @property
    def half(self) -> str: ...
    def distance(self) -> tuple[float, float, float, float]: ...

def facct(sigma: float) -> Sampler: ...
def bitslice(
    sigma: float | None,
    variance: tuple[int, int] | None,
    precision: SupportsIndex,
    kind: str,
    bits: SupportsIndex | None,
    tail: float | None,
) -> tuple[Sampler, Table, int | None]: ...
def ziggurat(sigma: float, rectangles: SupportsIndex, factor: SupportsIndex | None) -> Sampler: ...
def uniform(
    array: _Array,
    bits: SupportsIndex | None,
    below: SupportsIndex | None,
    signed: bool,
    seed: _Source,
) -> None: ...
def multiply(x: _Array, y: _Array, z: _Array, add: bool) -> None: ...
def powers(jobs: Sequence[tuple[bytes, bytes, bytes]], method: str) -> list[bytes]: ...

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
    witness: _Array,
    seed_a: _Data | None,
    matrix: _Words | None,
    keys: _Words | None,
) -> bytes: ...
def prove(
    statement: _Data,
    witness: _Array,
    context: _Data,
    seed: _Data | None,
    insecure: bool,
    check: bool,
    reproducible: bool,
    matrix: _Words | None,
    exact: bool,
    hints: SupportsIndex,
) -> bytes: ...
def verify(
    statement: _Data,
    proof: _Data,
    context: _Data,
    require: Sequence[str],
    insecure: bool,
    matrix: _Words | None,
    keys: _Words | None,
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
    ranges: Sequence[_Placed],
    norms: Sequence[_Placed],
    facts: Sequence[_Fact],
    blocks: Sequence[_Block],
    bound: SupportsIndex,
    norm_squared: SupportsIndex,
    context: _Data,
    seed: _Data | None,
    masks: str | None,
    proofs: SupportsIndex,
) -> tuple[bytes, bytes]: ...
def verify_messages(
    rows: SupportsIndex,
    columns: SupportsIndex,
    statement: _Data,
    proof: _Data,
    ranges: Sequence[_Placed],
    norms: Sequence[_Placed],
    facts: Sequence[_Fact],
    blocks: Sequence[_Block],
    context: _Data,
) -> None: ...
def verify_keys(
    set: str,
    keys: Sequence[tuple[_Data, _Data]],
    statement: _Data,
    proof: _Data,
    *,
    purpose: _Data | None = None,
) -> None: ...
