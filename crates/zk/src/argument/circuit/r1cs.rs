//! Circuits and assignments as files in circom's formats: `.r1cs` (version 1) and `.wtns`
//! (version 2) of iden3, with the prime p = 2^61 - 1 or the prime of circom's `--prime goldilocks`.
//!
//! Both begin with four letters, a version and a number of sections; a section is a type of 32
//! bits, a length of 64 bits and as many bytes. Numbers are little-endian, field elements eight
//! bytes.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::constraints::{Assignment, Circuit, Matrix, sort};
use crate::error::{Error, Malformation};
use crate::field::{Field, Goldilocks, P61, SmallField};
use crate::scalar::ScalarOf;

const CIRCUIT: Kind = Kind { what: "circuit", magic: *b"r1cs", version: 1 };
const WITNESS: Kind = Kind { what: "circuit witness", magic: *b"wtns", version: 2 };

/// Types of sections of circuits, and of witnesses.
const HEADER: u32 = 1;
const CONSTRAINTS: u32 = 2;
const LABELS: u32 = 3;
/// Gates that are no rank-1 constraints, and where they are: each begins with their number.
const CUSTOM_GATES: [u32; 2] = [4, 5];
const VALUES: u32 = 2;

/// Most sections of a file. Five types have a meaning; others are passed over, and each is compared
/// with those before it.
const SECTIONS: u32 = 64;

/// Bytes of a field element.
const ELEMENT: u32 = 8;

/// The problem of a file over a field that is not known.
pub(super) const PRIME: &str = "prime (only 2^61 - 1 and 2^64 - 2^32 + 1, goldilocks, are known)";

/// One of the two kinds of files.
#[derive(Clone, Copy)]
struct Kind {
    what: &'static str,
    magic: [u8; 4],
    version: u32,
}

impl Kind {
    const fn malformed(self, problem: Malformation) -> Error {
        Error::Malformed { what: self.what, problem }
    }

    const fn field(self, name: &'static str) -> Error {
        self.malformed(Malformation::Field(name))
    }

    const fn section(self, index: u32) -> Error {
        self.malformed(Malformation::Section(index))
    }

    /// The sections of a file, by type and content.
    fn sections(self, bytes: &[u8]) -> Result<Vec<(u32, &[u8])>, Error> {
        let mut rest = Reader { bytes };
        let got = bytes.len() as u64;
        let too_short = || self.malformed(Malformation::TooShort { got, header: 12 });
        let magic: [u8; 4] = rest.array().ok_or_else(too_short)?;
        if magic != self.magic {
            return Err(self.malformed(Malformation::Magic));
        }
        let version = rest.u32().ok_or_else(too_short)?;
        if version != self.version {
            return Err(self.field("version"));
        }
        let count = rest.u32().ok_or_else(too_short)?;
        if count > SECTIONS {
            return Err(self.malformed(Malformation::Sections { got: count, most: SECTIONS }));
        }
        let mut sections: Vec<(u32, &[u8])> = Vec::new();
        for _ in 0..count {
            let Some(kind) = rest.u32() else { return Err(self.field("number of sections")) };
            let content = rest.u64().and_then(|len| rest.take(usize::try_from(len).ok()?));
            let content = content.ok_or_else(|| self.section(kind))?;
            if sections.iter().any(|&(other, _)| other == kind) {
                return Err(self.section(kind));
            }
            sections.push((kind, content));
        }
        if !rest.bytes.is_empty() {
            return Err(self.field("number of sections"));
        }
        Ok(sections)
    }

    fn find<'a>(self, sections: &[(u32, &'a [u8])], kind: u32) -> Result<Reader<'a>, Error> {
        let found = sections.iter().find(|&&(other, _)| other == kind);
        found.map(|&(_, bytes)| Reader { bytes }).ok_or_else(|| self.section(kind))
    }

    /// The length of elements and the prime, which a header begins with.
    fn check_field<F: SmallField>(self, header: &mut Reader<'_>) -> Result<(), Error> {
        if header.u32() != Some(ELEMENT) {
            return Err(self.field(PRIME));
        }
        match header.u64() {
            Some(p) if p == F::P => Ok(()),
            Some(P61::P | Goldilocks::P) => Err(self.field("prime (another one is expected)")),
            _ => Err(self.field(PRIME)),
        }
    }

    fn start(self, sections: u32) -> Vec<u8> {
        let numbers = [self.version.to_le_bytes(), sections.to_le_bytes()];
        [&self.magic[..], &numbers.concat()].concat()
    }
}

