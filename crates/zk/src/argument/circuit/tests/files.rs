//! Circuits and assignments as files.

use super::super::r1cs::{PRIME, write_section};
use super::*;
use crate::error::Malformation;

/// x y = z for secret x and y and a public z, byte by byte as iden3's description of the format has
/// it, with an output, and terms in another order than ours, two of them of one wire.
fn example() -> Vec<u8> {
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let minus_one = [0xffff_fffe, 0x1fff_ffff];
    let header = [words(&[8, 0xffff_ffff, 0x1fff_ffff, 4, 1, 0, 2, 4, 0, 1])].concat();
    // x y = z, as (-x) (2 y + 0 1 - y) = -z.
    let first = [words(&[1, 2]), words(&minus_one)].concat();
    let second = [words(&[3, 3, 2, 0, 0, 0, 0, 3]), words(&minus_one)].concat();
    let third = [words(&[1, 1]), words(&minus_one)].concat();
    let rows = [first, second, third].concat();
    let section = |kind: u32, content: &[u8]| {
        [&words(&[kind, content.len() as u32, 0])[..], content].concat()
    };
    let labels: Vec<u8> = (0..4_u64).flat_map(u64::to_le_bytes).collect();
    let start = [b"r1cs".to_vec(), words(&[1, 3])].concat();
    [start, section(2, &rows), section(1, &header), section(3, &labels)].concat()
}

#[test]
fn a_file_of_the_format_is_read() {
    let circuit = <Circuit>::read_r1cs(&example()).unwrap();
    assert_eq!((circuit.public_inputs(), circuit.secret_wires()), (1, 2));
    assert_eq!((circuit.constraints(), circuit.coefficients()), (1, 3));
    let assignment = |x: i64, y: i64, z: i64| Assignment {
        public: vec![number(z)],
        secret: vec![number(x), number(y)].into(),
    };
    assert_eq!(circuit.first_violation(&assignment(-3, 5, -15)).unwrap(), None);
    assert_eq!(circuit.first_violation(&assignment(-3, 5, 15)).unwrap(), Some(0));
}

#[test]
fn what_is_written_is_read() {
    for (circuit, assignment) in [one_bit(), cubes(7, 0)] {
        let file = circuit.to_r1cs();
        let read = <Circuit>::read_r1cs(&file).unwrap();
        assert_eq!(read, circuit);
        assert_eq!(read.digest(), circuit.digest());
        let wires = assignment.to_wtns();
        assert_eq!(wires.capacity(), wires.len());
        let read = Assignment::read_wtns(&wires, &circuit).unwrap();
        assert!(read.public == assignment.public && read.secret == assignment.secret);
    }
}

pub(super) fn malformation<T: core::fmt::Debug>(result: Result<T, Error>) -> Malformation {
    match result {
        Err(Error::Malformed { problem, .. }) => problem,
        other => panic!("{other:?}"),
    }
}

