//! What is sent is masked: for fixed challenges, each pad moves what it masks and nothing that is
//! masked by a pad in front of it, so that pads and what is sent are in one-to-one correspondence
//! (docs/protocol.md, theorem on pads and messages). Any columns of messages may be opened: their
//! beta and h_j drop out together.

use super::*;
use crate::argument::request::Request;
use crate::cases::Unchecked;
use crate::error::WitnessProblem;
use crate::opening::transcript::fixed;
use crate::witness::MessageRows;
use crate::witness::columns::for_first_rows;
use tautochrone_testkit::step;
use zeroize::Zeroizing;

/// A pad, and which of the elements that are sent it masks.
#[derive(Clone, Copy, Debug)]
enum Pad {
    /// An element of F_1, by its place.
    Mask(usize),
    Gamma(usize),
    Beta(usize),
}

/// All elements that are sent, as they are encoded: as they are, and with each of the pads one
/// more.
fn sent(toy: &Toy, pads: &[Pad]) -> Vec<Vec<Vec<u8>>> {
    with_field!(&toy.layout, F => sent_over::<F>(toy, pads))
}

fn sent_over<F: ArgumentField>(toy: &Toy, pads: &[Pad]) -> Vec<Vec<Vec<u8>>> {
    let (slot, claims, prover) = (toy.slot(0), &toy.claims[0], toy.prover());
    let (holding, one) = (slot.holding().start as usize, ElementOf::<F>::from(1));
    // Where in the answer the masks of a column begin.
    let place = |column: usize| (0..column as u64).map(|j| slot.masks_in(j)).sum::<usize>();
    let digit = |k: usize| {
        let position = slot.layout().mask_places() as usize * k;
        (position / ROWS as usize, position % ROWS as usize)
    };
    // S is read once, and a worker gives its masks once.
    let mut worker = toy.worker::<F>(&slot, 0).unwrap();
    let masks = worker.answer(&Request::Masks).unwrap();
    // phi_1 of F_1 is computed from S: the digit that was changed counts there, too.
    let mut answer = |request: &Request<F>, change| {
        let mut answer = match request {
            Request::Masks => masks.clone(),
            _ => worker.answer(request)?,
        };
        match (request, change) {
            (Request::Masks, Some(Pad::Mask(k))) => {
                let (column, row) = digit(k);
                answer[place(holding + column) + 2 + row] += one;
            }
            (Request::Masks, Some(Pad::Gamma(j))) => answer[place(j)] += one,
            (Request::Masks, Some(Pad::Beta(j))) => {
                worker.beta[j] += one;
                if slot.holding().contains(&(j as u64)) {
                    answer[place(j) + 1] += one;
                }
            }
            (Request::Values(point), Some(Pad::Mask(k))) => {
                let (column, row) = digit(k);
                answer[holding + column] += crate::eq::table(point, ROWS as usize)[row];
            }
            // The last request.
            (Request::Values(_), Some(Pad::Beta(j))) => {
                worker.beta[j] = worker.beta[j] - one;
            }
            _ => (),
        }
        Ok(answer)
    };
    let sent = |change: Option<Pad>| {
        let mut ask = |request: &Request<F>| answer(request, change);
        let argued = fixed::with(|| Argument::new(&prover, (&slot, claims), &mut ask));
        let elements = argued.unwrap().elements;
        elements.chunks_exact(F::ELEMENT_LEN).map(<[u8]>::to_vec).collect()
    };
    [None].into_iter().chain(pads.iter().copied().map(Some)).map(sent).collect()
}

