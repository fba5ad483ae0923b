"""Proofs: verdicts, errors, and bytes that never change."""

import json
from typing import Any

import numpy as np
import pytest
import tautochrone as tc
from blake3 import blake3
from conftest import ROOT, SEED

SMALL: dict[str, Any] = {"r": 48, "v": 200, "l": 600, "n": 20, "insecure": True}


def made(params: tc.Params, **options: Any) -> tuple[bytes, bytes]:
    witness = tc.random_witness(params, seed=bytes([2] * 32))
    statement = tc.commit(params, witness, seed_a=bytes([1] * 32))
    return statement, tc.prove(statement, witness, insecure=True, **options)


@pytest.fixture(scope="module")
def small() -> tuple[bytes, bytes]:
    return made(tc.Params("T4-128", **SMALL), context=b"context")


GOLDEN: list[tuple[str, tc.Params]] = [
    ("T1-128", tc.Params("T1-128")),
    ("H1-128", tc.Params("H1-128")),
    ("w = 29, 600 columns", tc.Params("T4-128", **SMALL)),
    ("w = 29, T whole, 600 columns", tc.Params("T4-128", round_t=0, **SMALL)),
    ("w = 35, 600 columns", tc.Params("B4-128", **SMALL)),
    ("SHA-3, 600 columns", tc.Params("T4-256", **SMALL)),
    ("binary, w = 64, 600 columns", tc.Params("B4-128", challenge="binary", **{**SMALL, "w": 64})),
    ("rho = 3: T1-128", tc.Params("T1-128", w=27, r=1160, v=2528, rho=3)),
    ("rho = 3, w = 34, 600 columns", tc.Params("B4-128", **{**SMALL, "w": 34, "rho": 3})),
]


@pytest.mark.parametrize("name, params", GOLDEN, ids=[name for name, _ in GOLDEN])
def test_bytes_are_those_of_rust(name: str, params: tc.Params) -> None:
    """tests/golden.rs pins the same bytes."""
    answers = json.loads((ROOT / "tests/kat/proofs.json").read_text())["answers"]
    statement, proof = made(params, context=b"golden", seed=bytes([3] * 32), reproducible=True)
    assert answers[name] == {
        "statement_bytes": len(statement),
        "statement_blake3": blake3(statement).hexdigest(),
        "proof_bytes": len(proof),
        "proof_blake3": blake3(proof).hexdigest(),
    }
    tc.verify(statement, proof, context=b"golden", insecure=True)


def test_a_secure_preset_end_to_end() -> None:
    witness = tc.random_witness("T1-128")
    assert witness.shape == (2600, 1024) and witness.flags.f_contiguous
    assert witness.dtype == np.int8 and set(np.unique(witness)) == {-1, 0, 1}
    statement = tc.commit("T1-128", witness)
    proof = tc.prove(statement, witness, context=b"for you", seed=SEED)
    assert tc.verify(statement, proof, context=b"for you") is None  # type: ignore[func-returns-value]
    # Masks hold the operating system's entropy, too.
    assert proof != tc.prove(statement, witness, context=b"for you", seed=SEED, check=False)
    params = tc.Params.of_statement(statement)
    assert params == tc.Params("T1-128") and params != tc.Params()
    assert len(statement) == params.statement_bytes
    assert abs(len(proof) / params.expected_proof_bytes - 1) < 0.01


def test_a_witness_of_any_layout() -> None:
    params = tc.Params("T4-128", **SMALL)
    fortran = tc.random_witness(params, seed=SEED)
    big = np.zeros((400, 601), np.int8)
    big[::2, 1:] = fortran
    options: dict[str, Any] = {"seed": SEED, "reproducible": True, "insecure": True}
    statement = tc.commit(params, fortran, seed_a=SEED)
    proof = tc.prove(statement, fortran, **options)
    for witness in [np.ascontiguousarray(fortran), big[::2, 1:], fortran[::-1].copy()[::-1]]:
        assert tc.commit(params, witness, seed_a=SEED) == statement
        assert tc.prove(statement, witness, **options) == proof


