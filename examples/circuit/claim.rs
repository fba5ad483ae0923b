//! The circuits that the program knows, with the values of their wires or without.

use std::fmt::Display;
use std::path::Path;

use tautochrone_cli::{CommandLine, Failure};
use tautochrone_zk::Error;
use tautochrone_zk::argument::{
    Assignment, Circuit, CircuitBuilder, CircuitField, CircuitFile, Goldilocks, P, P61, Scalar,
    ScalarOf,
};
use zeroize::Zeroizing;

use super::args::{Claimed, Prove, Secret, Verify};
use super::{inputs, poseidon2, sha256};

/// Bytes of the longest message, and of the longest files of circuits and wires and of numbers.
const MESSAGE: u64 = 4096;
const CIRCUIT_FILE: u64 = 1 << 32;
const NUMBERS_FILE: u64 = 1 << 24;

/// A value over either field.
pub(crate) enum Either<P, G> {
    P61(P),
    Goldilocks(G),
}

impl<P, G> Either<P, G> {
    /// Commitments are to elements of one field.
    pub(crate) fn of_committed(self) -> Result<P, Failure> {
        match self {
            Self::P61(one) => Ok(one),
            Self::Goldilocks(_) => Err(Failure::new(
                "--r1cs: only circuits over 2^61 - 1 are about values that were committed to",
            )),
        }
    }
}

/// A circuit that is proved.
pub(crate) struct Known<F: CircuitField = P61> {
    pub(crate) circuit: Circuit<F>,
    pub(crate) assignment: Assignment<F>,
    /// The line by which a verifier names it.
    pub(crate) line: CommandLine,
    /// The message as values, if there is one.
    pub(crate) values: Zeroizing<Vec<Scalar>>,
}

/// A circuit that a verifier names, with its public inputs.
pub(crate) struct Stated<F: CircuitField = P61> {
    pub(crate) circuit: Circuit<F>,
    pub(crate) public: Vec<ScalarOf<F>>,
    /// How many of its wires were committed to.
    pub(crate) inputs: u32,
}

/// The circuit that is proved, over either field.
pub(crate) fn known(task: &Prove) -> Result<Either<Known, Known<Goldilocks>>, Failure> {
    let Some(path) = &task.what.r1cs else { return Known::of_message(task).map(Either::P61) };
    match read_circuit(path)? {
        CircuitFile::P61(circuit) => Known::of_file(task, path, circuit).map(Either::P61),
        CircuitFile::Goldilocks(circuit) => {
            Known::of_file(task, path, circuit).map(Either::Goldilocks)
        }
    }
}

impl<F: CircuitField> Known<F> {
    fn of_file(task: &Prove, path: &Path, circuit: Circuit<F>) -> Result<Self, Failure> {
        let wtns = task.wtns.as_deref().expect("required with --r1cs");
        let bytes = Zeroizing::new(tautochrone_cli::read(wtns, CIRCUIT_FILE)?);
        let assignment = Assignment::read_wtns(&bytes, &circuit);
        let assignment = assignment.map_err(|e| Failure::file(wtns, e))?;
        let public = task.public.as_deref().expect("required with --r1cs");
        let line = verify().with("r1cs", [path.display()]).with("public", [public.display()]);
        Ok(Self { circuit, assignment, line, values: Zeroizing::default() })
    }

    /// Why a proof is refused, if it is as a constraint does not hold.
    pub(crate) fn explain(&self, error: Error) -> Failure {
        match (&error, self.circuit.first_violation(&self.assignment)) {
            (Error::FalseFact, Ok(Some(index))) => Failure::new(format!(
                "constraint {index}, counted from 0, does not hold for these wires"
            )),
            _ => Failure::new(error),
        }
    }
}

impl Known {
    fn of_message(task: &Prove) -> Result<Self, Failure> {
        let (Secret { sha256, poseidon2, .. }, committed) = (&task.what, task.committed.is_some());
        let path = sha256.as_ref().or(poseidon2.as_ref()).expect("one of the three is required");
        let message = read_message(path)?;
        let (name, digest, (circuit, assignment)) = if sha256.is_some() {
            let digest = sha256::digest(&message);
            ("sha256", hex::encode(digest), of_sha256(&message, committed, &digest)?)
        } else {
            let digest = poseidon2::digest(&message);
            let elements = poseidon2::elements(&digest).expect("a digest");
            ("poseidon2", hex::encode(digest), of_poseidon2(&message, committed, elements)?)
        };
        let line = verify().with(name, [digest]).with("length", [message.len()]);
        Ok(Self { circuit, assignment, line, values: inputs::of_message(&message) })
    }
}

/// The line of a verifier, which names nothing yet.
fn verify() -> CommandLine {
    CommandLine::new("circuit verify")
}

fn of_sha256(
    message: &[u8],
    committed: bool,
    digest: &[u8; 32],
) -> Result<(Circuit, Assignment), Failure> {
    let mut builder = CircuitBuilder::new();
    sha256::preimage(&mut builder, message, committed, digest);
    builder.finish().map_err(Failure::new)
}

fn of_poseidon2(
    message: &[u8],
    committed: bool,
    digest: [Scalar; poseidon2::DIGEST],
) -> Result<(Circuit, Assignment), Failure> {
    let mut builder = CircuitBuilder::new();
    poseidon2::preimage(&mut builder, message, committed, digest);
    builder.finish().map_err(Failure::new)
}