pub(super) fn write_section(out: &mut Vec<u8>, kind: u32, content: &[u8]) {
    out.extend(kind.to_le_bytes());
    out.extend((content.len() as u64).to_le_bytes());
    out.extend(content);
}

/// The rest of some bytes.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A sum of wires times coefficients of a constraint: their number, and for each the wire and
    /// the coefficient.
    fn row<F: SmallField>(
        &mut self,
        constraint: u32,
    ) -> Result<Vec<(u32, ScalarOf<F>)>, Malformation> {
        let terms = self.u32().and_then(|count| {
            let bytes = (count as usize).checked_mul(4 + ELEMENT as usize)?;
            Some((count as usize, Reader { bytes: self.take(bytes)? }))
        });
        let (count, mut terms) = terms.ok_or(Malformation::Section(CONSTRAINTS))?;
        let mut row = Vec::with_capacity(count);
        while let Some((wire, x)) = terms.u32().zip(terms.u64()) {
            let what = "a coefficient of constraint";
            let x = ScalarOf::new(x).ok_or(Malformation::Element { what, index: constraint })?;
            row.push((wire, x));
        }
        sort(&mut row);
        Ok(row)
    }
}

/// A circuit from a file, over the field that it names.
///
/// ```
/// use tautochrone_zk::argument::{CircuitBuilder, CircuitFile, Goldilocks};
///
/// let mut builder = CircuitBuilder::<Goldilocks>::default();
/// builder.bit(true);
/// let (circuit, _) = builder.finish()?;
/// let read = CircuitFile::read_r1cs(&circuit.to_r1cs())?;
/// assert_eq!(read, CircuitFile::Goldilocks(circuit));
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CircuitFile {
    /// Over the field of 2^61 - 1 elements.
    P61(Circuit),
    /// Over the field of 2^64 - 2^32 + 1 elements.
    Goldilocks(Circuit<Goldilocks>),
}

impl CircuitFile {
    /// Reads an `.r1cs` file, as [`Circuit::read_r1cs`].
    ///
    /// # Errors
    /// As there.
    pub fn read_r1cs(bytes: &[u8]) -> Result<Self, Error> {
        let kind = CIRCUIT;
        let sections = kind.sections(bytes)?;
        let mut header = kind.find(&sections, HEADER)?;
        match header.u32().and(header.u64()) {
            Some(Goldilocks::P) => Circuit::read_r1cs(bytes).map(Self::Goldilocks),
            _ => Circuit::read_r1cs(bytes).map(Self::P61),
        }
    }
}

impl<F: SmallField> Circuit<F> {
    /// Reads an `.r1cs` file. Outputs and public inputs are public here, in that order.
    ///
    /// # Errors
    /// [`Error::Malformed`] if it is no such file, or is over another field or with gates that are
    /// no rank-1 constraints; [`Error::Parameter`] if there is no constraint or no secret wire, or
    /// there are too many of them, or a constraint names a wire that there is not.
    pub fn read_r1cs(bytes: &[u8]) -> Result<Self, Error> {
        let kind = CIRCUIT;
        let sections = kind.sections(bytes)?;
        // circom 2.0.6 writes both sections into every file: numbers of gates, which are 0.
        if sections.iter().any(|(kind, bytes)| CUSTOM_GATES.contains(kind) && *bytes != [0; 4]) {
            return Err(kind.field("custom gates"));
        }
        let mut header = kind.find(&sections, HEADER)?;
        kind.check_field::<F>(&mut header)?;
        let mut number = || header.u32().ok_or_else(|| kind.section(HEADER));
        let (wires, outputs, inputs, _) = (number()?, number()?, number()?, number()?);
        let labels = header.u64();
        let constraints = header.u32();
        let Some((_, constraints)) = labels.zip(constraints).filter(|_| header.bytes.is_empty())
        else {
            return Err(kind.section(HEADER));
        };
        let public = outputs.checked_add(inputs).ok_or_else(|| kind.field("public wires"))?;
        let secret = wires.checked_sub(1).and_then(|wires| wires.checked_sub(public));
        let secret = secret.ok_or_else(|| kind.field("wires"))?;
        let mut rows = kind.find(&sections, CONSTRAINTS)?;
        let mut matrices = [(); 3].map(|()| Matrix::default());
        for constraint in 0..constraints {
            for matrix in &mut matrices {
                matrix.push(&rows.row(constraint).map_err(|problem| kind.malformed(problem))?);
            }
        }
        if !rows.bytes.is_empty() {
            return Err(kind.section(CONSTRAINTS));
        }
        Self::new(public, secret, matrices)
    }