/// Pads in the order in which they follow from what is sent, each with the element that it masks:
/// ends, messages, h, messages of rows, y.
fn order(toy: &Toy) -> Vec<(Pad, usize)> {
    let (slot, claims) = (toy.slot(0), &toy.claims[0]);
    let layout = slot.layout();
    let (mut ends, mut messages) = (Vec::new(), Vec::new());
    let mut first_sent = 0;
    for claim in claims.claims() {
        let count = claim.definition().sent(layout);
        let of_ends = match claim {
            Claim::Fact(_) => 0,
            Claim::Ranges(_) | Claim::Relation(_) => 1,
            Claim::Circuit(_) | Claim::GoldilocksCircuit(_) => 3,
        };
        // Of a circuit, beta'_2 masks v_C and moves v_A.
        for k in (0..count).rev() {
            let list = if k + of_ends >= count { &mut ends } else { &mut messages };
            list.push((Pad::Mask(first_sent + k), first_sent + k));
        }
        first_sent += count;
    }
    // Messages in the order in which they are sent.
    messages.sort_by_key(|&(_, element)| element);
    let of_rows = 2 * slot.layout().rounds();
    let masking = slot.masking().start as usize;
    let gammas = (0..of_rows).map(|k| (Pad::Gamma(masking + k), first_sent + k));
    let all = toy.params.l() as usize;
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        (0..all).partition(|&j| slot.is_in_table(j as u64));
    let first = first_sent + of_rows;
    let table = inside.iter().enumerate().map(|(k, &j)| (Pad::Beta(j), first + k));
    // X stands between h and y.
    let behind = first + inside.len() + 1;
    let values = outside.iter().enumerate().map(|(k, &j)| (Pad::Beta(j), behind + k));
    ends.into_iter().chain(messages).chain(table).chain(gammas).chain(values).collect()
}

#[test]
fn pads_and_what_is_sent_correspond() {
    let columns = 5;
    for (k, list) in lists(columns).into_iter().enumerate() {
        // A second slot, the block of which holds free columns.
        let goldilocks = form(std::slice::from_ref(&list)) == Form::Goldilocks;
        let second = if goldilocks { Kind::Circuit } else { Kind::Sum };
        let toy = Toy::new(40, columns, &[list, vec![second]], 8);
        let order = order(&toy);
        let step = step(1, 5);
        let moved: Vec<_> = order.iter().enumerate().skip(k % step).step_by(step).collect();
        let pads: Vec<Pad> = moved.iter().map(|(_, (pad, _))| *pad).collect();
        let all = sent(&toy, &pads);
        let (before, afters) = all.split_first().unwrap();
        // All but X, which follows from the others.
        assert_eq!(order.len(), before.len() - 1);
        for (&(place, &(pad, masked)), after) in moved.iter().zip(afters) {
            assert!(after[masked] != before[masked], "{pad:?} masks element {masked}");
            for &(other, element) in &order[..place] {
                assert!(after[element] == before[element], "{pad:?} moves what {other:?} masks");
            }
        }
    }
}

/// All that depends on a beta of a column of messages is its own h_j and messages that are masked
/// behind it: who opens a column learns one beta and one h_j.
#[test]
fn a_column_of_messages_shows_itself() {
    let toy = Toy::new(40, 5, &[vec![Kind::Ranges(bits_and_trits())]], 9);
    let slot = toy.slot(0);
    let claims = toy.claims[0].sent(slot.layout());
    let rows = claims..claims + 2 * slot.layout().rounds();
    let (holding, data) = (slot.holding(), slot.data());
    let pads: Vec<Pad> = data.clone().map(|j| Pad::Beta(j as usize)).collect();
    let all = sent(&toy, &pads);
    for (j, after) in data.clone().zip(&all[1..]) {
        let h = rows.end + (holding.end - holding.start + j - data.start) as usize;
        for (element, (x, y)) in all[0].iter().zip(after).enumerate() {
            let may = element == h || rows.contains(&element);
            assert!(x == y || may, "beta of column {j} moves element {element}");
        }
    }
}