fn read_circuit(path: &Path) -> Result<CircuitFile, Failure> {
    let bytes = tautochrone_cli::read(path, CIRCUIT_FILE)?;
    CircuitFile::read_r1cs(&bytes).map_err(|e| Failure::file(path, e))
}

/// The claim that a verifier names.
pub(crate) fn claimed(task: &Verify) -> Result<Either<Stated, Stated<Goldilocks>>, Failure> {
    let committed = task.committed.is_some();
    let inputs = inputs::count(task.length.unwrap_or_default().into()) as u32;
    match &task.what {
        Claimed { r1cs: Some(path), .. } => {
            let circuit = read_circuit(path)?;
            let path = task.public.as_deref().expect("required with --r1cs");
            let inputs = match (committed, task.inputs) {
                (true, None) => return Err(Failure::new("--inputs: required with --r1cs")),
                (_, inputs) => inputs.unwrap_or_default(),
            };
            Ok(match circuit {
                CircuitFile::P61(circuit) => {
                    let public = read_numbers(path)?.to_vec();
                    Either::P61(Stated { circuit, public, inputs })
                }
                CircuitFile::Goldilocks(circuit) => {
                    let public = read_numbers(path)?.to_vec();
                    Either::Goldilocks(Stated { circuit, public, inputs })
                }
            })
        }
        Claimed { sha256, poseidon2, .. } => {
            let digits = [sha256, poseidon2].map(Option::as_deref);
            let (circuit, public) = of_digest(digits, task.length.unwrap_or_default(), committed)?;
            Ok(Either::P61(Stated { circuit, public, inputs }))
        }
    }
}

/// The circuit and the public inputs of a digest of SHA-256 or of Poseidon2. A circuit does not
/// depend on a message, but for its length: zeros stand for it here.
pub(crate) fn of_digest(
    digits: [Option<&str>; 2],
    length: u16,
    committed: bool,
) -> Result<(Circuit, Vec<Scalar>), Failure> {
    let zeros = vec![0; length.into()];
    let (circuit, assignment) = match digits {
        [Some(digits), _] => {
            let digest = hex::decode(digits).ok().and_then(|digest| digest.try_into().ok());
            let digest: [u8; 32] =
                digest.ok_or_else(|| Failure::new("--sha256: expected 64 hexadecimal digits"))?;
            of_sha256(&zeros, committed, &digest)?
        }
        [None, Some(digits)] => {
            let digest = hex::decode(digits).ok();
            let elements = digest.and_then(|digest| poseidon2::elements(&digest));
            let expected = "--poseidon2: expected 80 hexadecimal digits, five words below 2^61 - 1";
            of_poseidon2(&zeros, committed, elements.ok_or_else(|| Failure::new(expected))?)?
        }
        [None, None] => unreachable!("one of them is required"),
    };
    Ok((circuit, assignment.public))
}

/// Public inputs as a JSON array of numbers in quotes.
pub(crate) fn public_file<F: CircuitField>(public: &[ScalarOf<F>]) -> Result<String, Failure> {
    let numbers: Vec<String> = public.iter().map(|x| x.value().to_string()).collect();
    serde_json::to_string(&numbers).map_err(Failure::new)
}

/// The same, as snarkjs writes it; or values that are secret.
pub(crate) fn read_numbers<F: CircuitField>(
    path: &Path,
) -> Result<Zeroizing<Vec<ScalarOf<F>>>, Failure> {
    let p = if F::P == P { "2^61 - 1" } else { "2^64 - 2^32 + 1" };
    let about = |e: &dyn Display| tautochrone_cli::about_input(path, e);
    let bytes = Zeroizing::new(tautochrone_cli::read(path, NUMBERS_FILE)?);
    let text = tautochrone_cli::text(&bytes).map_err(|e| about(&e))?;
    let entries: Vec<Entry<'_>> = serde_json::from_str(text).map_err(|e| {
        // Such an error would show a value.
        if e.is_data() { about(&"expected an array, as in [\"35\"]") } else { about(&e) }
    })?;
    let mut values = Zeroizing::new(Vec::with_capacity(entries.len()));
    for (index, entry) in entries.iter().enumerate() {
        values.push(entry.number().ok_or_else(|| {
            about(&format_args!(
                "entry {index}: expected a decimal number below {p} in quotes, without sign and \
                 leading zeros"
            ))
        })?);
    }
    Ok(values)
}

/// An entry of such a file, which is borrowed: it may be secret.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Entry<'a> {
    #[serde(borrow)]
    Text(&'a str),
    Other(serde::de::IgnoredAny),
}

impl Entry<'_> {
    /// The number, if it is written as circom and snarkjs write it.
    fn number<F: CircuitField>(&self) -> Option<ScalarOf<F>> {
        let Self::Text(text) = self else { return None };
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let canonical = digits && (*text == "0" || !text.starts_with('0'));
        text.parse().ok().filter(|_| canonical).and_then(ScalarOf::new)
    }
}

/// A message, which is secret.
pub(crate) fn read_message(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    tautochrone_cli::read(path, MESSAGE).map(Zeroizing::new)
}
