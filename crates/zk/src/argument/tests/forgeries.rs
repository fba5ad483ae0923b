//! Provers that cheat, each with a control: what makes a verifier refuse them.

use super::*;
use crate::argument::protocol::{Choices, Step};
use crate::error::Fault;
use crate::format::CLAIMS_START_LEN;

/// What a prover does instead of what the protocol says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cheat {
    Nothing,
    /// Another v.
    End,
    /// Another message of the first sum-check.
    Message,
    /// h of this place in the table.
    Value(usize),
    /// X.
    Weighted,
    /// y of this place among the other columns.
    Other(usize),
}

/// A prover that is honest, or does not look whether its claims hold.
pub(super) struct Cheater(pub(super) Option<Cheat>);

impl Choices for Cheater {
    fn proves_false_claims(&self) -> bool {
        self.0.is_some()
    }

    fn choose<F: Field>(&mut self, step: Step, next: &mut [ElementOf<F>]) {
        let altered = match (self.0, step) {
            (Some(Cheat::End), Step::Sent) => next.last_mut(),
            (Some(Cheat::Message), Step::Sent) | (Some(Cheat::Weighted), Step::Weighted) => {
                next.first_mut()
            }
            (Some(Cheat::Value(place)), Step::Ends) | (Some(Cheat::Other(place)), Step::Values) => {
                next.get_mut(place)
            }
            _ => None,
        };
        if let Some(element) = altered {
            *element += ElementOf::from(1);
        }
    }
}

fn forge(toy: &Toy, cheat: Cheat) -> Vec<u8> {
    toy.prove_as(0, Some(cheat), &toy.whole(), (Isa::detect(), 1 << 20))
}

/// The honest program on messages of which a claim is false: the equation fails, for every list and
/// kind of claim.
#[test]
fn false_claims_fail_the_equation() {
    let columns = 12;
    for list in lists(columns) {
        let toy = Toy::new(40, columns, &[list], 12);
        assert_eq!(toy.reason(0, &toy.claims[0], &forge(&toy, Cheat::Nothing)), None);
        let v = toy.params.v() as usize;
        for place in 0..ROWS as usize {
            let rows = toy.layout.place_rows() as usize;
            let row = rows * place;
            let column = toy.slot(0).data().start as usize + [0, 6, 11][place % 3];
            let mut entries = toy.entries.clone();
            entries[v * column + row] += 3;
            let other = toy.with_entries(entries);
            let honest = other.try_prove(0, &other.claims[0]);
            let forged = forge(&other, Cheat::Nothing);
            let reason = other.reason(0, &other.claims[0], &forged);
            // A row of which nothing is claimed may hold anything.
            match honest {
                Ok(_) => assert_eq!(reason, None, "{row}"),
                Err(Error::FalseFact) => {
                    assert_eq!(reason, EQUATION, "{row}");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// Where any element that is sent is altered, either the equation fails or the columns have other
/// values.
#[test]
fn altered_messages_are_noticed() {
    for list in lists(12) {
        let toy = Toy::new(40, 12, std::slice::from_ref(&list), 13);
        let reason = |cheat| toy.reason(0, &toy.claims[0], &forge(&toy, cheat));
        assert_eq!(reason(Cheat::Nothing), None);
        if list.iter().any(|kind| matches!(kind, Kind::Ranges(_) | Kind::Circuit)) {
            assert_eq!(reason(Cheat::End), EQUATION);
            assert_eq!(reason(Cheat::Message), EQUATION);
        }
        assert_eq!(reason(Cheat::Weighted), EQUATION);
        // The last column of messages is in all of these claims but one block.
        let table = (0..toy.params.l()).filter(|&j| toy.slot(0).is_in_table(j)).count();
        for place in [0, table - 1] {
            let got = reason(Cheat::Value(place));
            assert!([EQUATION, CHALLENGE].contains(&got), "{got:?}");
        }
        // F_2 is in the equation.
        assert_eq!(reason(Cheat::Other(0)), EQUATION);
    }
}

/// A value of a column of which no claim speaks does not change the equation: that it is not the
/// column's own, the proof of knowledge shows.
#[test]
fn values_are_those_of_the_columns() {
    let list = vec![Kind::Block(0, 0, 2, 3)];
    let toy = Toy::new(40, 12, &[list, vec![Kind::Sum]], 14);
    let reason = |cheat| toy.reason(0, &toy.claims[0], &forge(&toy, cheat));
    assert_eq!(reason(Cheat::Nothing), None);
    // Columns 0 to 2 of messages are in the block.
    assert_eq!(reason(Cheat::Value(2)), EQUATION);
    for place in [3, 11] {
        assert_eq!(reason(Cheat::Value(place)), CHALLENGE);
    }
    // Behind F_2 is the block of the second slot, which is free.
    let masking = toy.slot(0).masking().end as usize;
    assert_eq!(reason(Cheat::Other(masking)), CHALLENGE);
}

/// A gamma in a column of messages would be seen in nothing that is sent, and its proof is refused.
#[test]
fn columns_of_messages_have_no_gamma() {
    let toy = Toy::new(40, 12, &[vec![Kind::Sum]], 15);
    let v = toy.params.v() as usize;
    let mut entries = toy.entries.clone();
    let column = toy.slot(0).data().start as usize + 3;
    entries[v * column + ROWS as usize] = 1;
    let other = toy.with_entries(entries);
    let proof = other.prove(0);
    assert_eq!(other.reason(0, &other.claims[0], &proof), CHALLENGE);
}

/// Every element of a file counts.
#[test]
fn altered_elements_are_refused() {
    for list in lists(4) {
        let toy = Toy::new(33, 4, &[list], 16);
        let claims = &toy.claims[0];
        let proof = toy.prove(0);
        let first = 24 + CLAIMS_START_LEN + file::to_bytes(&toy.slot(0), claims).len();
        let count = claims.sent(&toy.layout) + 2 * toy.slot(0).layout().rounds() + 1;
        let (len, word) = if toy.layout.is_over::<P127>() { (32, 16) } else { (24, 8) };
        for element in 0..count + toy.params.l() as usize {
            let mut altered = flipped(&proof, 8 * (first + len * element + word));
            let reason = toy.reason(0, claims, &altered);
            assert!([EQUATION, CHALLENGE].contains(&reason), "{reason:?}");
            altered[first + len * element + word..][..word].fill(0xff);
            let index = element as u64;
            assert_eq!(
                toy.reason(0, claims, &altered),
                Some(Reason::Content(Fault::FieldElement { index }))
            );
        }
        // D_0, the length of the claim, the number of columns, and every byte of the claim.
        for byte in 24..first {
            let altered = flipped(&proof, 8 * byte);
            assert_eq!(toy.reason(0, claims, &altered), Some(Reason::OtherFact), "{byte}");
        }
    }
}
