"""Statements, proofs and checks: arrays and options, for the proof system of `_native`."""

from collections.abc import Sequence
from contextlib import ExitStack
from math import isqrt
from operator import index
from typing import Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from tautochrone import _native
from tautochrone._arrays import (
    MISTAKES,
    Array,
    Data,
    Entries,
    Ints,
    erased,
    mistake,
    wrong_dtype,
    wrong_type,
)
from tautochrone._errors import ParameterError, RangeError, WitnessError

_Witness: TypeAlias = npt.NDArray[np.int8] | npt.NDArray[np.int32]
_Range: TypeAlias = tuple[SupportsIndex, SupportsIndex, SupportsIndex]
_Norm: TypeAlias = tuple[SupportsIndex, SupportsIndex]
_Fact: TypeAlias = tuple[Entries, Entries, SupportsIndex]
_Block: TypeAlias = tuple[SupportsIndex, SupportsIndex, Entries]
_Masks: TypeAlias = Literal["wide", "mixed", "narrow"]


def commit(
    params: _native.Params | str,
    witness: _Witness,
    *,
    seed_a: Data | None = None,
    matrix: Ints | None = None,
    keys: Ints | None = None,
) -> bytes:
    """The statement "I know short S with T = A S mod 2^w": its parameters, the seed of A, and T.

    params: Params or the name of a preset (see PRESETS). witness: S, an int8 or int32 array of
    shape (v, l) with entries in [-b, b]; in Fortran order it is not copied if it is int8, or int32
    where b exceeds 127; copies are erased. seed_a: the public 32 bytes from which A is expanded;
    None for fresh ones. Returns bytes, in the format of the program `prove`.

    LWE keys t = A' s + e are the columns of T: the witness is np.vstack([secrets, errors]). matrix:
    A' of another program, integers below 2^w of shape (r, v - r), instead of a seed; that it is as
    good as a random one is the caller's claim. keys: integers of shape (r, l) that T is compared
    with; T has to be whole for that (round_t=0).

    Constant time in the witness. Raises WitnessError if it does not fit, or gives other keys;
    ParameterError if A' or keys have another shape or are weak at sight. On all threads; the
    interpreter's lock is released, and no other thread may write to the witness meanwhile. Ctrl-C
    is heeded every 1024 columns.
    """
    if matrix is not None and seed_a is not None:
        raise ParameterError("A' is given by matrix; expected no seed_a")
    with ExitStack() as copies:
        columns = _columns(witness, copies)
        return _native.commit(params, columns, seed_a, _matrix(matrix), _keys(keys))


def prove(
    statement: Data,
    witness: _Witness,
    *,
    context: Data | None = None,
    seed: Data | None = None,
    insecure: bool = False,
    check: bool = True,
    reproducible: bool = False,
    matrix: Ints | None = None,
    exact: bool = False,
    hints: SupportsIndex = 1,
) -> bytes:
    """A proof, for a statement made by commit, of knowing its witness: it tells nothing else.

    statement: bytes. witness: as for commit. context: what the proof is for, any bytes; verify must
    be given the same. seed: 32 bytes of secret randomness, besides the operating system's;
    None for that alone. insecure: go on although the statement's parameters are insecure. check:
    verify the proof before it is returned (WitnessError if the witness is another statement's).

    reproducible: leave the operating system's entropy out, so that the same arguments give the same
    proof, for known answers. One wrong product, by a bit that flips, then reveals the witness.

    matrix: A', if commit was given one. exact: prove that every column of T is a key with secrets
    and errors within their bounds, exactly, for which verify is asked by "exact-keys:1:1" in
    `require`; T has to be whole. Such a proof gives away one random linear combination of the
    entries of each key. hints: for how many of these the keys have to be secure (optimise with
    key_hints).

    Constant time in the witness but for the number of attempts, two or three on average (rho),
    which is independent of it; and in binary mode, but for the certification of its norm. On all
    threads; the interpreter's lock is released, and no other thread may write to the witness
    meanwhile. Ctrl-C is heeded between attempts and between the blocks of a statement.
    """
    if reproducible and seed is None:
        raise ParameterError("reproducible needs a seed")
    with ExitStack() as copies:
        return _native.prove(
            statement,
            _columns(witness, copies),
            b"" if context is None else context,
            seed,
            insecure,
            check,
            reproducible,
            _matrix(matrix),
            exact,
            hints,
        )


