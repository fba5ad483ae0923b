//! Statements over one A, and honest proofs of every kind about them.

use std::sync::OnceLock;

use tautochrone_ctr::{Label, Seed};

use crate::argument::tests::{Form, Kind, Toy, one_norm, over, range};
use crate::argument::{ExactKeys, KeyRanges, Ranges};
use crate::cases::{CONTEXT, Case};
use crate::params::{CustomParams, Params, Security};
use crate::rows::{DIGIT_BOUND, RowGroup};
use crate::shows::Shows;
use crate::statement::Statement;
use crate::verifier::Claim;

/// 127 elements of a circuit's columns and pads: so many rows that messages and their pads are
/// within them.
const ROWS: u32 = 8 * 127 + 48;
/// Two blocks of T.
pub(super) const L: u64 = 300;
const R: u32 = 5;

/// Rows of a message: an entry within 9, bits of what its square is smaller than 81, a bit; others.
const MESSAGE: u32 = 500;
/// Which statement: of messages, of a circuit's wires, of keys and of other keys.
pub(super) const OF_MESSAGES: usize = 0;
const OF_WIRES: usize = 1;
pub(super) const OF_KEYS: [usize; 2] = [2, 3];

/// Statements over one A, as they are read, and honest proofs: of which statement, of what, the
/// file.
pub(super) struct Fixture {
    pub(super) params: Params,
    pub(super) statements: [(Statement, Vec<u8>); 4],
    /// The same with T.
    held: [Statement; 4],
    /// Knowledge; a fact, several, ranges, and norms, each in a slot of its own; a circuit; keys.
    pub(super) shows: Vec<Shows>,
    pub(super) proofs: Vec<(usize, usize, Vec<u8>)>,
}

/// Claims of each slot of the messages.
fn lists() -> Vec<Vec<Kind>> {
    let bit = Kind::Ranges(Ranges::new(vec![range(8, 1, 0, 1)]).unwrap());
    vec![vec![Kind::Row(0)], (0..9).map(Kind::Row).collect(), vec![bit], vec![one_norm()]]
}

impl Fixture {
    fn new(w: u32) -> Self {
        let group = |rows| Some(RowGroup::uniform(rows, DIGIT_BOUND));
        let groups = [group(ROWS), group(R), None];
        let custom = CustomParams::new(w, R, ROWS + R, L, 1);
        let custom = CustomParams { n: Some(10), round_t: Some(0), groups, ..custom };
        // With as many columns of messages as there are in all but the closed ones.
        let of = |rows: u32, lists: Vec<Vec<Kind>>, custom: CustomParams| {
            let closed = Toy::with((rows, 200), &lists, 9, |layout| CustomParams {
                l: layout.all_columns(),
                ..custom
            });
            Toy::with((rows, L - closed.layout.closed()), &lists, 9, |_| custom)
        };
        let messages = of(MESSAGE, lists(), custom);
        // The wires of a circuit: longer columns, cut.
        let v = (ROWS + R + 16) as usize;
        let longer =
            CustomParams { v: v as u32, groups: [group(ROWS), group(R + 16), None], ..custom };
        let wires = of(127, vec![over(Form::Scalars, vec![Kind::Circuit])], longer);
        let of_wires = wires.entries.chunks_exact(v).flat_map(|column| &column[..v - 16]);
        let of_wires = of_wires.copied().collect();
        let params = messages.params.clone();
        let claims = [(&messages, 0), (&messages, 1), (&messages, 2), (&messages, 3), (&wires, 0)]
            .map(|(toy, index)| Shows::Claims(toy.slot(index), toy.claims[index].clone()));
        let keys = [(1, 1), (2, 1), (1, 2)].map(|(s, e)| KeyRanges::new(s, e).unwrap());
        let shows = core::iter::once(Shows::Knowledge).chain(claims).chain(keys.map(Shows::Keys));
        let shows: Vec<Shows> = shows.collect();
        // Ternary keys.
        let of_keys = |seed: u8| {
            let mut bytes = vec![0; params.v() as usize * L as usize];
            Seed::from_bytes([seed; 32]).stream(Label::new("test: mixed"), 0).fill(&mut bytes);
            let entries = bytes.iter().map(|byte| (byte % 3) as i8 - 1).collect();
            Case::of(params.clone(), 1, entries)
        };
        let of_wires = Case::of(params.clone(), 1, of_wires);
        let cases = [messages.case, of_wires, of_keys(3), of_keys(4)];
        let mut honest = vec![(OF_KEYS[0], 0), (OF_WIRES, 5)];
        honest.extend((0..5).map(|shown| (OF_MESSAGES, shown)));
        honest.extend([(OF_KEYS[0], 6), (OF_KEYS[1], 6), (OF_KEYS[0], 7), (OF_KEYS[1], 8)]);
        let prove = |(which, shown): (usize, usize)| {
            let (case, seed) = (&cases[which], &Seed::from_bytes([which as u8; 32]));
            let proved = match &shows[shown] {
                Shows::Knowledge => case.prover().prove(CONTEXT, &case.witness, seed),
                Shows::Claims(slot, claims) => {
                    case.prover().prove_claims(CONTEXT, slot, claims, &case.witness, seed)
                }
                Shows::Keys(claim) => {
                    let keys = ExactKeys::new(&case.matrix, &case.statement, *claim).unwrap();
                    let keys = keys.with_file(&case.file).reproducible();
                    keys.prove(CONTEXT, &case.witness, seed)
                }
            };
            (which, shown, proved.unwrap().proof)
        };
        let proofs = honest.into_iter().map(prove).collect();
        let load = |case: &Case<i8>| Statement::load(&case.file, Security::Waived).unwrap();
        let held = cases.each_ref().map(load);
        let statements = cases.map(|case| (case.statement, case.file));
        Self { params, statements, held, shows, proofs }
    }

    /// The same for the whole test program, for words of 32 bits and of 64.
    pub(super) fn both() -> [&'static Self; 2] {
        static NARROW: OnceLock<Fixture> = OnceLock::new();
        static WIDE: OnceLock<Fixture> = OnceLock::new();
        [NARROW.get_or_init(|| Self::new(32)), WIDE.get_or_init(|| Self::new(40))]
    }

    pub(super) fn claim<'a>(&'a self, which: usize, shown: usize, proof: &'a [u8]) -> Claim<'a> {
        let (statement, file) = &self.statements[which];
        let shows = &self.shows[shown];
        Claim { statement, statement_file: Some(file), context: CONTEXT, shows, proof }
    }

    /// The same about a statement with T, and without a file.
    pub(super) fn holding<'a>(&'a self, which: usize, shown: usize, proof: &'a [u8]) -> Claim<'a> {
        let claim = self.claim(which, shown, proof);
        Claim { statement: &self.held[which], statement_file: None, ..claim }
    }

    /// The claims of honest proofs.
    pub(super) fn honest(&self) -> Vec<Claim<'_>> {
        self.proofs.iter().map(|(which, shown, proof)| self.claim(*which, *shown, proof)).collect()
    }
}
