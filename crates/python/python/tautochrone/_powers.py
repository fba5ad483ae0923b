"""Exponentiation: ints as the limbs of `_native`."""

from collections.abc import Sequence
from operator import index
from typing import Literal, SupportsIndex, TypeAlias

from tautochrone import _native
from tautochrone._arrays import MISTAKES, mistake
from tautochrone._errors import ParameterError, RangeError

_Job: TypeAlias = tuple[SupportsIndex, SupportsIndex, SupportsIndex]
_Method: TypeAlias = Literal["barrett", "auto"]


def modexp(
    base: SupportsIndex,
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    /,
    *,
    bits: SupportsIndex | None = None,
    exponent_bits: SupportsIndex | None = None,
    method: _Method = "barrett",
) -> int:
    """base^exponent mod modulus, for any modulus but 0, in a time that the widths alone determine.

    base, exponent, modulus: ints >= 0, also of numpy. bits: width of base and modulus;
    exponent_bits: width of the exponent. Widths are rounded up to multiples of 64 and by default
    the widths of the values, which the time then shows: give them where lengths are secret. method:
    "barrett", the same time for every modulus; or "auto", which may be faster and show whether the
    modulus is odd.

    Python's own arithmetic with ints is not constant time, and ints cannot be erased; the limbs
    made here are. The interpreter's lock is released; Ctrl-C waits for the end (4096 bits take
    milliseconds, 65536 bits some seconds).
    """
    job = (base, exponent, modulus)
    return modexp_batch([job], bits=bits, exponent_bits=exponent_bits, method=method)[0]


def modexp_batch(
    jobs: Sequence[_Job],
    /,
    *,
    bits: SupportsIndex | None = None,
    exponent_bits: SupportsIndex | None = None,
    method: _Method = "barrett",
) -> list[int]:
    """[modexp(base, exponent, modulus) for each of jobs], eight of one width together and on all
    threads: several times faster than one after the other.

    jobs: sequence of (base, exponent, modulus). bits, exponent_bits, method: as of modexp, for all
    jobs; a default width is each job's own. Ctrl-C is heeded between groups of jobs.
    """
    operands = [_operands(job, bits, exponent_bits) for job in jobs]
    return [int.from_bytes(power, "little") for power in _native.powers(operands, method)]


def _operands(
    job: _Job, bits: SupportsIndex | None, exponent_bits: SupportsIndex | None
) -> tuple[bytes, bytes, bytes]:
    """The limbs of base, exponent and modulus."""
    try:
        base, exponent, modulus = map(index, job)
        longest = max(base.bit_length(), modulus.bit_length())
        width = longest if bits is None else index(bits)
        own = exponent.bit_length() if exponent_bits is None else index(exponent_bits)
    except MISTAKES as error:
        raise mistake(error) from None
    return (
        _limbs("base", base, width),
        _limbs("exponent", exponent, own),
        _limbs("modulus", modulus, width),
    )


def _limbs(name: str, number: int, bits: int) -> bytes:
    """The number in as many limbs of 64 bits as hold so many bits, at least one."""
    if not 0 <= bits < 1 << 63:
        raise RangeError(f"a width is {bits} bits; expected 0 to 2^63 - 1")
    try:
        return number.to_bytes(8 * max(1, -(-bits // 64)), "little")
    except OverflowError:
        raise ParameterError(f"{name} is negative or does not fit {bits} bits") from None
