//! Claims on toy dimensions: every kind, alone and together, through one harness.

use core::ops::{Deref, Range};

use tautochrone_ctr::{Label, Seed};
use tautochrone_simd::Isa;

use super::claims::MAX_CLAIMS;
use super::field::with_field;
use super::proof::stated_claims;
use super::relation::tests::toy;
use super::*;
use crate::cases::shards::{Forget, attempt};
use crate::cases::{CHALLENGE, CONTEXT, Case, EQUATION, SEED, flipped, reason, validated, waived};
use crate::error::{Error, Reason};
use crate::field::{Field, HALF_P};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::prover::Prover;
use crate::rows::{Distribution, PAD_BOUND, RowGroup};
use crate::shard::{Coordinator, Shard, ShardWitness, WitnessDigest, commit, multiply_tc};
use crate::witness::WitnessSource;

mod agreement;
mod forgeries;
mod masks;
mod openings;
mod proofs;
mod shards;

use forgeries::{Cheat, Cheater};

/// Rows of a message.
const ROWS: u32 = 9;

pub(crate) fn range(first_row: u32, rows: u32, low: i32, high: i32) -> RowRange {
    RowRange { first_row, rows, low, high }
}

/// Bits in rows 1 to 3, trits in rows 4 to 7; rows 0 and 8 are anything.
fn bits_and_trits() -> Ranges {
    Ranges::new(vec![range(1, 3, 0, 1), range(4, 4, -1, 1)]).unwrap()
}

/// Trits in rows 0 to 2 and 6, the norm of rows 0 to 2 with bits in rows 4 and 5, and the norm of
/// row 6 with one in row 7; rows 3 and 8 are anything.
fn two_norms() -> Ranges {
    let parts = vec![range(0, 3, -1, 1), range(4, 2, 0, 1), range(6, 1, -1, 1), range(7, 1, 0, 1)];
    let norms = vec![RowNorm::at_most(0, 3, 3, 4), RowNorm::at_most(6, 1, 1, 7)];
    Ranges::with_norms(parts, norms).unwrap()
}

/// Ranges and norms with rounds for rows of every kind, and how many rows messages have.
fn kinds_of_rounds() -> Vec<(Kind, u32)> {
    let with_norm = |mut parts: Vec<RowRange>, first_row, rows, bound_squared| {
        let norm = RowNorm::at_most(first_row, rows, bound_squared, first_row + rows);
        parts.push(range(norm.first_bit, norm.bits, 0, 1));
        (parts, vec![norm], norm.first_bit + norm.bits)
    };
    let all = |parts: Vec<RowRange>, rows| (parts, vec![], rows);
    [
        all(vec![range(0, 9, 0, 1)], 9),
        all(vec![range(1, 30, -1, 1)], 31),
        all(vec![range(0, 5, -2, 1), range(6, 8, 0, 1)], 17),
        all(vec![range(0, 7, -8, 8)], 7),
        // Whole blocks; some that are regular and some that are not, in three variables, two and
        // one.
        all(vec![range(0, 16, -1, 1)], 16),
        all(vec![range(3, 22, 0, 3), range(25, 9, 0, 1)], 34),
        with_norm(vec![range(2, 13, -4, 0)], 0, 15, 370),
        all(vec![range(0, 6, -3, 3), range(6, 5, 0, 24)], 11),
        all(vec![range(1, 8, -12, 12)], 9),
        with_norm(vec![range(0, 6, -2, 2)], 3, 8, 417),
        // Rows that are multiplied by roots of their weights, with and without rows behind the
        // blocks.
        all(vec![range(0, 304, -1, 1)], 304),
        all(vec![range(2, 395, -1, 1)], 397),
        all(vec![range(0, 1200, -1, 1)], 1200),
        // More pairs than are summed up at once, in all three kinds of rounds.
        with_norm(vec![], 0, 4096, 1 << 19),
        all(vec![range(0, 4120, -1, 1), range(4120, 2, 0, 1)], 4122),
    ]
    .map(|(parts, norms, rows)| (Kind::Ranges(Ranges::with_norms(parts, norms).unwrap()), rows))
    .into()
}