def test_entries_wider_than_a_byte() -> None:
    params = tc.Params("T4-128", **{**SMALL, "w": 44, "b": 1000})
    options: dict[str, Any] = {"seed": SEED, "reproducible": True, "insecure": True}
    wide = tc.random_witness(params, seed=SEED)
    assert wide.dtype == np.int32 and 900 < np.abs(wide).max() <= 1000
    statement = tc.commit(params, wide, seed_a=SEED)
    proof = tc.prove(statement, wide, **options)
    tc.verify(statement, proof, insecure=True)
    for witness in [np.ascontiguousarray(wide), wide[::-1].copy()[::-1]]:
        assert tc.commit(params, witness, seed_a=SEED) == statement
        assert tc.prove(statement, witness, **options) == proof
    # Bytes where words are allowed, and words where bytes suffice.
    bytes_ = (wide % 100).astype(np.int8)
    assert tc.commit(params, bytes_, seed_a=SEED) == tc.commit(
        params, bytes_.astype(np.int32), seed_a=SEED
    )
    narrow = tc.Params("T4-128", **SMALL)
    ternary = tc.random_witness(narrow, seed=SEED)
    assert tc.commit(narrow, ternary.astype(np.int32), seed_a=SEED) == tc.commit(
        narrow, ternary, seed_a=SEED
    )
    wide[7, 5] = 1001
    with pytest.raises(tc.WitnessError, match="row 7, column 5"):
        tc.commit(params, wide)
    with pytest.raises(tc.WitnessError):
        tc.commit(narrow, wide)
    with pytest.raises(TypeError):
        tc.commit(params, wide.astype(np.int64))  # type: ignore[arg-type]