/// Fresh pads make every element another one, and the same seed the same one.
#[test]
fn fresh_pads_move_every_element() {
    let elements = |seed: u8| {
        let toy = Toy::new(40, 5, &[vec![Kind::Ranges(two_norms()), Kind::Sum]], 10);
        let messages = messages((ROWS, 5), &[vec![Kind::Ranges(two_norms())]], 10);
        let seed = Seed::from_bytes([seed; 32]);
        let source = toy.layout.witness(&toy.matrix, &messages, &seed).unwrap();
        sent(&Toy { case: Case::read(&toy.params, 1, &source), ..toy }, &[]).remove(0)
    };
    let [one, same, other] = [1, 1, 2].map(elements);
    assert!(one == same);
    assert!(one.iter().zip(&other).all(|(x, y)| x != y));
}

/// For the same messages one seed gives other pads and randomness over another A, in slots of other
/// sizes, and over another field, under the same parameters; and the masks of two slots of one size
/// are drawn apart.
#[test]
fn all_pads_are_drawn_apart() {
    // The entries of a witness of messages of zeros, with all that one seed draws.
    let drawn = |a: u8, params: &Params, layout: &Layout| {
        let messages = vec![0; 5 * ROWS as usize];
        let (matrix, seed) = (PublicMatrix::new(params, [a; 32]), Seed::from_bytes([3; 32]));
        let source = layout.witness(&matrix, &messages, &seed).unwrap();
        Case::read(params, a, &source).entries
    };
    let with = |new: fn(u32, u64) -> Layout, masks: &[u32]| {
        masks.iter().try_fold(new(ROWS, 5), |layout, &masks| layout.with_masks(masks)).unwrap()
    };
    // A pad and the randomness of the last column, which is none of a slot's.
    let last = |entries: Vec<i8>| entries[entries.len() - 16 - 81..].to_vec();
    let [one, other] = [[1, 2], [2, 1]].map(|masks| with(Layout::new, &masks));
    let params = validated(custom(33, &one));
    assert_eq!(one.all_columns(), other.all_columns());
    let first = last(drawn(1, &params, &one));
    assert_eq!(first, last(drawn(1, &params, &one)));
    assert_ne!(first, last(drawn(2, &params, &one)));
    assert_ne!(first, last(drawn(1, &params, &other)));

    let [narrow, wide] = [Layout::new, Layout::of_large_integers].map(|new| with(new, &[0]));
    let params = validated(custom(33, &wide));
    let randomness = |layout: &Layout| {
        drawn(1, &params, layout)[ROWS as usize + 220..params.v() as usize].to_vec()
    };
    assert_ne!(randomness(&narrow), randomness(&wide));

    let layout = with(Layout::new, &[6, 6]);
    let params = validated(custom(33, &layout));
    let (entries, v) = (drawn(1, &params, &layout), params.v() as usize);
    let [first, second] = [0, 1].map(|index| {
        let held = layout.slot(index).unwrap().holding();
        held.flat_map(|j| entries[v * j as usize..][..ROWS as usize].to_vec()).collect::<Vec<i8>>()
    });
    assert_eq!(first.len(), second.len());
    assert_ne!(first, second);
}

/// Digits are balanced, in their places, and uniform elements; gamma is 0 but in columns that mask.
#[test]
fn pads_stand_where_they_should() {
    let list = vec![Kind::Ranges(bits_and_trits())];
    let toy = Toy::new(40, 6, &[list, vec![Kind::Sum]], 11);
    let v = toy.params.v() as usize;
    let rows = ROWS as usize;
    let pad = 81;
    let mut sum = 0_i64;
    for (j, column) in (0..).zip(toy.entries.chunks_exact(v)) {
        let slots = [toy.slot(0), toy.slot(1)];
        let masking = slots.iter().any(|slot| slot.masking().contains(&j));
        let holding = slots.iter().any(|slot| slot.holding().contains(&j));
        let (message, pads) = column[..rows + 3 * pad].split_at(rows);
        let zero = |entries: &[i8]| entries.iter().all(|&entry| entry == 0);
        assert_eq!(zero(message), masking, "{j}");
        assert_eq!(zero(&pads[..pad]), !masking, "{j}");
        assert!(!zero(&pads[pad..2 * pad]) && !zero(&pads[2 * pad..]));
        if holding {
            assert!(message.iter().all(|digit| digit.unsigned_abs() <= 2));
        }
        assert!(pads.iter().all(|digit| digit.unsigned_abs() <= 2));
        sum += pads.iter().map(|&digit| i64::from(digit)).sum::<i64>();
    }
    // 38 columns of 162 or 243 digits of variance 2.
    assert!(sum.abs() < 700, "{sum}");
    let zeros: Zeroizing<Vec<i8>> = Zeroizing::new(vec![0; rows * 6]);
    let other = toy.layout.witness(&toy.matrix, &zeros, &Seed::from_bytes([11; 32])).unwrap();
    let mut entries = vec![0; toy.entries.len()];
    other.read_columns(&toy.params, 0, &mut entries).unwrap();
    assert_ne!(entries[rows + pad..v], toy.entries[rows + pad..v], "other messages, other pads");
}