def verify(
    statement: Data,
    proof: Data,
    *,
    context: Data | None = None,
    require: Sequence[str] = (),
    insecure: bool = False,
    matrix: Ints | None = None,
    keys: Ints | None = None,
) -> None:
    """Checks a proof. Returns None if it is valid; all else raises: no `if` takes the result.

    statement, proof: bytes. context: what the proof was made for. require: what the proof has to
    show besides, a list of texts as the program verify has them, "range:1024:0:1",
    "norm:1024:15476" or "exact-keys:1:1": whoever made a proof chose what it is about. insecure:
    accept statements of insecure parameters, which whoever wrote the statement chose. matrix, keys:
    as for commit: the A' that the statement has to be over, and the keys that it has to be about.

    Raises InvalidProof if the proof proves nothing about this statement in this context, or does
    not meet a requirement; ParameterError if a requirement is none, or the statement is over
    another A' or about other keys; MalformedError if either is no such file; InsecureError. A valid
    proof shows knowledge, for every column t of T, of an integer vector s' with A s' = t mod 2^w
    and ||s'|| <= 2 B, which is a longer one than the witness has (docs/protocol.md). On all
    threads; the interpreter's lock is released. Ctrl-C is heeded between the blocks of a statement.
    """
    context = b"" if context is None else context
    _native.verify(statement, proof, context, require, insecure, _matrix(matrix), _keys(keys))


def prove_messages(
    messages: npt.NDArray[np.int8],
    *,
    ranges: Sequence[_Range] = (),
    norms: Sequence[_Norm] = (),
    facts: Sequence[_Fact] = (),
    blocks: Sequence[_Block] = (),
    context: Data | None = None,
    seed: Data | None = None,
    masks: _Masks | None = None,
    proofs: SupportsIndex = 1,
) -> tuple[bytes, bytes]:
    """A statement that commits to messages, and a proof that shows exact claims about them.

    messages: an int8 array, each column of which is a message. ranges: a list of (rows, low, high):
    so many rows, from the first on and each range behind the one before, are from low to high; 2 to
    25 integers, 0 among them. norms: a list of (rows, bound): the squared norm of every column in
    so many rows, which follow the rows of ranges, is at most bound. All rows are in one of these.

    facts: a list of (left, right, value), integers with left @ messages @ right == value. blocks: a
    list of (row, column, entries): messages[row:, column:] begins with these entries. Both hold
    modulo p = 2^61 - 1, which is equality where ranges and norms keep both sides below p / 2.

    context: what the proof is for. seed: 32 secret bytes, None for the operating system's entropy.
    Returns statement and proof, for verify_messages; or for verify, whose argument `require` has
    "range:1024:0:1", say, or "norm:512:7000", and nothing of facts and blocks.

    Parameters are the ones of the smallest proof with 128 bits. masks, proofs: with "wide", "mixed"
    or None; where masks are named, T and so many proofs about it (1 to 2^20) are shortest together.
    Mixed ones make these three tenths shorter, and hide the randomness by LWE in so many proofs
    alone, rounded up to a power of two; wide ones hide in any number. Constant time in the messages
    but for the number of attempts, which is independent of them. Raises WitnessError if a claim is
    false. On all threads, without the interpreter's lock.
    """
    claim = _Claim.of(ranges, norms)
    if not isinstance(messages, np.ndarray):
        raise wrong_type("messages", "a numpy array", messages)
    if messages.dtype != np.int8 or messages.ndim != 2:
        raise wrong_dtype(messages.dtype, "int8, in two dimensions")
    if claim.given == 0:
        raise ParameterError("ranges and norms have no rows")
    rows, columns = messages.shape
    if rows != claim.given or columns == 0:
        text = f"messages have shape {messages.shape}; the claims are about {claim.given} rows"
        raise WitnessError(text)
    with ExitStack() as copies:
        whole = erased(np.zeros((columns, claim.rows), np.int8), copies)
        whole[:, :rows] = messages.T
        return _native.prove_messages(
            whole,
            claim.ranges,
            claim.norms,
            _facts(facts, rows, columns),
            blocks,
            claim.bound,
            claim.norm_squared,
            b"" if context is None else context,
            seed,
            masks,
            proofs,
        )