/// The squared norm of an entry within 9, with bits in rows 1 to 7.
pub(crate) fn one_norm() -> Kind {
    let norm = RowNorm::at_most(0, 1, 81, 1);
    Kind::Ranges(Ranges::with_norms(vec![range(1, norm.bits, 0, 1)], vec![norm]).unwrap())
}

/// What places of messages are, and the field of claims about them.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    Entries,
    LargeIntegers,
    Scalars,
    Goldilocks,
}

/// A claim that is still to be made about messages.
#[derive(Clone)]
pub(crate) enum Kind {
    /// No claim: of all others of the list, which are about entries otherwise.
    Over(Form),
    /// A sum over rows 1, 2 and the last, and every other column.
    Sum,
    /// A sum over one row and all columns.
    Row(u32),
    /// First row, first column, rows and columns.
    Block(u32, u64, u32, u64),
    Ranges(Ranges),
    /// Products of places are public.
    Circuit,
    /// A circuit about all places but the first, in order.
    Places,
    Relation(Instances),
}

/// Instances of a relation.
#[derive(Clone, Copy)]
pub(crate) enum Instances {
    /// Of a ring, two a column: none in the last place.
    Ring,
    /// One in four columns.
    Spread,
    /// Of matrices, one in two columns.
    Plain,
    /// Equations, one in four columns; among large integers with moduli that need their field.
    Equations,
}

/// A family whose targets follow from messages, and its places and columns.
fn family(
    (instances, form): (Instances, Form),
    columns: u64,
    messages: (usize, &[i64]),
) -> (toy::Toy, (u32, u32)) {
    let of = toy::with_errors;
    let (shape, count, at) = match instances {
        Instances::Ring => (of(Structure::Ring, [2, 1, 1]), 2 * columns - 1, (2, 1)),
        Instances::Spread => (of(Structure::Ring, [8, 2, 2]), columns / 4, (1, 4)),
        Instances::Plain => (of(Structure::Plain, [4, 2, 2]), columns / 2, (1, 2)),
        Instances::Equations => {
            let is_wide = form == Form::LargeIntegers;
            let shape = if is_wide { toy::wide_equations(4) } else { toy::equations(4) };
            (shape, columns / 4, (1, 4))
        }
    };
    (toy::Toy::of_messages(shape, count.max(1), (at, messages)), at)
}

/// All lists that every test goes through.
fn lists(columns: u64) -> Vec<Vec<Kind>> {
    let wide = Kind::Ranges(Ranges::new(vec![range(8, 1, -8, 8)]).unwrap());
    let [last, column] =
        [(8, 1), (0, ROWS)].map(|(row, rows)| Kind::Block(row, columns - 1, rows, 1));
    let others = [
        (Form::LargeIntegers, vec![Kind::Sum, Kind::Ranges(bits_and_trits())]),
        (Form::LargeIntegers, vec![Kind::Ranges(two_norms()), column, wide]),
        (Form::LargeIntegers, vec![Kind::Relation(Instances::Equations), Kind::Sum]),
        (Form::Scalars, vec![Kind::Circuit]),
        (Form::Scalars, vec![last, Kind::Circuit, Kind::Sum, Kind::Places]),
        (Form::Goldilocks, vec![Kind::Circuit]),
        (Form::Goldilocks, vec![Kind::Circuit, Kind::Places]),
    ];
    let mut lists = lists_of_entries(columns);
    lists.extend(others.map(|(form, list)| over(form, list)));
    lists
}

pub(crate) fn over(form: Form, list: Vec<Kind>) -> Vec<Kind> {
    [vec![Kind::Over(form)], list].concat()
}

fn form(lists: &[Vec<Kind>]) -> Form {
    let over = |kind: &Kind| if let Kind::Over(form) = kind { Some(*form) } else { None };
    lists.iter().flatten().find_map(over).unwrap_or(Form::Entries)
}

