"""Arguments as users of numpy give them, one tree of exceptions, and copies of data."""

import copy
import inspect
import pickle
import traceback
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import tautochrone as tc
from conftest import SEED

FACCT: Any = tc.Facct(3.2)
# A fault, and the exception of Python that it is, too.
WRONG: list[tuple[str, type[Exception], Callable[[Any], object]]] = [
    ("too large", OverflowError, lambda t: t.uniform(3, below=2**70)),
    ("negative index", OverflowError, lambda t: t.Stream(SEED, "x", -1)),
    ("negative count", OverflowError, lambda t: t.Stream(SEED).bytes(-1)),
    ("negative size", ValueError, lambda t: FACCT.sample(-1)),
    ("size of out", ValueError, lambda t: FACCT.sample(-1, out=np.zeros(3, np.int64))),
    ("text as a size", TypeError, lambda t: FACCT.sample("four")),
    ("float as a size", TypeError, lambda t: FACCT.sample(1.5)),
    ("unknown dtype", TypeError, lambda t: FACCT.sample(3, dtype="no dtype")),
    ("list as out", TypeError, lambda t: FACCT.sample(out=[0, 0])),
    ("a number as a seed", TypeError, lambda t: FACCT.sample(3, seed=42)),
    ("a generator as a seed", TypeError, lambda t: FACCT.sample(3, seed=np.random.default_rng(1))),
    ("words as a seed", TypeError, lambda t: FACCT.sample(3, seed=np.zeros(32, np.uint64))),
    ("a short seed", ValueError, lambda t: FACCT.sample(3, seed=bytes(31))),
    ("text as a centre", TypeError, lambda t: FACCT.sample(3, centre=["a"])),
    ("complex centres", TypeError, lambda t: FACCT.sample(3, centre=[1j])),
    ("text as sigma", TypeError, lambda t: t.Facct("3.2")),
    ("precision", TypeError, lambda t: t.Bitslice(3.0, precision=64.5)),
    ("tail", TypeError, lambda t: t.Bitslice(3.0, tail="long")),
    ("kind", TypeError, lambda t: t.Bitslice(3.0, kind=1)),
    ("rectangles", OverflowError, lambda t: t.Ziggurat(3.0, rectangles=-1)),
    ("a float as an operand", TypeError, lambda t: t.matmul([[1.5]], [[1]])),
    ("ragged lists", ValueError, lambda t: t.matmul([[1], [1, 2]], [[1]])),
    ("add", TypeError, lambda t: t.matmul([[1]], [[1]], add="yes")),
    ("a float to a power", TypeError, lambda t: t.modexp(2.0, 3, 5)),
    ("jobs", ValueError, lambda t: t.modexp_batch([(1, 2)])),
    ("a job", TypeError, lambda t: t.modexp_batch([(1, 2, "3")])),
    ("bits", OverflowError, lambda t: t.modexp(1, 2, 3, bits=-1)),
    ("level", OverflowError, lambda t: t.Ice(256, bytes(8))),
    ("key", TypeError, lambda t: t.Ice(1, "password")),
    ("data", TypeError, lambda t: t.Ice(1, bytes(8)).encrypt("text")),
    ("a parameter", TypeError, lambda t: t.Params(l=1.5)),
    ("a large parameter", OverflowError, lambda t: t.Params(w=2**32)),
    ("parameters", TypeError, lambda t: t.estimate(5)),
    ("b", TypeError, lambda t: t.optimise("1", 4096)),
    ("dtype of a witness", TypeError, lambda t: t.commit("T1-128", np.zeros((2600, 1024)))),
    ("dimensions of it", ValueError, lambda t: t.commit("T1-128", np.zeros(2600, np.int8))),
    ("a list as a witness", TypeError, lambda t: t.commit("T1-128", [[0]])),
    ("statement", TypeError, lambda t: t.verify("statement", b"")),
    ("requirements", TypeError, lambda t: t.verify(b"", b"", require="range:1:0:1")),
    ("facts", TypeError, lambda t: t.verify_messages(1, b"", b"", facts=[1])),
    ("a block", ValueError, lambda t: t.verify_messages(1, b"", b"", blocks=[(1, 2)])),
    ("columns", OverflowError, lambda t: t.verify_messages(-1, b"", b"")),
    ("wires", TypeError, lambda t: t.prove_circuit(b"", [1, 2])),
    ("public inputs", OverflowError, lambda t: t.verify_circuit(b"", [-1], b"", b"")),
    ("rows of a circuit", TypeError, lambda t: t.r1cs([1], [1], [1], public=0)),
    ("A'", TypeError, lambda t: t.verify(b"", b"", matrix=np.zeros((2, 2)))),
    ("keys", TypeError, lambda t: t.verify(b"", b"", keys=[[1]])),
    ("keys of others", TypeError, lambda t: t.verify_keys("ML-KEM-512", [b"key"], b"", b"")),
    ("wipe", TypeError, lambda t: t.wipe(b"secret")),
]