def test_altered_proofs(small: tuple[bytes, bytes]) -> None:
    statement, proof = small
    tc.verify(statement, proof, context=b"context", insecure=True)
    tc.verify(bytearray(statement), bytearray(proof), context=bytearray(b"context"), insecure=True)
    for at in [*range(0, 100, 7), 200, len(proof) // 2, len(proof) - 2]:
        altered = bytearray(proof)
        altered[at] ^= 1
        # The first bytes say what a file is, and how long.
        with pytest.raises(tc.InvalidProof if at >= 32 else (tc.InvalidProof, tc.MalformedError)):
            tc.verify(statement, altered, context=b"context", insecure=True)
    for context in [None, b"", b"Context"]:
        with pytest.raises(tc.InvalidProof, match="another"):
            tc.verify(statement, proof, context=context, insecure=True)
    altered = bytearray(statement)
    altered[-1] ^= 1
    with pytest.raises(tc.InvalidProof):
        tc.verify(altered, proof, context=b"context", insecure=True)


def test_malformed_files(small: tuple[bytes, bytes]) -> None:
    statement, proof = small
    for bad in [
        b"",
        b"x",
        statement[:-1],
        statement + b"x",
        proof,
        statement[:100],
        bytes(len(statement)),
    ]:
        with pytest.raises(tc.MalformedError, match="statement"):
            tc.verify(bad, proof, context=b"context", insecure=True)
        with pytest.raises(tc.MalformedError):
            tc.Params.of_statement(bad, insecure=True)
    for bad in [b"", b"x", statement]:
        with pytest.raises(tc.MalformedError, match="proof"):
            tc.verify(statement, bad, context=b"context", insecure=True)
    with pytest.raises(tc.Error):
        tc.verify(statement, proof[:-1], context=b"context", insecure=True)


def test_a_proof_has_to_show_what_is_required(small: tuple[bytes, bytes]) -> None:
    statement, proof = small
    for require in ["range:8:0:1", "norm:8:9", "exact-keys:1:1"]:
        with pytest.raises(tc.InvalidProof, match="does not show requirement 0"):
            tc.verify(statement, proof, context=b"context", require=[require], insecure=True)
    for bad in ["", "bits", "range:8:1:2"]:
        with pytest.raises(tc.ParameterError, match="exact-keys"):
            tc.verify(statement, proof, context=b"context", require=[bad], insecure=True)


def test_insecure_parameters_need_a_word(small: tuple[bytes, bytes]) -> None:
    statement, proof = small
    with pytest.raises(tc.ParameterError):
        tc.verify(statement, proof, context=b"context")
    with pytest.raises(tc.InsecureError, match="128"):
        tc.Params("T4-128", r=400)
    with pytest.raises(tc.InsecureError):
        tc.Params("T4-128", sigma=10_000)
    with pytest.raises(tc.ParameterError):
        tc.commit("seed", np.zeros((3000, 3000), np.int8))
    weak = tc.Params("seed", insecure=True)
    assert tc.estimate(weak).binding.classical < 20


def test_witnesses(small: tuple[bytes, bytes]) -> None:
    statement, _ = small
    params = tc.Params("T4-128", **SMALL)
    witness = tc.random_witness(params)
    with pytest.raises(tc.WitnessError, match="another|belong"):
        tc.prove(statement, witness, insecure=True)
    witness[5, 300] = 2
    with pytest.raises(tc.WitnessError, match="row 5, column 300"):
        tc.commit(params, witness)
    with pytest.raises(tc.WitnessError, match=r"\(600, 200\)"):
        tc.commit(params, witness.T)
    with pytest.raises(tc.WitnessError, match="shape"):
        tc.prove(statement, witness[:, :-1], insecure=True)
    for bad in [witness.astype(np.int16), witness.tolist()]:
        with pytest.raises(TypeError):
            tc.commit(params, bad)
    with pytest.raises(tc.WitnessError, match="1 dimensions"):
        tc.commit(params, witness[0])
    with pytest.raises(tc.ArgumentTypeError, match="byte order"):
        tc.commit(params, witness.astype(np.dtype(np.int32).newbyteorder()))
    with pytest.raises(tc.ParameterError, match="seed"):
        tc.prove(statement, witness, insecure=True, reproducible=True)


def test_parameters() -> None:
    assert tc.PRESETS[0] == "T1-128" and "seed" in tc.PRESETS
    for name in tc.PRESETS[:-1]:
        params, estimate = tc.Params(name), tc.estimate(name)
        assert estimate.binding.classical >= params.lambda_ <= estimate.hiding.classical
        assert estimate.hiding.classical == min(
            estimate.hiding_primal.classical, estimate.hiding_dual.classical
        )
        assert tc.estimate(params).log2_4b == estimate.log2_4b
        assert params.witness_shape == (params.v, params.l)
    paper, usual = tc.optimise(1, 4096, challenge="binary"), tc.Params()
    assert (paper.challenge, usual.challenge) == ("binary", "ternary")
    assert paper.norm_bound is not None and paper.norm_bound > 0 == paper.round_t
    assert usual.norm_bound is None
    with pytest.raises(tc.ParameterError, match='"ternary" or "binary"'):
        tc.Params(challenge="unary")  # type: ignore[arg-type]
    with pytest.raises(tc.ParameterError, match="T1-128, T4-128"):
        tc.Params("T5")
    with pytest.raises(tc.ParameterError, match="T1-128, T4-128"):
        tc.estimate("T5")
    with pytest.raises(tc.ParameterError, match="w"):
        tc.Params(w=16)


def test_optimise() -> None:
    params = tc.optimise(1, 4096)
    assert params.v <= tc.Params("T4-128").v
    assert tc.optimise(1, 4096, whole_t=True).round_t == 0 < params.round_t
    narrow = tc.optimise(1, 512, masks="narrow", proofs=1000)
    assert (params.most_proofs, narrow.most_proofs) == (None, 1024)
    assert tc.estimate(params).binding.classical >= 128
    with pytest.raises(tc.ParameterError):
        tc.optimise(127, 1 << 20, w=25)
    with pytest.raises(tc.InsecureError):
        tc.Params("T4-128", **{**vars_of(tc.optimise(1, 4096, w=29, bits=60)), "insecure": False})


def vars_of(params: tc.Params) -> dict[str, Any]:
    return {name: getattr(params, name) for name in ("l", "v", "r", "w", "b")}


def test_keys_of_others() -> None:
    """The examples of RFC 9935, in three forms."""
    vectors = ROOT / "crates/kem-keys/tests/vectors"
    public = (vectors / "ml-kem-512.pub").read_bytes()
    secret = (vectors / "ml-kem-512-both.priv").read_bytes()
    keys = [(b"alice", public), (b"bob", public)]
    secrets = [secret, bytes(range(64))]
    statement, proof = tc.prove_keys("ML-KEM-512", keys, secrets, purpose=b"tests")
    assert tc.verify_keys("ml-kem-512", keys, statement, proof, purpose=b"tests") is None  # type: ignore[func-returns-value]
    others = [(keys[::-1], b"tests"), (keys, b"test"), (keys[:1], b"tests")]
    for other, purpose in others:
        with pytest.raises(tc.InvalidProof):
            tc.verify_keys("ML-KEM-512", other, statement, proof, purpose=purpose)
    with pytest.raises(tc.MalformedError, match="key 1"):
        tc.verify_keys("ML-KEM-512", [keys[0], (b"bob", public[:-30])], statement, proof)
    with pytest.raises(tc.WitnessError, match="secret key 1"):
        tc.prove_keys("ML-KEM-512", keys, [secret, bytes(64)])
    with pytest.raises(tc.ParameterError, match="1 secret keys of 2"):
        tc.prove_keys("ML-KEM-512", keys, [secret])
    with pytest.raises(tc.ParameterError, match="ML-KEM-513"):
        tc.prove_keys("ML-KEM-513", keys, secrets)


def test_exact_claims_about_messages() -> None:
    rng = np.random.default_rng(5)
    bits = rng.integers(0, 2, (32, 40), dtype=np.int8)
    digits = rng.integers(-3, 5, (8, 40), dtype=np.int8)
    errors = tc.Bitslice(2.0).sample((64, 40), dtype=np.int8, seed=SEED)
    messages = np.vstack([bits, digits, errors])
    ranges, norms = [(32, 0, 1), (8, -3, 4)], [(64, 600)]
    statement, proof = tc.prove_messages(messages, ranges=ranges, norms=norms, context=b"for you")
    required = ["range:32:0:1", "range:32+8:-3:4", "norm:40+64:600"]
    tc.verify(statement, proof, context=b"for you", require=required)
    assert tc.Params.of_statement(statement).l > 40
    assert tc.Params.of_statement(statement).most_proofs is None
    mixed, shorter = tc.prove_messages(messages, ranges=ranges, norms=norms, masks="mixed", proofs=5)
    tc.verify(mixed, shorter, require=required)
    assert tc.Params.of_statement(mixed).most_proofs == 8
    assert len(shorter) < 0.9 * len(proof)
    for masks in ["narrow", "shallow"]:
        with pytest.raises(tc.ParameterError, match="masks"):
            tc.prove_messages(messages, ranges=ranges, norms=norms, masks=masks)  # type: ignore[arg-type]
    for proofs in [0, 2**20 + 1]:
        with pytest.raises(tc.ParameterError, match="proofs"):
            tc.prove_messages(messages, ranges=ranges, norms=norms, masks="mixed", proofs=proofs)
    with pytest.raises(tc.InvalidProof, match="context"):
        tc.verify(statement, proof, context=b"for me")
    for more in ["range:32:0:0", "range:33:0:1", "norm:40+64:599"]:
        with pytest.raises(tc.InvalidProof, match="does not show requirement 0"):
            tc.verify(statement, proof, context=b"for you", require=[more])
    false = messages.copy()
    false[3, 7] = 2
    long = messages.copy()
    long[60, 5] = 60
    for wrong in [false, long, messages[:-1], messages[:, :0]]:
        with pytest.raises(tc.WitnessError):
            tc.prove_messages(wrong, ranges=ranges, norms=norms)
    for bad in [messages.astype(np.int16), messages[0], messages.tolist()]:
        with pytest.raises(tc.ArgumentTypeError):
            tc.prove_messages(bad, ranges=ranges, norms=norms)
    some: list[Any] = [[(104, 1, 2)], [(104, 0, 100)], [(0, 0, 1)], []]
    for ranges in some:
        with pytest.raises(tc.ParameterError):
            tc.prove_messages(messages, ranges=ranges)
    with pytest.raises(tc.RangeError):
        tc.prove_messages(messages, ranges=[(-1, 0, 1)])


def altered(data: bytes, at: int) -> bytes:
    flipped = bytearray(data)
    flipped[at] ^= 1
    return bytes(flipped)


def test_facts_about_messages() -> None:
    rng = np.random.default_rng(6)
    messages = rng.integers(-3, 5, (24, 30), dtype=np.int8)
    left, right = rng.integers(-9, 10, 24), rng.integers(-9, 10, 30)
    left[5] = right[7] = 0
    claims: dict[str, Any] = {
        "ranges": [(24, -3, 4)],
        "facts": [(left, right, left @ messages @ right), ([1] * 24, [1] * 30, messages.sum())],
        "blocks": [(3, 4, messages[3:5, 4:7])],
    }
    statement, proof = tc.prove_messages(messages, **claims, context=b"for you")
    tc.verify_messages(30, statement, proof, **claims, context=b"for you")
    # The plain verifier takes the claims of the file, and asks for ranges alone.
    tc.verify(statement, proof, context=b"for you", require=["range:24:-3:4"])
    for at in [60, 200, len(proof) // 2, len(proof) - 2]:
        with pytest.raises(tc.InvalidProof):
            tc.verify_messages(30, statement, altered(proof, at), **claims, context=b"for you")
    with pytest.raises(tc.InvalidProof):
        tc.verify_messages(30, altered(statement, -1), proof, **claims, context=b"for you")
    with pytest.raises(tc.InvalidProof):
        tc.verify_messages(30, statement, proof, **claims, context=b"for me")
    others: list[dict[str, Any]] = [
        {"facts": [(left, right, left @ messages @ right + 1), claims["facts"][1]]},
        {"facts": claims["facts"][::-1]},
        {"facts": claims["facts"][:1]},
        {"blocks": [(3, 4, messages[3:5, 4:7] + 1)]},
        {"blocks": [(2, 4, messages[3:5, 4:7])]},
        {"ranges": [(24, -4, 4)]},
    ]
    for other in others:
        # Other numbers of claims need other columns, which the statement does not have.
        with pytest.raises((tc.InvalidProof, tc.ParameterError)):
            tc.verify_messages(30, statement, proof, **{**claims, **other}, context=b"for you")
    for columns in [29, 31]:
        facts = [(f[0], np.resize(f[1], columns), f[2]) for f in claims["facts"]]
        with pytest.raises((tc.InvalidProof, tc.ParameterError)):
            tc.verify_messages(
                columns, statement, proof, **{**claims, "facts": facts}, context=b"for you"
            )
    for false in others[:1] + others[3:5]:
        with pytest.raises(tc.WitnessError):
            tc.prove_messages(messages, **{**claims, **false})
    wrong: list[dict[str, Any]] = [
        {"facts": [(left[1:], right, 0)]},
        {"facts": [(left, right[1:], 0)]},
        {"facts": [(left * 0, right, 0)]},
        {"facts": [(left, right, 2**60)]},
        {"facts": [(left, right)]},
        {"blocks": [(0, 0, [[1, 2], [3]])]},
        {"blocks": [(0, 0, [])]},
        {"blocks": [(23, 29, [[1, 1]])]},
    ]
    for bad in wrong:
        with pytest.raises(tc.ParameterError):
            tc.prove_messages(messages, **{**claims, **bad})
    with pytest.raises(tc.ArgumentTypeError, match="left, right, value"):
        tc.prove_messages(messages, ranges=[(24, -3, 4)], facts=[(left, right, "0")])  # type: ignore[list-item]


def cubic() -> bytes:
    """x^3 + x + 5 = y for a public y: wires 1, y, x, x^2, x^3."""
    a = [[0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [5, 0, 1, 0, 1]]
    b = np.array([[0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [1, 0, 0, 0, 0]])
    c = [[0, 0, 0, 1, 0], [0, 0, 0, 0, 1], [0, 1, 0, 0, 0]]
    return tc.r1cs(a, b, c, public=1)


def test_circuits() -> None:
    circuit, wires = cubic(), np.array([1, 35, 3, 9, 27], np.uint64)
    statement, proof = tc.prove_circuit(circuit, wires, context=b"for you")
    inputs: list[Any] = [[35], np.array([35]), (35,)]
    for public in inputs:
        tc.verify_circuit(circuit, public, statement, proof, context=b"for you")
    for at in [60, 200, len(proof) // 2, len(proof) - 2]:
        with pytest.raises(tc.InvalidProof):
            tc.verify_circuit(circuit, [35], statement, altered(proof, at), context=b"for you")
    smaller = tc.r1cs([[0, 0, 1, 0, 0]], [[1, 0, 0, 0, 0]], [[3, 0, 0, 0, 0]], public=1)
    others: list[tuple[bytes, int, bytes, bytes]] = [
        (circuit, 36, statement, b"for you"),
        (circuit, 35, statement, b"for me"),
        (circuit, 35, altered(statement, -1), b"for you"),
        (smaller, 35, statement, b"for you"),
    ]
    for other, y, commitments, context in others:
        with pytest.raises(tc.InvalidProof):
            tc.verify_circuit(other, [y], commitments, proof, context=context)
    # A circuit is in no file of a proof: verify cannot know it.
    with pytest.raises(tc.Error, match="circuit"):
        tc.verify(statement, proof, context=b"for you")
    with pytest.raises(tc.WitnessError):
        tc.prove_circuit(circuit, np.array([1, 36, 3, 9, 27], np.uint64))
    for short in [wires[:-1], wires[1:], np.array([2, 35, 3, 9, 27], np.uint64)]:
        with pytest.raises(tc.WitnessError, match="5, the first of them 1"):
            tc.prove_circuit(circuit, short)
    with pytest.raises(tc.ParameterError, match="61"):
        tc.prove_circuit(circuit, np.array([1, 2**61 - 1, 3, 9, 27], np.uint64))
    others_than_wires: list[Any] = [wires.astype(np.int64), wires.reshape(1, 5), [1, 35], "wires"]
    for bad in others_than_wires:
        with pytest.raises(tc.ArgumentTypeError):
            tc.prove_circuit(circuit, bad)
    for file in [b"", circuit[:-1], circuit + b"x", statement]:
        with pytest.raises(tc.MalformedError):
            tc.prove_circuit(file, wires)
        with pytest.raises(tc.MalformedError):
            tc.verify_circuit(file, [35], statement, proof, context=b"for you")
        with pytest.raises(tc.MalformedError):
            tc.prove_circuit(circuit, file)
    for public in [[], [35, 1], [2**61 - 1]]:
        with pytest.raises(tc.ParameterError):
            tc.verify_circuit(circuit, public, statement, proof, context=b"for you")
    # Negative coefficients; matrices that are none.
    tc.prove_circuit(tc.r1cs([[0, -1]], [[0, 1]], [[-4, 0]], public=0), np.array([1, 2], np.uint64))
    matrices: list[Any] = [([], [], []), ([[1]], [[1]], [[1]]), ([[1, 2]], [[1]], [[1, 1]])]
    for matrix in [*matrices, ([[1, 2]], [[1, 2]], [])]:
        with pytest.raises(tc.ParameterError):
            tc.r1cs(*matrix, public=0)
    with pytest.raises(tc.ParameterError, match="2 columns"):
        tc.r1cs([[1, 1]], [[1, 1]], [[1, 1]], public=2)


def lwe(params: tc.Params) -> tuple[Any, Any, Any]:
    """A', keys and their secrets and errors, by numpy."""
    rng = np.random.default_rng(8)
    k, r = params.v - params.r, params.r
    matrix = rng.integers(0, 1 << params.w, (r, k), dtype=np.uint64)
    secrets = rng.integers(-1, 2, (k, params.l), dtype=np.int8)
    errors = rng.integers(-1, 2, (r, params.l), dtype=np.int8)
    keys = matrix @ secrets.astype(np.uint64) + errors.astype(np.uint64)
    return matrix, keys % (1 << params.w), np.vstack([secrets, errors])


def test_keys_of_numpy() -> None:
    params = tc.optimise(1, 40, whole_t=True, key_hints=1)
    assert params.v > tc.optimise(1, 40, whole_t=True).v
    matrix, keys, witness = lwe(params)
    statement = tc.commit(params, witness, matrix=matrix, keys=keys)
    relaxed = tc.prove(statement, witness, matrix=matrix, context=b"alice")
    exact = tc.prove(statement, witness, matrix=matrix, context=b"alice", exact=True)
    known: dict[str, Any] = {"matrix": matrix, "keys": keys}
    require = ["exact-keys:1:1"]
    tc.verify(statement, relaxed, context=b"alice", **known)
    tc.verify(statement, exact, context=b"alice", **known, require=require)
    # In any dtype that has the integers, and in any order.
    signed = {"matrix": np.asfortranarray(matrix.astype(np.int64)), "keys": keys.astype(np.uint32)}
    tc.verify(statement, exact, context=b"alice", **signed)
    with pytest.raises(tc.InvalidProof, match="requirement 0"):
        tc.verify(statement, relaxed, context=b"alice", **known, require=require)
    for proof in [relaxed, exact]:
        with pytest.raises(tc.InvalidProof):
            tc.verify(statement, proof, context=b"mallory", **known)
        for at in [100, len(proof) // 2, len(proof) - 2]:
            with pytest.raises(tc.InvalidProof):
                tc.verify(statement, altered(proof, at), context=b"alice", **known)
    other = keys.copy()
    other[7, 3] ^= 1
    with pytest.raises(tc.WitnessError, match="key 3 .* row 7"):
        tc.commit(params, witness, matrix=matrix, keys=other)
    with pytest.raises(tc.ParameterError, match="key 3 .* row 7"):
        tc.verify(statement, exact, context=b"alice", matrix=matrix, keys=other)
    foreign = matrix.copy()
    foreign[0, 0] ^= 1
    negative = matrix.astype(np.int64)
    negative[5, 5] = -1
    wrong: list[tuple[Any, str]] = [
        (foreign, "another"),
        (negative, "0 to 2"),
        (matrix + np.uint64(1 << params.w), "0 to 2"),
        (matrix[1:], "shape"),
        (matrix.T, "shape"),
        (matrix[0], "1 dimensions"),
        (None, "expected a matrix"),
        (matrix * 0, "easy"),
    ]
    for bad, text in wrong:
        with pytest.raises(tc.ParameterError, match=text):
            tc.verify(statement, exact, context=b"alice", matrix=bad)
    for bad in [matrix.astype(float), matrix.tolist()]:
        with pytest.raises(tc.ArgumentTypeError):
            tc.commit(params, witness, matrix=bad)
    with pytest.raises(tc.ParameterError, match="shape"):
        tc.verify(statement, exact, context=b"alice", matrix=matrix, keys=keys.T)
    with pytest.raises(tc.ParameterError, match="seed_a"):
        tc.commit(params, witness, matrix=matrix, seed_a=SEED)


def test_keys_of_a_seed() -> None:
    params = tc.Params("G4-128", l=64)
    witness = tc.random_witness(params)
    statement = tc.commit(params, witness)
    proof = tc.prove(statement, witness, context=b"alice")
    tc.verify(statement, proof, context=b"alice")
    with pytest.raises(tc.ParameterError, match="expected no matrix"):
        tc.verify(statement, proof, context=b"alice", matrix=np.zeros((1, 1), np.uint64))
    # Bounds of Gaussian errors are beyond the bounds that can be shown exactly.
    with pytest.raises(tc.ParameterError, match="1 to 8"):
        tc.prove(statement, witness, context=b"alice", exact=True)
    # Rounded keys are nobody's.
    rounded = tc.random_witness("T1-128")
    with pytest.raises(tc.ParameterError, match="round_t"):
        tc.commit("T1-128", rounded, keys=np.zeros((1184, 1024), np.uint32))
    with pytest.raises(tc.ParameterError):
        tc.prove(tc.commit("T1-128", rounded), rounded, exact=True)
