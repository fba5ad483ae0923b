"""Exponentiation against Python's, ICE against its published vectors."""

import json
import random
from typing import Any

import pytest
import tautochrone as tc
from conftest import ROOT

METHODS: list[Any] = ["barrett", "auto"]


@pytest.mark.parametrize("method", METHODS)
def test_modexp(method: Any) -> None:
    rng = random.Random(7)
    for bits in [1, 2, 63, 64, 65, 256, 521, 2048, 4100]:
        for modulus in [1 << (bits - 1), (1 << bits) - 1, rng.getrandbits(bits) | 1, 1]:
            base, exponent = rng.getrandbits(bits), rng.getrandbits(min(bits, 300))
            want = pow(base, exponent, modulus)
            assert tc.modexp(base, exponent, modulus, method=method) == want
            width = bits + 200
            assert (
                tc.modexp(base, exponent, modulus, bits=width, exponent_bits=700, method=method)
                == want
            )


def test_modexp_of_wide_bases() -> None:
    assert tc.modexp(10**100, 3, 97) == pow(10**100, 3, 97)
    assert tc.modexp(0, 0, 5) == 1 and tc.modexp(5, 0, 1) == 0


@pytest.mark.parametrize("method", METHODS)
def test_modexp_batch(method: Any) -> None:
    rng = random.Random(8)
    jobs = [
        (rng.getrandbits(512), rng.getrandbits(100), rng.getrandbits(512) | i & 1 | 2)
        for i in range(300)
    ]
    assert tc.modexp_batch(jobs, method=method) == [pow(*job) for job in jobs]
    assert tc.modexp_batch([]) == []


def test_modexp_errors() -> None:
    for f in (tc.modexp, lambda *job: tc.modexp_batch([job])):
        with pytest.raises(tc.ParameterError, match="zero"):
            f(2, 3, 0)
        for job in [(-1, 3, 5), (2, -3, 5), (2, 3, -5)]:
            with pytest.raises(tc.ParameterError, match="negative"):
                f(*job)
    with pytest.raises(tc.ParameterError, match="does not fit 64 bits"):
        tc.modexp(1 << 64, 3, 5, bits=64)
    with pytest.raises(tc.ParameterError, match="method"):
        tc.modexp(1, 3, 5, method="fast")  # type: ignore[arg-type]


def test_ice_known_answers() -> None:
    text = (ROOT / "crates/ice/tests/kat/ice.json").read_text()
    cases = json.loads(text)
    assert len(cases) > 3
    for case in cases:
        ice = tc.Ice(case["level"], bytes.fromhex(case["key"]))
        plain, cipher = bytes.fromhex(case["pt"]), bytes.fromhex(case["ct"])
        assert ice.encrypt(plain) == cipher and ice.decrypt(cipher) == plain


def test_ice_of_long_data() -> None:
    data = tc.Stream(bytes(32)).bytes((1 << 23) + 8 * 37)
    ice = tc.Ice(2, bytearray(range(16)))
    cipher = ice.encrypt(bytearray(data))
    assert ice.decrypt(cipher) == data
    assert cipher[80:88] == ice.encrypt(data[80:88])
    assert ice.encrypt(b"") == b"" and ice.level == 2 and repr(ice) == "Ice(level=2)"


def test_ice_errors() -> None:
    with pytest.raises(tc.ParameterError, match="level 1"):
        tc.Ice(1, b"short")
    with pytest.raises(tc.ParameterError, match="multiple of 8"):
        tc.Ice(1, bytes(8)).encrypt(bytes(9))