@pytest.mark.parametrize("kind, call", [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_every_mistake_is_an_error_of_this_package(
    kind: type[Exception], call: Callable[[Any], object]
) -> None:
    with pytest.raises(tc.Error) as caught:
        call(tc)
    error = caught.value
    assert isinstance(error, kind)
    shown = "".join(traceback.format_exception(error))
    assert f"\ntautochrone.{type(error).__name__}: " in shown
    assert "tautochrone._" not in shown and "extract" not in shown and "cast" not in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_modules_are_public() -> None:
    for name in tc.__all__:
        thing = getattr(tc, name)
        if inspect.isclass(thing):
            assert thing.__module__ == "tautochrone", name
        if callable(thing):
            assert pickle.loads(pickle.dumps(thing)) is thing


def test_wrong_calls_are_of_python() -> None:
    module: Any = tc
    for call in [
        lambda: FACCT.sample(shape=3),
        lambda: module.Facct(),
        lambda: module.modexp(1, 2),
    ]:
        with pytest.raises(TypeError, match="argument"):
            call()  # type: ignore[no-untyped-call]


SAMPLERS: list[Any] = [
    tc.Facct(3.2),
    tc.Bitslice(3.19),
    tc.Bitslice(variance=Fraction(7, 3), precision=100, kind="bimodal"),
    tc.Bitslice(30.0, bits=12, tail=6.0, kind="folded-half"),
    tc.Bitslice(5000.0),
    tc.Ziggurat(10.0),
    tc.Ziggurat(10.0, rectangles=64, factor=3),
]
COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    *(lambda x, p=p: pickle.loads(pickle.dumps(x, p)) for p in range(2, 6)),
]


@pytest.mark.parametrize("copied", COPIES)
def test_samplers_are_copied_and_pickled(copied: Callable[[Any], Any]) -> None:
    for sampler in SAMPLERS:
        other = copied(sampler)
        assert repr(other) == repr(sampler) and other.sigma == sampler.sigma
        assert np.array_equal(other.sample(5000, seed=SEED), sampler.sample(5000, seed=SEED))
        # And again.
        assert repr(copied(other)) == repr(sampler)


@pytest.mark.parametrize("copied", COPIES)
def test_tables_and_figures_are_copied_and_pickled(copied: Callable[[Any], Any]) -> None:
    tables = [
        tc.Pmf(3.19, precision=100),
        tc.Pmf(variance=Fraction(7, 3), half="unfolded"),
        tc.Bitslice(5000.0).pmf,
    ]
    for pmf in tables:
        other = copied(pmf)
        assert (other.masses, repr(other)) == (pmf.masses, repr(pmf))
        assert copied(pmf.distance()) == pmf.distance()
    estimate = tc.estimate("H4-128")
    assert copied(estimate) == estimate and copied(estimate.binding) == estimate.binding
    assert estimate.binding.beta == estimate[0][0]
    assert repr(copied(estimate)) == repr(estimate)


@pytest.mark.parametrize("copied", COPIES)
def test_parameters_are_copied_pickled_and_hashed(copied: Callable[[Any], Any]) -> None:
    every = [tc.Params(name) for name in tc.PRESETS if name != "seed"]
    every += [
        tc.Params("T4-128", r=400, insecure=True),
        tc.Params("seed", insecure=True),
        tc.optimise(1, 4096, challenge="binary"),
    ]
    for params in every:
        other = copied(params)
        assert other == params and hash(other) == hash(params)
        assert tc.estimate(other) == tc.estimate(params)
    assert len({*every, *map(copied, every)}) == len(every)
    statement = tc.commit("T1-128", tc.random_witness("T1-128"))
    assert {tc.Params("T1-128"): 1}[tc.Params.of_statement(statement)] == 1


def test_a_pickle_waives_no_security() -> None:
    weak = tc.Params("T4-128", r=400, insecure=True)
    make, (header, insecure) = weak.__reduce__()
    assert insecure
    with pytest.raises(tc.InsecureError):
        make(header, False)
    for bad in [b"", header[:-1], bytes(len(header))]:
        with pytest.raises(tc.MalformedError):
            make(bad, True)


def test_streams_and_keys_are_not_copied() -> None:
    for secret in [tc.Stream(SEED), tc.Ice(1, bytes(8))]:
        for copied in COPIES:
            with pytest.raises(TypeError, match="pickle"):
                copied(secret)


def test_seeds_of_any_buffer_of_bytes() -> None:
    want = FACCT.sample(20, seed=SEED)
    array = np.frombuffer(SEED, np.uint8)
    strided = np.repeat(array, 2)[::2]
    for seed in [bytearray(SEED), memoryview(SEED), array, array.copy(), strided]:
        assert np.array_equal(FACCT.sample(20, seed=seed), want)
        assert bytes(seed) == SEED
    assert tc.Stream(array).bytes(8) == tc.Stream(SEED).bytes(8)
    # As the documentation says.
    for of_numpy in [
        np.random.default_rng(7).bytes(32),
        np.random.SeedSequence(7).generate_state(8).tobytes(),
    ]:
        assert FACCT.sample(3, seed=of_numpy).shape == (3,)


def test_bytes_of_any_buffer() -> None:
    data = bytes(range(64))
    ice = tc.Ice(1, np.zeros(8, np.uint8))
    forms: list[Any] = [bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)]
    for form in forms:
        assert ice.encrypt(form) == tc.Ice(1, bytes(8)).encrypt(data)
    witness = tc.random_witness("T1-128")
    statement = tc.commit("T1-128", witness)
    proof = tc.prove(memoryview(statement), witness, context=memoryview(b"c"))
    tc.verify(np.frombuffer(statement, np.uint8), memoryview(proof), context=bytearray(b"c"))