def verify_messages(
    columns: SupportsIndex,
    statement: Data,
    proof: Data,
    *,
    ranges: Sequence[_Range] = (),
    norms: Sequence[_Norm] = (),
    facts: Sequence[_Fact] = (),
    blocks: Sequence[_Block] = (),
    context: Data | None = None,
) -> None:
    """Checks a proof of claims about messages. Returns None if it is valid; all else raises.

    columns: how many messages there are. statement, proof: what prove_messages returned. ranges,
    norms, facts, blocks: the claims, in the same order: valid means that all of them hold of what
    the statement commits to. context: what the proof was made for.

    Raises InvalidProof, MalformedError, InsecureError; ParameterError if there are no such claims
    about this statement. On all threads, without the interpreter's lock.
    """
    claim = _Claim.of(ranges, norms)
    _native.verify_messages(
        claim.rows,
        columns,
        statement,
        proof,
        claim.ranges,
        claim.norms,
        _facts(facts, claim.given, columns),
        blocks,
        b"" if context is None else context,
    )


class _Claim(NamedTuple):
    """Ranges and norms of rows that follow one another, and behind them the bits of norms."""

    # First row, rows, low, high.
    ranges: list[tuple[int, int, int, int]]
    # First row, rows, bound on the squared norm, first row of its bits.
    norms: list[tuple[int, int, int, int]]
    # Rows that have messages; and all.
    given: int
    rows: int
    # Bounds on entries and on the squared norm of a column.
    bound: int
    norm_squared: int

    @staticmethod
    def of(ranges: Sequence[_Range], norms: Sequence[_Norm]) -> "_Claim":
        try:
            parts = [(index(rows), index(low), index(high)) for rows, low, high in ranges]
            lengths = [(index(rows), index(squared)) for rows, squared in norms]
        except MISTAKES as error:
            raise mistake(error) from None
        if any(rows < 0 for rows, *_ in parts) or any(min(length) < 0 for length in lengths):
            raise RangeError("a number of rows, or a bound on a squared norm, is negative")
        placed, measured, row, norm_squared = [], [], 0, 0
        for rows, low, high in parts:
            placed.append((row, rows, low, high))
            norm_squared += rows * max(low**2, high**2)
            row += rows
        given = bit = row + sum(rows for rows, _ in lengths)
        for rows, squared in lengths:
            measured.append((row, rows, squared, bit))
            norm_squared += squared
            row, bit = row + rows, bit + squared.bit_length()
        if bit > given:
            placed.append((given, bit - given, 0, 1))
            norm_squared += bit - given
        largest = [max(abs(low), abs(high)) for _, low, high in parts]
        bound = max([1, *largest, *(min(isqrt(squared), 127) for _, squared in lengths)])
        return _Claim(placed, measured, given, bit, bound, min(norm_squared, 2**64 - 1))


def _facts(facts: Sequence[_Fact], rows: int, columns: SupportsIndex) -> Sequence[_Fact]:
    """The facts, if they have a weight for every row and every column."""
    try:
        expected = rows, index(columns)
        got = [(len(left), len(right)) for left, right, _ in facts]
    except MISTAKES as error:
        raise mistake(error) from None
    for weights in got:
        if weights != expected:
            text = f"a fact has {weights} weights; expected {expected}, of rows and of columns"
            raise ParameterError(text)
    return facts

def _columns(witness: _Witness, copies: ExitStack) -> Array:
    """The columns of S, one after the other: a view, or a copy that is erased."""
    if not isinstance(witness, np.ndarray):
        raise wrong_type("witness", "a numpy array", witness)
    if witness.ndim != 2:
        raise WitnessError(f"the witness has {witness.ndim} dimensions; expected 2, (v, l)")
    if witness.dtype not in (np.int8, np.int32):
        raise wrong_dtype(witness.dtype, "int8 or int32")
    columns: Array = witness.T
    if columns.flags.c_contiguous and columns.flags.aligned:
        return columns
    return erased(columns.copy(), copies)


def _words(name: str, array: Ints) -> npt.NDArray[np.uint64]:
    """Integers in C order; negative ones become larger than any modulus."""
    if not isinstance(array, np.ndarray):
        raise wrong_type(name, "a numpy array", array)
    if array.ndim != 2:
        raise ParameterError(f"{name} has {array.ndim} dimensions; expected 2")
    if array.dtype.kind not in "iu":
        raise wrong_dtype(array.dtype, "integers")
    return np.ascontiguousarray(array, np.uint64)


def _matrix(matrix: Ints | None) -> npt.NDArray[np.uint64] | None:
    """A', row after row."""
    return None if matrix is None else _words("matrix", matrix)


def _keys(keys: Ints | None) -> npt.NDArray[np.uint64] | None:
    """Keys, column after column."""
    return None if keys is None else _words("keys", getattr(keys, "T", keys))
