"""Samplers: shapes, dtypes, distributions, errors."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import tautochrone as tc
from conftest import SEED

SAMPLERS: list[Any] = [tc.Facct(3.2), tc.Bitslice(3.19), tc.Ziggurat(3.2)]
INTEGERS = [np.int8, np.int16, np.int32, np.int64]


@pytest.mark.parametrize("sampler", SAMPLERS, ids=repr)
class TestArrays:
    @pytest.mark.parametrize("shape", [0, 1, 7, (), (3, 0), (2, 3, 5), [4, 2], np.int64(6)])
    def test_shapes(self, sampler: Any, shape: Any) -> None:
        assert sampler.sample(shape).shape == np.zeros(shape).shape
        assert sampler.sample(shape).dtype == np.int64

    @pytest.mark.parametrize("dtype", INTEGERS)
    def test_dtypes_hold_the_same_samples(self, sampler: Any, dtype: type) -> None:
        n = 70_000  # more than a batch
        wide, cut = sampler.sample(n, seed=SEED), sampler.sample(n, dtype=dtype, seed=SEED)
        assert cut.dtype == dtype
        assert np.array_equal(wide, cut)

    def test_out_is_filled_and_returned(self, sampler: Any) -> None:
        out = np.full((100, 3), 99, np.int16)
        assert sampler.sample(out=out, seed=SEED) is out
        assert np.array_equal(out, sampler.sample((100, 3), seed=SEED))
        assert sampler.sample((100, 3), dtype="int16", out=out) is out

    def test_what_out_may_not_be(self, sampler: Any) -> None:
        for out in [np.zeros((4, 6), np.int64)[:, ::2], np.zeros((4, 6), np.int64, order="F")]:
            with pytest.raises(tc.ParameterError, match="C-contiguous"):
                sampler.sample(out=out)
        frozen = np.zeros(4, np.int64)
        frozen.flags.writeable = False
        with pytest.raises(tc.ParameterError, match="writeable"):
            sampler.sample(out=frozen)
        unaligned = np.zeros(33, np.uint8)[1:].view(np.int64)
        with pytest.raises(tc.ParameterError, match="aligned"):
            sampler.sample(out=unaligned)
        with pytest.raises(tc.ParameterError, match="size is"):
            sampler.sample(5, out=np.zeros(4, np.int64))
        with pytest.raises(tc.ArgumentTypeError):
            sampler.sample(out=np.zeros(4, np.int64), dtype=np.int32)
        for bad in [np.zeros(4), np.zeros(4, np.uint32), np.zeros(4, ">i4")]:
            with pytest.raises(tc.ArgumentTypeError, match="expected int64, int32"):
                sampler.sample(out=bad)
        foreign = np.dtype(np.int32).newbyteorder()
        with pytest.raises(tc.ArgumentTypeError, match="byte order"):
            sampler.sample(4, dtype=foreign)
        with pytest.raises(tc.ArgumentTypeError, match="byte order"):
            tc.uniform(4, bits=3, signed=True, out=np.zeros(4, foreign))

    def test_bad_shapes(self, sampler: Any) -> None:
        with pytest.raises((MemoryError, tc.ParameterError)):
            sampler.sample(1 << 60)

    def test_entropy_differs_and_a_stream_goes_on(self, sampler: Any) -> None:
        assert not np.array_equal(sampler.sample(1000), sampler.sample(1000))
        stream = tc.Stream(SEED)
        first, second = sampler.sample(1000, seed=stream), sampler.sample(1000, seed=stream)
        assert np.array_equal(first, sampler.sample(1000, seed=SEED))
        assert not np.array_equal(first, second)
        assert stream.position > 1000

    def test_moments(self, sampler: Any) -> None:
        n = 1 << 20
        samples = sampler.sample(n, seed=SEED).astype(float)
        assert abs(samples.mean()) < 5 * sampler.sigma / math.sqrt(n)
        assert abs(samples.var() / sampler.sigma**2 - 1) < 5 * math.sqrt(2 / n)
        assert np.abs(samples).max() <= sampler.bound


def test_a_dtype_that_is_too_narrow_is_refused() -> None:
    samplers: list[Any] = [tc.Facct(1e6), tc.Ziggurat(1e6), tc.Bitslice(300.0)]
    for sampler in samplers:
        with pytest.raises(tc.ParameterError, match="127"):
            sampler.sample(3, dtype=np.int8)
    assert tc.Facct(1e6).sample(3, dtype=np.int32).dtype == np.int32


@pytest.mark.parametrize("seed", ["x" * 32, b"short", bytearray(33), 7, [0] * 32])
def test_a_seed_is_32_bytes(seed: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="32 bytes"):
        tc.Facct(3.2).sample(4, seed=seed)


def test_centres() -> None:
    facct = tc.Facct(5.0)
    centres = np.linspace(-1e9, 1e9, 100_000)
    samples = facct.sample(centre=centres, seed=SEED)
    assert samples.shape == centres.shape
    deviations = samples - centres
    assert abs(deviations.mean()) < 0.1 and abs(deviations.std() / 5.0 - 1) < 0.02
    # A copy is drawn from where the array does not fit.
    strided = np.repeat(centres, 2)[::2]
    assert np.array_equal(samples, facct.sample(centre=strided, seed=SEED))
    assert np.array_equal(strided, centres)
    foreign = centres.astype(centres.dtype.newbyteorder())
    assert np.array_equal(samples, facct.sample(centre=foreign, seed=SEED))
    assert np.array_equal(foreign, centres)
    # Broadcast like any other operand of numpy.
    rows = facct.sample((3, 1000), centre=np.array([[0.0], [1e6], [-1e6]]), seed=SEED)
    assert np.abs(rows.mean(axis=1) - [0, 1e6, -1e6]).max() < 1
    scalar = facct.sample(10_000, centre=0.5, seed=SEED)
    assert abs(scalar.mean() - 0.5) < 0.3
    out = np.zeros(100_000, np.int64)
    assert facct.sample(centre=centres, out=out, seed=SEED) is out
    assert np.array_equal(out, samples)


def test_bad_centres() -> None:
    facct = tc.Facct(5.0)
    centres: list[Any] = [math.nan, math.inf, 2.0**51, np.array([0.0, math.nan, 0.0])]
    for centre in centres:
        with pytest.raises(tc.ParameterError, match="centre"):
            facct.sample(3, centre=centre)
    with pytest.raises(tc.ParameterError, match="do not broadcast"):
        facct.sample(3, centre=np.zeros(4))
    with pytest.raises(tc.ArgumentTypeError, match="float64"):
        facct.sample(3, centre=np.zeros(3, np.longdouble))
    with pytest.raises(tc.ArgumentTypeError, match="int64 where there is a centre"):
        facct.sample(3, centre=0.5, dtype=np.int32)


def test_impossible_samplers() -> None:
    for sigma in [0.0, 1.9, -3.0, math.nan, math.inf, 2.0**32]:
        with pytest.raises(tc.ParameterError, match="sigma"):
            tc.Facct(sigma)
    with pytest.raises(tc.ParameterError):
        tc.Bitslice(3.0, precision=31)
    with pytest.raises(tc.ParameterError, match="bimodal"):
        tc.Bitslice(3.0, kind="both")  # type: ignore[arg-type]
    with pytest.raises(tc.ParameterError):
        tc.Bitslice(30.0, bits=4)
    with pytest.raises(tc.ParameterError):
        tc.Bitslice(30.0, tail=20.0)
    with pytest.raises(tc.ParameterError):
        tc.Ziggurat(3.0, rectangles=0)


def test_kinds() -> None:
    for kind in ["folded-half", "unfolded-half"]:
        assert tc.Bitslice(3.0, kind=kind).sample(1000).min() >= 0  # type: ignore[arg-type]
    bimodal = tc.Bitslice(3.0, kind="bimodal").sample(100_000, seed=SEED)
    assert abs(bimodal.mean() - 0.5) < 0.1
    assert tc.Bitslice(3.0, kind="bimodal").kind == "bimodal"
    assert tc.Bitslice(5000.0).factor is not None


def test_pmf_is_exact() -> None:
    pmf = tc.Pmf(3.19, precision=128)
    assert sum(pmf.masses) == 1 << 128
    assert sum(pmf.fractions()) == 1
    assert len(pmf) == len(pmf.masses) == len(pmf.fractions())
    assert pmf.sigma == 3.19
    # Against the definition, in floating point.
    z = np.arange(len(pmf))
    rho = np.exp(-(z**2) / (2 * 3.19**2))
    rho[1:] *= 2
    assert np.allclose(pmf.floats(), rho / rho.sum(), rtol=1e-12)
    assert pmf.distance().log2_statistical < -120
    # sigma^2 may be a fraction; 3.19 is read as 319/100.
    exact = tc.Pmf(variance=Fraction(319, 100) ** 2, precision=128)
    assert exact.masses == pmf.masses
    half = tc.Pmf(2.0, half="unfolded")
    assert half.masses[0] > tc.Pmf(2.0).masses[0]
    for bad in [
        {},
        {"sigma": 2.0, "variance": Fraction(4)},
        {"sigma": 2.0, "half": "both"},
        {"sigma": -1.0},
    ]:
        with pytest.raises(tc.ParameterError):
            tc.Pmf(**bad)  # type: ignore[arg-type]


def test_a_width_that_is_a_fraction() -> None:
    exact = tc.Bitslice(variance=Fraction(7, 3), precision=128)
    assert exact.pmf.masses == tc.Pmf(variance=Fraction(7, 3), precision=128).masses
    assert exact.pmf.masses != tc.Bitslice(exact.sigma, precision=128).pmf.masses
    assert math.isclose(exact.sigma, math.sqrt(7 / 3))
    assert tc.Bitslice(variance=9).pmf.masses == tc.Bitslice(3.0).pmf.masses
    # As sigma it would be rounded, without a word.
    widths: list[Any] = [tc.Facct, tc.Bitslice, tc.Ziggurat, tc.Pmf]
    for make in widths:
        with pytest.raises(tc.ParameterError, match="variance="):
            make(Fraction(7, 3))
        for sigma in [7, np.int64(7), np.float32(7), Fraction(7)]:
            assert make(sigma).sigma == 7.0
    bad: list[Any] = [2.5, "7/3", Fraction(-7, 3), 0, Fraction(1, 1 << 128)]
    for make in [tc.Bitslice, tc.Pmf]:
        for variance in bad:
            with pytest.raises(tc.ParameterError, match="variance|sigma"):
                make(variance=variance)
        for both in [{}, {"sigma": 2.0, "variance": Fraction(4)}]:
            with pytest.raises(tc.ParameterError, match="one of sigma and variance"):
                make(**both)


def test_samples_follow_the_pmf() -> None:
    sampler, n = tc.Bitslice(3.19, kind="folded-half"), 1 << 20
    counts = np.bincount(sampler.sample(n, seed=SEED), minlength=len(sampler.pmf))
    expected = sampler.pmf.floats() * n
    seen = expected > 10
    chi2 = ((counts - expected)[seen] ** 2 / expected[seen]).sum()
    assert chi2 < seen.sum() + 5 * math.sqrt(2 * seen.sum())


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_uniform(dtype: Any) -> None:
    width = np.iinfo(dtype).bits
    for bits in {1, 5, width}:
        x = tc.uniform(10_000, bits=bits, dtype=dtype, seed=SEED)
        assert x.dtype == dtype and int(x.max()) < 1 << bits
        assert abs(float(x.mean()) / ((1 << bits) / 2) - 1) < 0.1 or bits == 1
    x = tc.uniform(10_000, below=100, dtype=dtype, seed=SEED)
    assert x.max() == 99 and x.min() == 0
    with pytest.raises(tc.ParameterError, match="bits"):
        tc.uniform(3, bits=width + 1, dtype=dtype)
    with pytest.raises(tc.ParameterError):
        tc.uniform(3, below=(1 << width) + 1 if width < 64 else 0, dtype=dtype)


def test_uniform_signed() -> None:
    x = tc.uniform((100, 100), bits=3, signed=True, dtype=np.int8, seed=SEED)
    assert x.min() == -4 and x.max() == 3
    assert tc.uniform(3, bits=3, signed=True).dtype == np.int64
    assert tc.uniform(3, below=3).dtype == np.uint64
    for bad in [{}, {"bits": 3, "below": 3}, {"below": 3, "signed": True}]:
        with pytest.raises(tc.ParameterError, match="give bits"):
            tc.uniform(3, **bad)  # type: ignore[call-overload]
    with pytest.raises(tc.ArgumentTypeError, match="uint8"):
        tc.uniform(3, bits=3, dtype=np.int32)


def test_streams() -> None:
    stream = tc.Stream(SEED, "a label", 3)
    assert stream.bytes(20) + stream.bytes(12) == tc.Stream(SEED, "a label", 3).bytes(32)
    assert stream.position == 32 and repr(stream) == "Stream(position=32)"
    others = [
        tc.Stream(SEED),
        tc.Stream(SEED, "a label"),
        tc.Stream(bytearray(32), "a label", 3),
        tc.Stream(),
    ]
    assert len({s.bytes(32) for s in others}) == 4
    with pytest.raises(tc.ParameterError, match="label"):
        tc.Stream(SEED, "x" * 2000)


def test_wipe() -> None:
    samples = tc.Facct(3.2).sample((30, 4))
    tc.wipe(samples[:, ::2])
    assert not samples[:, ::2].any() and samples[:, 1::2].any()
    text = bytearray(b"secret")
    tc.wipe(text)
    assert text == bytes(6)