def test_integers_of_numpy() -> None:
    assert tc.modexp(np.int64(3), np.uint8(5), np.int32(100)) == 43
    assert tc.modexp_batch([(np.int64(3), np.uint8(5), np.int32(100))]) == [43]
    assert FACCT.sample(np.int64(3)).shape == (3,)
    assert tc.Params("T1-128", l=np.int64(500)).l == 500
    assert tc.Stream(SEED, "x", np.uint64(3)).bytes(np.int8(4)) == tc.Stream(SEED, "x", 3).bytes(4)


@pytest.mark.parametrize("sampler", SAMPLERS, ids=repr)
def test_one_sample_is_a_scalar(sampler: Any) -> None:
    one = sampler.sample(seed=SEED)
    assert type(one) is np.int64 and one == sampler.sample(1, seed=SEED)[0]
    assert type(sampler.sample(dtype=np.int32)) is np.int32
    assert type(sampler.sample(())) is np.ndarray


def test_other_scalars() -> None:
    assert type(tc.uniform(below=10)) is np.uint64
    assert type(tc.uniform(bits=3, signed=True, dtype=np.int8)) is np.int8
    for centre in [0.5, 1, np.float32(0.5), np.int64(3), np.array(0.5)]:
        assert type(FACCT.sample(centre=centre)) is np.int64
    assert tc.matmul([1, 2], [3, 4]) == 11


def test_centres_of_any_numbers() -> None:
    want = FACCT.sample(centre=np.array([0.5, 1e6, -3.0]), seed=SEED)
    for centres in [[0.5, 1e6, -3], (0.5, 1e6, -3.0), np.array([0.5, 1e6, -3], np.float32)]:
        assert np.array_equal(FACCT.sample(centre=centres, seed=SEED), want)
    whole = np.array([5, 1000, -3])
    for dtype in [np.int16, np.int64, np.float16]:
        assert np.array_equal(
            FACCT.sample(centre=whole.astype(dtype), seed=SEED),
            FACCT.sample(centre=whole.astype(float), seed=SEED),
        )
    assert FACCT.sample((2, 3), centre=[[0], [1e6]]).shape == (2, 3)
    assert list(whole) == [5, 1000, -3]
