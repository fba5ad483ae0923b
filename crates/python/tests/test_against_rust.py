"""The programs of the repository and this package: the same seed gives the same bytes."""

import struct
from pathlib import Path

import numpy as np
import pytest
import tautochrone as tc
from conftest import SEED, Examples

COUNT = 200_003  # four batches, the last one short


@pytest.mark.parametrize(
    "arguments, sampler",
    [
        (["--sampler", "facct", "--sigma", "3.2"], tc.Facct(3.2)),
        (["--sampler", "facct", "--sigma", "1234567.5"], tc.Facct(1234567.5)),
        (["--sampler", "bitslice", "--sigma", "3.19"], tc.Bitslice(3.19)),
        (
            ["--sampler", "bitslice", "--sigma", "300", "--precision", "128"],
            tc.Bitslice(300.0, precision=128),
        ),
        (["--sampler", "ziggurat", "--sigma", "10"], tc.Ziggurat(10.0)),
    ],
    ids=str,
)
def test_samples(
    examples: Examples, tmp_path: Path, arguments: list[str], sampler: tc.Facct
) -> None:
    file = tmp_path / "samples"
    examples.run("sample", *arguments, "--count", COUNT, "--seed", SEED.hex(), "--out", file)
    assert np.array_equal(np.fromfile(file, "<i8"), sampler.sample(COUNT, seed=SEED))


def test_centred_samples_and_uniform_numbers(examples: Examples, tmp_path: Path) -> None:
    file = tmp_path / "samples"
    common = ["--count", COUNT, "--seed", SEED.hex(), "--out", file]
    examples.run("sample", "--sampler", "facct", "--sigma", "215", "--mu", "0.25", *common)
    want = tc.Facct(215.0).sample(COUNT, centre=0.25, seed=SEED)
    assert np.array_equal(np.fromfile(file, "<i8"), want)
    examples.run("sample", "--sampler", "uniform", "--bits", "20", *common)
    assert np.array_equal(np.fromfile(file, "<u8"), tc.uniform(COUNT, bits=20, seed=SEED))


def part(name: str) -> bytes:
    """The seed of a part of a run, as the programs derive it."""
    return tc.Stream(SEED, name).bytes(32)


@pytest.mark.parametrize("preset", ["T1-128", "B1-128"])
def test_proofs(examples: Examples, tmp_path: Path, preset: str) -> None:
    statement_file, proof_file, witness_file = tmp_path / "s", tmp_path / "p", tmp_path / "w"
    files = ["--statement", statement_file, "--proof", proof_file]
    seeded = ["--seed", SEED.hex(), "--reproducible", "--context", "ci"]
    examples.run("prove", "--preset", preset, *files, *seeded, "--witness-out", witness_file)

    witness = tc.random_witness(preset, seed=part("prove: witness"))
    assert witness.tobytes("F") == witness_file.read_bytes()
    statement = tc.commit(preset, witness, seed_a=part("prove: seed of A"))
    assert statement == statement_file.read_bytes()
    proof = tc.prove(statement, witness, context=b"ci", seed=part("prove: Y"), reproducible=True)
    assert proof == proof_file.read_bytes()

    # The same verdicts.
    for at in [None, 40, 100, len(proof) // 2, len(proof) - 1]:
        altered = bytearray(proof)
        if at is not None:
            altered[at] ^= 4
        proof_file.write_bytes(altered)
        verdict = examples.run("verify", *files, "--context", "ci", code=0 if at is None else 1)
        if at is None:
            tc.verify(statement, altered, context=b"ci")
        else:
            with pytest.raises(tc.InvalidProof) as error:
                tc.verify(statement, altered, context=b"ci")
            assert str(error.value) in verdict["reason"]


def test_a_proof_of_python_is_valid_in_rust(examples: Examples, tmp_path: Path) -> None:
    statement_file, proof_file = tmp_path / "s", tmp_path / "p"
    witness = tc.random_witness("T1-128")
    statement_file.write_bytes(statement := tc.commit("T1-128", witness))
    proof_file.write_bytes(tc.prove(statement, witness, context=b"hello"))
    files = ["--statement", statement_file, "--proof", proof_file]
    assert examples.run("verify", *files, "--context", "hello")["valid"]


def test_claims(examples: Examples, tmp_path: Path) -> None:
    messages = np.random.default_rng(1).integers(0, 4, (16, 40), dtype=np.int8)
    witness_file, statement_file, proof_file = tmp_path / "w", tmp_path / "s", tmp_path / "p"
    witness_file.write_bytes(messages.tobytes("F"))
    files = ["--statement", statement_file, "--proof", proof_file]
    exact = ["--exact", "16:0:3", "--columns", 40, "--witness", witness_file]
    examples.run("prove", *exact, *files, "--seed", SEED.hex(), "--context", "ci")
    statement, proof = tc.prove_messages(messages, ranges=[(16, 0, 3)], context=b"ci", seed=SEED)
    assert statement == statement_file.read_bytes()
    require = ["range:16:0:3"]
    tc.verify(statement, proof_file.read_bytes(), context=b"ci", require=require)
    proof_file.write_bytes(proof)
    flags = ["--context", "ci", "--require", require[0]]
    assert examples.run("verify", *files, *flags)["valid"]


def test_circuits(examples: Examples, tmp_path: Path) -> None:
    """A circuit of Rust, and a proof about one of Python."""
    files = {name: tmp_path / name for name in ["r1cs", "public", "statement", "proof"]}
    flags = [flag for name, path in files.items() for flag in (f"--{name}", path)]
    a, b, c = [[0, 0, 1]], [[0, 0, 1]], [[0, 1, 0]]
    files["r1cs"].write_bytes(circuit := tc.r1cs(a, b, c, public=1))
    files["public"].write_text('["49"]')
    wires = np.array([1, 49, 7], np.uint64)
    statement, proof = tc.prove_circuit(circuit, wires, context=b"circuit: ci")
    files["statement"].write_bytes(statement)
    files["proof"].write_bytes(proof)
    assert examples.run("circuit", "verify", *flags, "--context", "ci")["valid"]
    examples.run("circuit", "verify", *flags, "--context", "cd", code=1)
    # The other way, with the wires in a file.
    wtns = tmp_path / "wtns"
    header = struct.pack("<IQIQI", 1, 16, 8, 2**61 - 1, 3)
    values = struct.pack("<IQ", 2, 24) + wires.tobytes()
    wtns.write_bytes(b"wtns" + struct.pack("<II", 2, 2) + header + values)
    files["public"].unlink()
    examples.run("circuit", "prove", *flags, "--wtns", wtns, "--context", "ci")
    statement, proof = files["statement"].read_bytes(), files["proof"].read_bytes()
    tc.verify_circuit(circuit, [49], statement, proof, context=b"circuit: ci")
    statement, proof = tc.prove_circuit(circuit, wtns.read_bytes())
    tc.verify_circuit(circuit, [49], statement, proof)
