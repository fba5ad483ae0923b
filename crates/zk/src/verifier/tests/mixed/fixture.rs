//! Statements over one A, and honest proofs of every kind about them.

use std::sync::OnceLock;

use tautochrone_ctr::{Label, Seed};

use crate::argument::{
    Assignment, Circuit, CircuitBuilder, CircuitClaim, Claims, ExactKeys, Fact, KeyRanges, Layout,
    Ranges, RowNorm, RowRange, Scalar, Slot,
};
use crate::cases::{CONTEXT, validated, waived};
use crate::claim::{Claim, Shown};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params};
use crate::prover::Prover;
use crate::rows::{DIGIT_BOUND, Distribution, RowGroup};
use crate::statement::Statement;
use crate::witness::{Witness, WitnessSource};

/// 127 elements of a circuit's columns and pads: so many rows that messages and their pads are within
/// them.
const ROWS: u32 = 8 * 127 + 48;
/// Two blocks of T.
pub(super) const L: u64 = 300;
const R: u32 = 5;

/// Rows of a message: an entry within 9, bits of what its square is smaller than 81, a bit; zeros.
const MESSAGE: usize = 500;
/// The row of the bit.
const BIT: usize = 8;
/// Which statement: of messages, of a circuit's wires, of keys and of other keys.
pub(super) const OF_MESSAGES: usize = 0;
const OF_WIRES: usize = 1;
pub(super) const OF_KEYS: [usize; 2] = [2, 3];

/// What can be shown.
pub(super) struct Shows {
    /// A fact, several, ranges, and norms, each in a slot of its own, and a circuit.
    claims: [(Slot, Claims); 5],
    keys: [KeyRanges; 3],
}

impl Shows {
    pub(super) fn all(&self) -> Vec<Shown<'_>> {
        let Self { claims, keys } = self;
        let claims = claims.iter().map(|(slot, claims)| Shown::Claims(slot, claims));
        let of_keys = keys.map(Shown::Keys);
        core::iter::once(Shown::Knowledge).chain(claims).chain(of_keys).collect()
    }
}

/// Statements over one A, as they are read, and honest proofs: of which statement, of what, the
/// file.
pub(super) struct Fixture {
    pub(super) params: Params,
    pub(super) statements: [(Statement, Vec<u8>); 4],
    pub(super) shows: Shows,
    pub(super) proofs: Vec<(usize, usize, Vec<u8>)>,
}

/// Entries from a seed, within `bound`.
fn entries(count: usize, seed: u8, bound: u8) -> Vec<i8> {
    let mut bytes = vec![0; count];
    Seed::from_bytes([seed; 32]).stream(Label::new("test: mixed"), 0).fill(&mut bytes);
    bytes.iter().map(|byte| (byte % (2 * bound + 1)) as i8 - bound as i8).collect()
}

/// x^2 = 9, with a column of wires for it.
fn circuit() -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    let square = builder.public(Scalar::from(9));
    let x = builder.secret(Scalar::from(3));
    builder.constrain(x, x, square);
    builder.finish().unwrap()
}