fn lists_of_entries(columns: u64) -> Vec<Vec<Kind>> {
    let wide = Ranges::new(vec![range(8, 1, -8, 8)]).unwrap();
    vec![
        vec![Kind::Sum],
        vec![Kind::Block(2, 0, 3, columns)],
        vec![Kind::Ranges(bits_and_trits())],
        vec![Kind::Ranges(two_norms())],
        vec![Kind::Sum, Kind::Ranges(bits_and_trits()), Kind::Block(0, columns - 1, ROWS, 1)],
        vec![Kind::Ranges(two_norms()), Kind::Circuit, Kind::Ranges(wide)],
        vec![Kind::Sum, Kind::Relation(Instances::Ring), Kind::Relation(Instances::Equations)],
    ]
}

/// A statement, what its prover has, and claims about the messages.
pub(crate) struct Toy {
    pub(crate) case: Case<i8>,
    pub(crate) layout: Layout,
    /// In order, of slots 0, 1, ..
    pub(crate) claims: Vec<Claims>,
}

impl Deref for Toy {
    type Target = Case<i8>;

    fn deref(&self) -> &Case<i8> {
        &self.case
    }
}

/// Messages of entries within 127 or of digits, with pads, 16 rows of randomness and r = 5.
pub(super) fn plain(w: u32, layout: &Layout) -> CustomParams {
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let all = layout.all_rows() as u32;
    let groups = if layout.scalars {
        [any(all, layout.radix.bound), None, None]
    } else {
        [any(layout.rows(), 127), any(layout.pad_rows(), PAD_BOUND), None]
    };
    let custom = CustomParams::new(w, 5, all + 16 + 5, layout.all_columns(), 1);
    CustomParams { n: Some(10), groups, ..custom }
}

/// The same; at w = 40 masks are mixed.
fn custom(w: u32, layout: &Layout) -> CustomParams {
    let custom = plain(w, layout);
    if w == 40 { mixed(custom) } else { custom }
}

/// These with Gaussian randomness and mixed masks.
fn mixed(custom: CustomParams) -> CustomParams {
    let distribution = Distribution::Gaussian { micros: 8_850_000 };
    let given = custom.groups.iter().flatten();
    let rows = custom.v - given.clone().map(|group| group.rows).sum::<u32>();
    let last = Some(RowGroup { rows, bound: 127, distribution });
    let mut groups = custom.groups;
    groups[given.count()] = last;
    CustomParams { groups, masks: crate::Masks::Mixed { log2_proofs: 10 }, ..custom }
}

/// Any residues, centred, or any integers for the other field.
fn scalars(places: u64, seed: u8, goldilocks: bool) -> Vec<i64> {
    let mut words = vec![0; places as usize];
    Seed::from_bytes([seed; 32]).stream(Label::new("test: scalars"), 0).fill_u64(&mut words);
    let centred = |word: u64| (word >> 3).cast_signed() - HALF_P;
    words
        .into_iter()
        .map(|word| if goldilocks { word.cast_signed() } else { centred(word) })
        .collect()
}

fn scalar<F: CircuitField>(x: i64) -> ScalarOf<F> {
    let magnitude = ScalarOf::new(x.unsigned_abs()).unwrap();
    if x < 0 { -magnitude } else { magnitude }
}