/// A source whose messages alone are read.
struct Lent<'a>(MessageRows<'a>);

impl WitnessSource for Lent<'_> {
    fn read_columns(&self, _: &Params, _: u64, _: &mut [i8]) -> Result<(), Error> {
        panic!("only messages are asked for")
    }
    fn messages(&self, _: &Params) -> Option<MessageRows<'_>> {
        Some(self.0)
    }
}

#[test]
fn messages_are_the_rows_that_are_read() {
    let (rows, layout) = (ROWS as usize, Layout::new(ROWS, 1500).with_masks(4).unwrap());
    let params = validated(custom(40, &layout));
    let matrix = PublicMatrix::new(&params, [1; 32]);
    let mut messages: Vec<i8> = (0..1500 * rows).map(|i| (i * i / 7 % 3) as i8 - 1).collect();
    let source = layout.witness(&matrix, &messages, &Seed::from_bytes([3; 32])).unwrap();
    let (closed, l) = (layout.closed(), params.l());
    let whole = Unchecked(Case::read(&params, 1, &source).entries);
    let read = |source: &dyn WitnessSource, shard: Shard, columns: Range<u64>| {
        let (mut all, of) = (Vec::new(), (&params, source, shard));
        for_first_rows(of, &columns, (rows, 64), &mut |first, stride, entries: &[i8]| {
            assert!(entries.len() <= 64 * stride);
            let columns = entries.chunks_exact(stride).map(|column| column[..rows].to_vec());
            all.extend((first..).zip(columns));
        })
        .map(|()| all)
    };
    let some = Shard::of_columns(&params, 256, 512).unwrap();
    for (shard, of_shard) in [(Shard::whole(&params), 0..l), (some, 256..768)] {
        for columns in [0..l, closed..l, 0..closed, 5..9, 100..1111, 800..900] {
            let got = read(&source, shard, columns.clone()).unwrap();
            assert_eq!(got, read(&whole, shard, columns.clone()).unwrap());
            let here = of_shard.start.max(columns.start)..of_shard.end.min(columns.end);
            assert!(got.iter().map(|(j, _)| *j).eq(here), "{columns:?}");
        }
    }
    let (mut wrong, at, v) = (whole.0, closed + 700, params.v() as usize);
    let whole = Shard::whole(&params);
    wrong[at as usize * v + 2] = i8::MIN;
    messages[700 * rows + 2] = i8::MIN;
    let lent =
        |skipped| Lent(MessageRows { first: closed, rows, entries: &messages[skipped * rows..] });
    for source in [&lent(0) as &dyn WitnessSource, &Unchecked(wrong)] {
        let got = read(source, whole, closed..l);
        assert_error!(
            got,
            Error::Witness(WitnessProblem::Bound { row: 2, column, .. }) if column == at
        );
    }
    let got = read(&lent(1), whole, closed..l);
    assert_error!(got, Error::Witness(WitnessProblem::Messages { .. }));
}