impl Fixture {
    fn new(w: u32) -> Self {
        let group = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
        let bound = DIGIT_BOUND;
        let custom = CustomParams {
            n: Some(10),
            round_t: Some(0),
            groups: [Some(RowGroup::uniform(ROWS, bound)), Some(RowGroup::uniform(R, bound)), None],
            ..CustomParams::new(w, R, ROWS + R, L, 1)
        };
        let params = validated(custom);
        let (v, columns) = (params.v() as usize, L as usize);
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let seed = Seed::from_bytes([9; 32]);

        // Messages, with a slot for a fact, for several, for ranges and for norms.
        let range = |first_row, rows| RowRange { first_row, rows, low: 0, high: 1 };
        let norm = RowNorm::at_most(0, 1, 81, 1);
        let with_norm = Ranges::with_norms(vec![range(1, norm.bits)], vec![norm]).unwrap();
        let bit = Ranges::new(vec![range(BIT as u32, 1)]).unwrap();
        let layout = |columns: u64| {
            let fact = Claims::from(Fact::block(0, 0, 1, vec![0]).unwrap());
            let lists = [fact.clone(), fact, bit.clone().into(), with_norm.clone().into()];
            lists.iter().fold(Layout::new(MESSAGE as u32, columns), |layout, claims| {
                layout.with_slot(claims).unwrap()
            })
        };
        let data = (1..L).find(|&columns| layout(columns).all_columns() == L).unwrap();
        let layout = layout(data);
        let mut messages = vec![0; MESSAGE * data as usize];
        let rows = entries((BIT + 1) * data as usize, 1, 1);
        let of_rows = messages.chunks_exact_mut(MESSAGE).zip(rows.chunks_exact(BIT + 1));
        for ((message, rows), x) in of_rows.zip(entries(data as usize, 2, 9)) {
            message[..=BIT].copy_from_slice(rows);
            message[0] = x;
            message[BIT] &= 1;
        }
        with_norm.fill_slack(MESSAGE, &mut messages).unwrap();
        let source = layout.witness(&matrix, &messages, &seed).unwrap();
        let mut of_messages = vec![0; v * columns];
        source.read_columns(&params, 0, &mut of_messages).unwrap();

        // The wires of a circuit: a witness of longer columns, cut.
        let (circuit, assignment) = circuit();
        let longer = CustomParams {
            groups: [group(ROWS, bound), None, None],
            ..CustomParams::new(w, R, ROWS + 16 + R, L, 1)
        };
        let longer = waived(CustomParams { n: Some(10), ..longer });
        let a = PublicMatrix::new(&longer, [1; 32]);
        let source = circuit.witness(&a, &assignment, &seed).unwrap();
        let mut long = vec![0; longer.v() as usize * columns];
        source.read_columns(&longer, 0, &mut long).unwrap();
        let of_wires: Vec<i8> = long
            .chunks_exact(longer.v() as usize)
            .flat_map(|column| &column[..v])
            .copied()
            .collect();

        let entries =
            [of_messages, of_wires, entries(v * columns, 3, 1), entries(v * columns, 4, 1)];
        let witnesses = entries.map(|entries| Witness::new(&params, entries).unwrap());
        let statements = witnesses.each_ref().map(|witness| {
            let mut file = Vec::new();
            (matrix.commit(witness, &mut file).unwrap(), file)
        });
        let fact = |j: u64| {
            let value = i64::from(messages[MESSAGE * j as usize]);
            Fact::sum(vec![(0, 5)], vec![(j, 2)], 10 * value).unwrap()
        };
        let slot = |index| layout.slot(index).unwrap();
        let facts = Claims::new((0..9).map(|j| fact(j).into()).collect()).unwrap();
        let shows = Shows {
            claims: [
                (slot(0), fact(data - 1).into()),
                (slot(1), facts),
                (slot(2), bit.into()),
                (slot(3), with_norm.into()),
                (
                    circuit.layout(&longer).unwrap().slot(0).unwrap(),
                    CircuitClaim::new(&circuit, &assignment.public).unwrap().into(),
                ),
            ],
            keys: [
                KeyRanges::new(1, 1).unwrap(),
                KeyRanges::new(2, 1).unwrap(),
                KeyRanges::new(1, 2).unwrap(),
            ],
        };
        let mut fixture = Self { params, statements, shows, proofs: Vec::new() };
        let mut honest = vec![(OF_KEYS[0], 0), (OF_WIRES, 5)];
        honest.extend((0..5).map(|shown| (OF_MESSAGES, shown)));
        honest.extend([(OF_KEYS[0], 6), (OF_KEYS[1], 6), (OF_KEYS[0], 7), (OF_KEYS[1], 8)]);
        let prove = |&(which, shown): &(usize, usize)| {
            let proof = fixture.prove(&matrix, which, &witnesses[which], shown);
            (which, shown, proof)
        };
        let proofs = honest.iter().map(prove).collect();
        fixture.proofs = proofs;
        fixture
    }

    fn prove(
        &self,
        matrix: &PublicMatrix,
        which: usize,
        witness: &Witness,
        shown: usize,
    ) -> Vec<u8> {
        let seed = &Seed::from_bytes([which as u8; 32]);
        let (statement, file) = &self.statements[which];
        let prover = Prover::new(matrix, statement).unwrap().with_file(file).reproducible();
        let proved = match self.shows.all()[shown] {
            Shown::Knowledge => prover.prove(CONTEXT, witness, seed),
            Shown::Claims(slot, claims) => {
                prover.prove_claims(CONTEXT, slot, claims, witness, seed)
            }
            Shown::Keys(claim) => {
                let keys = || ExactKeys::new(matrix, statement, claim).unwrap().with_file(file);
                keys().reproducible().prove(CONTEXT, witness, seed)
            }
        };
        proved.unwrap().proof
    }

    /// The same for the whole test program, for words of 32 bits and of 64.
    pub(super) fn both() -> [&'static Self; 2] {
        static NARROW: OnceLock<Fixture> = OnceLock::new();
        static WIDE: OnceLock<Fixture> = OnceLock::new();
        [NARROW.get_or_init(|| Self::new(32)), WIDE.get_or_init(|| Self::new(40))]
    }

    pub(super) fn claim<'a>(&'a self, which: usize, shown: usize, proof: &'a [u8]) -> Claim<'a> {
        let (statement, file) = &self.statements[which];
        let shows = self.shows.all()[shown];
        Claim { statement, statement_file: Some(file), context: CONTEXT, shows, proof }
    }

    /// The claims of honest proofs.
    pub(super) fn honest(&self) -> Vec<Claim<'_>> {
        self.proofs.iter().map(|(which, shown, proof)| self.claim(*which, *shown, proof)).collect()
    }
}