/// Messages of so many rows, of which all ranges and norms hold; other rows are within 9.
fn messages((rows, columns): (u32, u64), lists: &[Vec<Kind>], seed: u8) -> Vec<i8> {
    let (mut all, mut parts, mut has_secrets) = (vec![], vec![], false);
    for kind in lists.iter().flatten() {
        match kind {
            Kind::Ranges(ranges) => {
                all.push(ranges);
                parts.extend_from_slice(ranges.parts());
            }
            Kind::Relation(_) => has_secrets = true,
            _ => (),
        }
    }
    let mut bytes = vec![0; (u64::from(rows) * columns) as usize];
    Seed::from_bytes([seed; 32]).stream(Label::new("test: messages"), 0).fill(&mut bytes);
    let limits = |row: u32| {
        let holding = parts.iter().filter(|part| part.all().contains(&row.into()));
        // Secrets are in rows 0 to 3 of either kind.
        let any = if has_secrets && row < 4 { (-1, 1) } else { (-9, 9) };
        holding.fold(any, |(low, high), part| (part.low.max(low), part.high.min(high)))
    };
    let entry = |(i, &byte): (usize, &u8)| {
        let (low, high) = limits(i as u32 % rows);
        (low + i32::from(byte) % (high - low + 1)) as i8
    };
    let mut messages: Vec<i8> = bytes.iter().enumerate().map(entry).collect();
    for ranges in all {
        // A norm without bits has one length, which its first row has alone.
        for norm in ranges.norms().iter().filter(|norm| norm.bits == 0) {
            for column in messages.chunks_mut(rows as usize) {
                let squared = &mut column[norm.first_row as usize..][..norm.rows as usize];
                squared.fill(0);
                squared[0] = norm.bound_squared.isqrt() as i8;
            }
        }
        ranges.fill_slack(rows as usize, &mut messages).unwrap();
    }
    messages
}

impl Kind {
    fn claim(&self, columns: u64, form: Form, messages: &[i64]) -> Option<Claim> {
        let height = messages.len() / columns as usize;
        let entry =
            |row: u32, column: u64| i128::from(messages[height * column as usize + row as usize]);
        Some(match self {
            Self::Over(_) => return None,
            Self::Sum | Self::Row(_) => {
                // Sums are below p = 2^61 - 1 over the other field.
                let weight = if form == Form::LargeIntegers { 1 << 20 } else { HALF_P / 1000 };
                let (rows, step) = match *self {
                    Self::Row(row) => (vec![(row, -7)], 1),
                    _ => (vec![(1, 1), (2, -weight), (height as u32 - 1, 4)], 2),
                };
                let weights = (0..columns).step_by(step).map(|j| (j, 3 - 7 * j.cast_signed()));
                let columns: Vec<(u64, i64)> = weights.collect();
                let mut sum = 0;
                for &(j, g) in &columns {
                    for &(i, x) in &rows {
                        let weight = (i128::from(g) * i128::from(x)).rem_euclid(P.into());
                        sum = (sum + weight * entry(i, j)).rem_euclid(P.into());
                    }
                }
                let half = i128::from(HALF_P);
                let value = ((sum + half).rem_euclid(P.into()) - half) as i64;
                Fact::sum(rows, columns, value).unwrap().into()
            }
            &Self::Block(row, column, height, width) => {
                let places =
                    (column..column + width).flat_map(|j| (row..row + height).map(move |i| (i, j)));
                let values = places.map(|(i, j)| entry(i, j) as i64).collect();
                Fact::block(row, column, height, values).unwrap().into()
            }
            Self::Ranges(ranges) => ranges.clone().into(),
            &Self::Relation(instances) => {
                let (family, (places, spread)) =
                    family((instances, form), columns, (height, messages));
                family.relation(places, spread).into()
            }
            Self::Circuit => {
                // Wires are places in another order, one of them twice; the last ones follow.
                let places = messages.len() as u64;
                circuit(form, messages, vec![places - 1, 0, 4, 4], places - 3..places)
            }
            Self::Places => circuit(form, messages, vec![], 1..messages.len() as u64),
        })
    }
}

fn circuit(form: Form, messages: &[i64], inputs: Vec<u64>, others: Range<u64>) -> Claim {
    match form {
        Form::Goldilocks => circuit_over::<Goldilocks>(messages, inputs, others),
        _ => circuit_over::<P61>(messages, inputs, others),
    }
}

