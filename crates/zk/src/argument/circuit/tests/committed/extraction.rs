//! The extractor of the soundness proof, over columns that were committed before and new ones.

use super::super::super::committed::witness::Joined;
use super::*;
use crate::argument::digits::Radix;
use crate::argument::proof::ArgumentMessages;
use crate::argument::{ArgumentCoordinator, ArgumentWorker, Claim, Element};
use crate::matrix::with_engine;
use crate::opening::LinearForm;
use crate::residual::hints;
use crate::rounding::Rounding;
use crate::shard::Shard;
use crate::source::Appended;
use crate::words::Word;
use tautochrone_ctr::Label;
use tautochrone_gauss::facct::Facct;

/// Two answers to one first message under challenges that differ in one row give a short preimage
/// of that column, whose value under the form is the one in the transcript. From proofs about a
/// circuit and from proofs of knowledge of the values alone, under other parameters, it is the same
/// preimage: its digits are those of the inputs, and the wires in all columns satisfy the circuit.
#[test]
fn what_is_extracted_is_what_was_committed() {
    for (w, round_t) in [(40, None), (44, Some(0))] {
        let values = [4, -9, 100, 7, 11];
        let held = Held::new(CustomParams { round_t, ..toy_of(w, 15, 2, 1) }, &values, 1);
        let assigned = squares(&[11, 7]);
        let inputs = Inputs { slot: 1, elements: vec![4, 3] };
        let claim = held.claim(&assigned, &inputs);
        let new = claim.draw(&held.witness, &assigned.1).unwrap();
        let (columns, _) = claim.commit(&new).unwrap();
        let file = Appended { file: &held.file, more: &columns };
        let statement = claim.statement(&columns).unwrap().with_owner(Owner::Compared);
        let joined = Joined { committed: &held.witness, params: &held.params, new: &new };
        let all = [&held.entries[..], &new].concat();
        let mut entries = vec![0; all.len()];
        joined.read_columns(claim.params(), 0, &mut entries).unwrap();
        assert!(entries == all);
        let prover = Prover::new(&claim.matrix, &statement).unwrap().with_file(&file);
        let (slot, claims, whole) = (&claim.slot, &claim.claims, Shard::whole(claim.params()));
        let worker = ArgumentWorker::new(claim.params(), &joined, whole, slot, claims);
        let mut worker = worker.unwrap();
        let coordinator = ArgumentCoordinator::new(&prover, slot, claims, worker.masks()).unwrap();
        let argument = coordinator.argue(&mut |request| worker.answer(request)).unwrap();
        let elements = argument.elements().into_iter().map(|bytes| Element::from_slice(bytes).0);
        let elements: Vec<Element> = elements.collect();
        let values = ArgumentMessages::split(&elements, slot, claims).values(slot);
        let form = argument.opening.form();
        let none = LinearForm::new(Vec::new());
        let (first, last) = (slot.data().start as usize, claim.params().l() as usize - 1);
        let mut wires = vec![Scalar::ZERO; claim.circuit.secret_wires() as usize];
        let Claim::Circuit(of_claim) = &claims.claims()[0] else { panic!("a circuit") };
        for column in [0, 1, first, last] {
            let of = |column| statement.column(&file, column).unwrap();
            let system = System { matrix: &claim.matrix, column: &of, entries: &all };
            let preimage = system.extract(form, column, &values);
            assert!(form.at(&preimage) == values[column]);
            if column < held.params.l() as usize {
                let of = |column| held.statement.column(&held.file, column).unwrap();
                let system = System { matrix: &held.matrix, column: &of, entries: &held.entries };
                let zeros = vec![Element::ZERO; held.params.l() as usize];
                assert!(system.extract(&none, column, &zeros) == preimage);
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

fn random<const RANGE: u8>(seed: u8, count: usize) -> Vec<i64> {
    let mut bytes = vec![0; count];
    Seed::from_bytes([seed; 32]).stream(Label::new("test: challenges"), 0).fill(&mut bytes);
    bytes.iter().map(|byte| i64::from(byte % RANGE) - 1).collect()
}

/// A, columns of the published T, and S.
struct System<'a> {
    matrix: &'a PublicMatrix,
    column: &'a dyn Fn(u64) -> Vec<u64>,
    entries: &'a [i8],
}

impl System<'_> {
    /// The extractor for one column. C is l x n, row after row, with entries of {-1, 0, 1}.
    fn extract(&self, form: &LinearForm, column: usize, values: &[Element]) -> Vec<i64> {
        let params = &self.matrix.params;
        let (k, r) = (params.z_rows() as usize, params.r() as usize);
        let (v, n, l) = (params.v() as usize, params.n() as usize, params.l() as usize);
        let (d, modulus) = (params.rounding_of_w(), Rounding::new(params.w(), 0));
        let times = |x: &[i64]| -> Vec<u64> {
            with_engine!(self.matrix, engine => {
                engine.apply(x).into_iter().map(|x| modulus.reduce(Word::to_u64(x))).collect()
            })
        };
        let sampler = Facct::new(params.sigma() as f64).unwrap();
        let mut y = vec![0_i64; v * n];
        sampler.fill(&mut Seed::from_bytes([9; 32]).stream(Label::new("test: Y"), 0), &mut y);
        let high: Vec<u64> = times(&y).iter().map(|&w| d.high(w)).collect();
        let delta: Vec<Element> = y.chunks(v).map(|y| form.at(y)).collect();
        let t: Vec<Vec<u64>> = (0..l as u64).map(self.column).collect();
        // Z_1 and E, k and r rows.
        let answer = |c: &[i64]| -> (Vec<i64>, Vec<i64>) {
            let (mut top, mut images) = (Vec::new(), Vec::new());
            for at in 0..n {
                let mut z = y[at * v..(at + 1) * v].to_vec();
                for (s, c) in self.entries.chunks(v).zip(c.chunks(n)) {
                    z.iter_mut().zip(s).for_each(|(z, &s)| *z += c[at] * i64::from(s));
                }
                z[k..].fill(0);
                for (i, image) in times(&z).into_iter().enumerate() {
                    let tc = t.iter().zip(c.chunks(n)).fold(0_u64, |sum, (t, c)| {
                        sum.wrapping_add(t[i].wrapping_mul(c[at].cast_unsigned()))
                    });
                    images.push(modulus.reduce(image.wrapping_sub(tc)));
                }
                // What a verifier recomputes of delta.
                let terms = values.iter().zip(c.chunks(n));
                let sum = terms.fold(form.at(&z), |sum, (&y, c)| sum - y * c[at].into());
                assert!(sum == delta[at]);
                top.extend_from_slice(&z[..k]);
            }
            let hints = hints(params, &high, &images).expect("honest hints");
            let e = images.iter().zip(&hints);
            let e = e.map(|(&v, &hint)| d.low(v) - (i64::from(hint) << params.round_w()));
            (top, e.collect())
        };
        let first = random::<3>(1, l * n);
        let row = column * n..(column + 1) * n;
        let mut second = first.clone();
        second[row.clone()].copy_from_slice(&random::<3>(2 + column as u8, n));
        let place = first[row.clone()].iter().zip(&second[row]).position(|(a, b)| (a - b) % 2 != 0);
        let place = place.expect("rows of two parities");
        let sign = first[column * n + place] - second[column * n + place];
        let (one, other) = (answer(&first), answer(&second));
        let difference = |x: &[i64], y: &[i64], rows: usize| -> Vec<i64> {
            let range = place * rows..(place + 1) * rows;
            x[range.clone()].iter().zip(&y[range]).map(|(x, y)| sign * (x - y)).collect()
        };
        let mut preimage = difference(&one.0, &other.0, k);
        preimage.extend(difference(&one.1, &other.1, r).iter().map(|e| -e));
        assert!(times(&preimage) == t[column]);
        let squared: u128 = preimage.iter().map(|x| u128::from(x.unsigned_abs()).pow(2)).sum();
        assert!(squared <= 4 * params.norm_bound_squared());
        preimage
    }
}