    /// The circuit as an `.r1cs` file. Public inputs are written as inputs, and every wire is its
    /// own label.
    #[must_use]
    pub fn to_r1cs(&self) -> Vec<u8> {
        let wires = 1 + self.public_inputs() + self.secret_wires();
        let mut out = CIRCUIT.start(3);
        let mut header = Vec::new();
        header.extend(ELEMENT.to_le_bytes());
        header.extend(F::P.to_le_bytes());
        for number in [wires, 0, self.public_inputs(), 0] {
            header.extend(number.to_le_bytes());
        }
        header.extend(u64::from(wires).to_le_bytes());
        header.extend((self.constraints() as u32).to_le_bytes());
        write_section(&mut out, HEADER, &header);
        let mut rows = Vec::with_capacity(12 * (self.coefficients() + self.constraints()));
        for index in 0..self.constraints() {
            for matrix in &*self.matrices {
                let row = matrix.row(index);
                rows.extend((row.len() as u32).to_le_bytes());
                for (wire, x) in row {
                    rows.extend(wire.to_le_bytes());
                    rows.extend(x.value().to_le_bytes());
                }
            }
        }
        write_section(&mut out, CONSTRAINTS, &rows);
        let labels: Vec<u8> = (0..u64::from(wires)).flat_map(u64::to_le_bytes).collect();
        write_section(&mut out, LABELS, &labels);
        out
    }
}

impl<F: SmallField> Assignment<F> {
    /// Reads the wires of a circuit from a `.wtns` file.
    ///
    /// # Errors
    /// [`Error::Malformed`] if it is no such file, or is over another field, or its wire 0 is not
    /// 1; [`Error::Parameter`] if it has another number of wires than the circuit.
    pub fn read_wtns(bytes: &[u8], circuit: &Circuit<F>) -> Result<Self, Error> {
        let kind = WITNESS;
        let sections = kind.sections(bytes)?;
        let mut header = kind.find(&sections, HEADER)?;
        kind.check_field::<F>(&mut header)?;
        let Some(count) = header.u32().filter(|_| header.bytes.is_empty()) else {
            return Err(kind.section(HEADER));
        };
        let mut values = kind.find(&sections, VALUES)?;
        if values.bytes.len() as u64 != u64::from(ELEMENT) * u64::from(count) {
            return Err(kind.section(VALUES));
        }
        let expected = 1 + circuit.public_inputs() + circuit.secret_wires();
        if count != expected {
            let expected = "as many as the circuit has";
            return Err(Error::parameter("wires of the assignment", count, expected));
        }
        let mut wires = Zeroizing::new(Vec::with_capacity(count as usize));
        for index in 0..count {
            let wire = values.u64().and_then(ScalarOf::new);
            let problem = Malformation::Element { what: "wire", index };
            wires.push(wire.ok_or_else(|| kind.malformed(problem))?);
        }
        if wires[0] != ScalarOf::ONE {
            return Err(kind.field("wire 0 (not 1)"));
        }
        let (public, secret) = wires[1..].split_at(circuit.public_inputs() as usize);
        Ok(Self { public: public.to_vec(), secret: Zeroizing::new(secret.to_vec()) })
    }

    /// The wires as a `.wtns` file. Secret.
    #[doc(hidden)]
    #[must_use]
    pub fn to_wtns(&self) -> Zeroizing<Vec<u8>> {
        let count = 1 + self.public.len() + self.secret.len();
        let len = ELEMENT as usize * count;
        let mut out = Zeroizing::new(Vec::with_capacity(12 + 12 + 16 + 12 + len));
        out.extend(WITNESS.start(2));
        let numbers = [&ELEMENT.to_le_bytes()[..], &F::P.to_le_bytes()];
        let header = [&numbers.concat()[..], &(count as u32).to_le_bytes()].concat();
        write_section(&mut out, HEADER, &header);
        out.extend(VALUES.to_le_bytes());
        out.extend((len as u64).to_le_bytes());
        for wire in [ScalarOf::ONE].iter().chain(&self.public).chain(self.secret.iter()) {
            out.extend(wire.value().to_le_bytes());
        }
        out
    }
}