/// Every file that is cut off, and files with one word changed, are refused or are another circuit;
/// none of them panics or allocates what it claims.
#[test]
fn damaged_files_are_refused() {
    let file = example();
    for len in 0..file.len() {
        let problem = malformation(<Circuit>::read_r1cs(&file[..len]));
        match len {
            0..12 => assert!(matches!(problem, Malformation::TooShort { header: 12, .. })),
            _ => assert!(matches!(problem, Malformation::Field(_) | Malformation::Section(_))),
        }
    }
    let longer = malformation(<Circuit>::read_r1cs(&[&file[..], &[0]].concat()));
    assert_eq!(longer, Malformation::Field("number of sections"));
    let original = <Circuit>::read_r1cs(&file).unwrap();
    for at in (0..file.len()).step_by(4) {
        for word in [0, 1, 7, u32::MAX, 0x7fff_ffff] {
            match <Circuit>::read_r1cs(&replaced(&file, at, &word.to_le_bytes())) {
                Ok(circuit) => assert!(circuit.constraints() == 1 || circuit == original),
                Err(Error::Malformed { .. } | Error::Parameter(_)) => (),
                Err(error) => panic!("{error}"),
            }
        }
    }
    let with = |at, word: u32| <Circuit>::read_r1cs(&replaced(&file, at, &word.to_le_bytes()));
    let labels = file.len() - 32 - 12;
    let (header, rows) = (labels - 40, 12 + 12);
    let coefficient = "a coefficient of constraint";
    for (at, word, problem) in [
        (0, 0, Malformation::Magic),
        (4, 2, Malformation::Field("version")),
        // A type that is there twice, and those for custom gates.
        (labels, 1, Malformation::Section(1)),
        (labels, 4, Malformation::Field("custom gates")),
        (labels, 5, Malformation::Field("custom gates")),
        (header + 4, 1, Malformation::Field(PRIME)),
        // Public wires beyond all wires; a constraint more than there are.
        (header + 16, 9, Malformation::Field("wires")),
        (header + 36, 2, Malformation::Section(2)),
        // A coefficient that is p.
        (rows + 8, u32::MAX, Malformation::Element { what: coefficient, index: 0 }),
    ] {
        assert_eq!(malformation(with(at, word)), problem, "{at} {word}");
    }
    // A wire that there is not.
    assert_eq!(name(with(rows + 4, 4)), "wire");
}

#[test]
fn damaged_assignments_are_refused() {
    let (circuit, assignment) = cubes(2, 0);
    let file = assignment.to_wtns();
    for len in 0..file.len() {
        malformation(Assignment::read_wtns(&file[..len], &circuit));
    }
    let with = |at: usize, word: u64| {
        Assignment::read_wtns(&replaced(&file, at, &word.to_le_bytes()), &circuit)
    };
    let values = file.len() - 8 * 11;
    assert_eq!(malformation(with(values, 2)), Malformation::Field("wire 0 (not 1)"));
    let large = malformation(with(values + 8, crate::argument::P));
    assert_eq!(large, Malformation::Element { what: "wire", index: 1 });
    let (larger, _) = cubes(3, 0);
    assert_eq!(name(Assignment::read_wtns(&file, &larger)), "wires of the assignment");
}

/// A file with so many sections of types that mean nothing, as its start says or not.
fn with_sections(file: &[u8], said: u32, more: u32) -> Vec<u8> {
    let mut file = replaced(file, 8, &said.to_le_bytes());
    for kind in 100..100 + more {
        write_section(&mut file, kind, &[]);
    }
    file
}

/// Sections are compared with each other, so their number is refused before one of them is read,
/// whether they are there or not.
#[test]
fn many_sections_are_refused_at_once() {
    let (circuit, assignment) = cubes(2, 0);
    let (file, wires) = (example(), assignment.to_wtns());
    <Circuit>::read_r1cs(&with_sections(&file, 64, 61)).unwrap();
    Assignment::read_wtns(&with_sections(&wires, 64, 62), &circuit).unwrap();
    for got in [65, 100_000, u32::MAX] {
        for there in [0, got.min(100_000)] {
            let problem = Malformation::Sections { got, most: 64 };
            let file = with_sections(&file, got, there);
            assert_eq!(malformation(<Circuit>::read_r1cs(&file)), problem);
            let wires = with_sections(&wires, got, there);
            assert_eq!(malformation(Assignment::read_wtns(&wires, &circuit)), problem);
        }
    }
}

/// circom 2.0.6 writes sections of custom gates into every file. One is refused if it has any, is
/// cut off, or goes on.
#[test]
fn sections_of_no_custom_gates_are_read() {
    let original = <Circuit>::read_r1cs(&example()).unwrap();
    let with = |content: &[u8]| {
        let mut file = example();
        file[8] = 5;
        for kind in [4, 5] {
            write_section(&mut file, kind, content);
        }
        <Circuit>::read_r1cs(&file)
    };
    assert_eq!(with(&[0; 4]).unwrap(), original);
    for content in [&[1, 0, 0, 0][..], &[], &[0; 3], &[0; 8]] {
        assert_eq!(malformation(with(content)), Malformation::Field("custom gates"));
    }
}