fn circuit_over<F: CircuitField>(messages: &[i64], inputs: Vec<u64>, others: Range<u64>) -> Claim {
    let at = |place: u64| scalar::<F>(messages[place as usize]);
    let mut builder = CircuitBuilder::default();
    let wires = inputs.iter().copied().chain(others.clone());
    let wires: Vec<Wire> = wires.map(|place| builder.secret(at(place))).collect();
    for pair in wires.windows(2) {
        let sum = Combination::from(pair[0]) * scalar(-7) + ScalarOf::ONE.into();
        let product = builder.value(&sum) * builder.value(&pair[1].into());
        let public = builder.public(product);
        builder.constrain(sum, pair[1], public);
    }
    let (circuit, assignment) = builder.finish().unwrap();
    let public = &assignment.public;
    CircuitClaim::with_inputs(&circuit, public, inputs, others.start).unwrap().into()
}

fn of_scalars_over<F: CircuitField>(
    layout: &Layout,
    matrix: &PublicMatrix,
    values: &[i64],
    seed: &Seed,
) -> PaddedMessages<'static> {
    let values: Vec<ScalarOf<F>> = values.iter().map(|&x| scalar(x)).collect();
    layout.witness_of_scalars(matrix, &values, &[], seed).unwrap()
}

impl Toy {
    /// A slot for each of the lists.
    fn new(w: u32, columns: u64, lists: &[Vec<Kind>], seed: u8) -> Self {
        Self::with((ROWS, columns), lists, seed, |layout| custom(w, layout))
    }

    pub(crate) fn with(
        (rows, columns): (u32, u64),
        lists: &[Vec<Kind>],
        seed: u8,
        custom: impl FnOnce(&Layout) -> CustomParams,
    ) -> Self {
        let slots = |layout, claims: &[Claims]| {
            claims.iter().fold(layout, |layout: Layout, claims| layout.with_slot(claims).unwrap())
        };
        Self::laid_out((rows, columns), lists, seed, slots, custom)
    }

    /// Of so many rows and columns, with slots for the claims.
    fn laid_out(
        (rows, columns): (u32, u64),
        lists: &[Vec<Kind>],
        seed: u8,
        slots: impl FnOnce(Layout, &[Claims]) -> Layout,
        custom: impl FnOnce(&Layout) -> CustomParams,
    ) -> Self {
        let (small, form) = (messages((rows, columns), lists, seed), form(lists));
        let values: Vec<i64> = match form {
            Form::Scalars => scalars(small.len() as u64, seed, false),
            Form::Goldilocks => scalars(small.len() as u64, seed, true),
            _ => small.iter().map(|&x| x.into()).collect(),
        };
        let claims = |list: &Vec<Kind>| {
            let claims = list.iter().filter_map(|kind| kind.claim(columns, form, &values));
            Claims::new(claims.collect()).unwrap()
        };
        let claims: Vec<Claims> = lists.iter().map(claims).collect();
        let new = match form {
            Form::Entries => Layout::new,
            Form::LargeIntegers => Layout::of_large_integers,
            Form::Scalars => Layout::over::<P61>,
            Form::Goldilocks => Layout::over::<Goldilocks>,
        };
        let layout = slots(new(rows, columns), &claims);
        let params = validated(custom(&layout));
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let seed = Seed::from_bytes([seed; 32]);
        let source = match form {
            Form::Scalars => of_scalars_over::<P61>(&layout, &matrix, &values, &seed),
            Form::Goldilocks => of_scalars_over::<Goldilocks>(&layout, &matrix, &values, &seed),
            _ => layout.witness(&matrix, &small, &seed).unwrap(),
        };
        Self { case: Case::read(&params, 1, &source), layout, claims }
    }

    /// The same with other entries.
    fn with_entries(&self, entries: Vec<i8>) -> Self {
        let case = Case::of(self.params.clone(), 1, entries);
        Self { case, layout: self.layout.clone(), claims: self.claims.clone() }
    }

    pub(crate) fn slot(&self, index: usize) -> Slot {
        self.layout.slot(index as u32).unwrap()
    }

    fn try_prove(&self, index: usize, claims: &Claims) -> Result<Vec<u8>, Error> {
        self.prove_claims(&self.slot(index), claims)
    }

