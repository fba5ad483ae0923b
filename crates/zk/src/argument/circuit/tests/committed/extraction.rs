//! The extractor of the soundness proof, over columns that were committed before and new ones.

use super::*;
use crate::argument::digits::Radix;
use crate::argument::joined::Joined;
use crate::argument::{Argument, ArgumentWorker, Claim, Element};
use crate::cases::extractor::extract;
use crate::opening::{ColumnOpening, LinearForm};
use crate::prover::Prover;
use crate::shard::Shard;
use crate::source::{Appended, ReadAt};

/// Two answers to one first message under challenges that differ in one row give a short preimage
/// of that column, whose value under the form is the one in the transcript. From proofs about a
/// circuit and from proofs of knowledge of the values alone, under other parameters, it is the same
/// preimage: its digits are the inputs' digits, and the wires in all columns satisfy the circuit.
#[test]
fn what_is_extracted_is_what_was_committed() {
    for (w, round_t) in [(40, None), (44, Some(0))] {
        let values = [4, -9, 100, 7, 11];
        let held = committed(CustomParams { round_t, ..toy_of(w, 15, 2, 1) }, &values, 1);
        let assigned = squares(&[11, 7]);
        let inputs = Inputs { slot: 1, elements: vec![4, 3] };
        let claim = held.claim(&assigned, &inputs);
        let new = claim.draw(&held.witness, &assigned.1).unwrap();
        let (columns, _) = claim.commit(&new).unwrap();
        let file = Appended { file: &held.file, more: &columns };
        let statement = claim.statement(&columns).unwrap().with_owner(Owner::Compared);
        let joined = Joined { first: &held.witness, params: &held.params, behind: &new };
        let all = [&held.entries[..], &new].concat();
        let mut entries = vec![0; all.len()];
        joined.read_columns(claim.params(), 0, &mut entries).unwrap();
        assert!(entries == all);
        let prover = Prover::new(&claim.matrix, &statement).unwrap().with_file(&held.file);
        let (slot, claims, whole) = (&claim.slot, &claim.claims, Shard::whole(claim.params()));
        let worker = <ArgumentWorker<'_>>::new(claim.params(), &joined, whole, slot, claims);
        let mut worker = worker.unwrap();
        let mut ask = |request: &_| worker.answer(request);
        let argument = <Argument>::new(&prover, (slot, claims), &mut ask).unwrap();
        let elements = argument.elements.chunks_exact(24).map(|bytes| Element::from_slice(bytes).0);
        let elements: Vec<Element> = elements.collect();
        let ends = &elements[elements.len() - 1 - claim.params().l() as usize..];
        let (table, rest) = ends.split_at(slot.table_columns());
        let values = slot.in_order(table, &rest[1..]);
        let opening: &dyn core::any::Any = &*argument.opening;
        let form = opening.downcast_ref::<ColumnOpening>().expect("over this field").form();
        let none = LinearForm::new(Vec::new());
        let (first, last) = (slot.data().start as usize, claim.params().l() as usize - 1);
        let mut wires = vec![Scalar::ZERO; claim.circuit.secret_wires() as usize];
        let Claim::Circuit(of_claim) = &claims.claims()[0] else { panic!("a circuit") };
        let columns = |of: &Statement, file: &dyn ReadAt| -> Vec<Vec<u64>> {
            (0..of.params().l()).map(|column| of.column(file, column).unwrap()).collect()
        };
        let (t, t_of_values) = (columns(&statement, &file), columns(&held.statement, &held.file));
        for column in [0, 1, first, last] {
            let preimage = extract(&claim.matrix, (&all, &t), form, column, &values);
            assert!(form.at(&preimage) == values[column]);
            if column < held.params.l() as usize {
                let zeros = vec![Element::ZERO; held.params.l() as usize];
                let of_values = (&held.entries[..], &t_of_values[..]);
                assert!(extract(&held.matrix, of_values, &none, column, &zeros) == preimage);
            }
            for (index, wire) in wires.iter_mut().enumerate() {
                let place = of_claim.place(index);
                if first + place / 15 == column {
                    let digits = &preimage[8 * (place % 15)..][..8];
                    *wire = Scalar::of_residue(Radix::WIDE.value::<P61, _>(digits));
                }
            }
        }
        assert!(wires == *assigned.1.secret);
        let secret = wires.into();
        let of_extracted = Assignment { public: assigned.1.public.clone(), secret };
        assert_eq!(assigned.0.first_violation(&of_extracted).unwrap(), None);
    }
}