    /// A proof of the claims of a slot.
    fn prove(&self, index: usize) -> Vec<u8> {
        self.try_prove(index, &self.claims[index]).unwrap()
    }

    fn verify(&self, index: usize, claims: &Claims, proof: &[u8]) -> Result<(), Error> {
        self.verify_claims(&self.slot(index), claims, proof)
    }

    /// The reason why a proof is not valid.
    fn reason(&self, index: usize, claims: &Claims, proof: &[u8]) -> Option<Reason> {
        reason(self.verify(index, claims, proof))
    }

    /// A proof by these shards, or by a prover that cheats, on instructions, with so many bytes for
    /// tables.
    fn prove_as(
        &self,
        index: usize,
        cheat: Option<Cheat>,
        shards: &[Shard],
        how: (Isa, usize),
    ) -> Vec<u8> {
        let prover = self.prover();
        let argument = with_field!(&self.layout, F => {
            self.argue_over::<F>(&prover, (index, cheat), shards, how)
        });
        let mut digest = WitnessDigest::default();
        let mut workers = Vec::new();
        for &shard in shards {
            let hashes = commit(&self.matrix, &self.witness, shard, &mut Forget).unwrap();
            digest.join(&hashes.s);
            workers.push(ShardWitness::new(&self.matrix, &self.witness, shard, 0));
        }
        let seed = Seed::from_bytes(SEED);
        let coordinator = Coordinator::new(&prover, CONTEXT, &digest, &seed).unwrap();
        let coordinator = coordinator.with_argument(&argument).unwrap();
        let (proof, _) = attempt(&self.params, &coordinator, &mut workers, |hash| {
            let (whole, hashes) = (self.whole()[0], self.statement.block_hashes());
            multiply_tc(&self.matrix, &self.file, whole, hashes, hash).unwrap()
        });
        argument.proof_file(&self.params, &proof)
    }

    /// What is sent before Y.
    fn argue_over<F: ArgumentField>(
        &self,
        prover: &Prover<'_>,
        (index, cheat): (usize, Option<Cheat>),
        shards: &[Shard],
        (isa, table_bytes): (Isa, usize),
    ) -> Argument {
        let (slot, claims) = (self.slot(index), &self.claims[index]);
        let worker = |&shard: &Shard| {
            let read = ArgumentWorker::<F>::read(&self.params, &self.witness, shard, &slot, claims);
            read.unwrap().0.on(isa, table_bytes)
        };
        let mut workers: Vec<_> = shards.iter().map(worker).collect();
        let argument =
            Argument::with_choices(&mut Cheater(cheat), prover, (&slot, claims), &mut |request| {
                // As requests travel.
                let request = &Request::from_bytes(&request.to_bytes())?;
                combine(request, workers.iter_mut().map(|worker| worker.answer(request)))
            });
        argument.unwrap()
    }

    /// A worker with all columns.
    fn worker<'a, F: ArgumentField>(
        &'a self,
        slot: &'a Slot,
        index: usize,
    ) -> Result<ArgumentWorker<'a, F>, Error> {
        let claims = &self.claims[index];
        ArgumentWorker::new(&self.params, &self.witness, self.whole()[0], slot, claims)
    }

    fn whole(&self) -> [Shard; 1] {
        [Shard::whole(&self.params)]
    }
}

/// All workers' answers to a request as one.
pub(super) fn combine<F: Field>(
    request: &Request<F>,
    answers: impl Iterator<Item = Result<Elements<F>, Error>>,
) -> Result<Elements<F>, Error> {
    let mut all = Elements::<F>::default();
    for answer in answers {
        let answer = answer?;
        match request.combine() {
            Combine::Sum if !all.is_empty() => {
                all.iter_mut().zip(answer.iter()).for_each(|(sum, &x)| *sum += x);
            }
            Combine::Sum | Combine::Concatenate => all.extend_from_slice(&answer),
        }
    }
    Ok(all)
}
