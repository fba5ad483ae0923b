//! The sum-checks of claims: the rounds for the rows of ranges and a norm of 1024 rows (17 integers
//! and more: 256) and 256 columns, the first of which read S; and both sum-checks of circuits.
//!
//! `cargo bench --bench sumcheck`. Ids: `family/shape/isa`; throughput in entries of the table, or
//! constraints; RAYON_NUM_THREADS=2 for two threads, TAUTOCHRONE_ISA for other instructions. The
//! products that an entry takes are in benches/record, of a test that counts them.
#![allow(missing_docs, reason = "criterion's macros")]

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tautochrone::simd::Isa;
use tautochrone::zk::argument::{
    Argument, ArgumentWorker, CircuitBuilder, CircuitClaim, Claims, Combination, GaussianErrors,
    Layout, Ranges, Request, RowRange, Scalar, Slot,
};
use tautochrone::zk::shard::Shard;
use tautochrone::zk::{Params, Prover, PublicMatrix, Security, Seed, WitnessSource};
use tautochrone_benches::one_thread;

const COLUMNS: u64 = 256;

/// Times the rounds of a claim, which are what workers answer if `by_workers`, and else what the
/// coordinator does beside.
fn rounds(
    c: &mut Criterion,
    (name, entries, by_workers): (&str, u64, bool),
    (params, slot, claims): (&Params, &Slot, &Claims),
    witness: impl Fn(&PublicMatrix) -> Box<dyn WitnessSource>,
) {
    let matrix = PublicMatrix::new(params, [2; 32]);
    let witness = witness(&matrix);
    let statement = matrix.commit_and_hold(&*witness, &mut Vec::new()).expect("in memory");
    let prover = Prover::new(&matrix, &statement).expect("its own");
    let play = || {
        let whole = Shard::whole(params);
        let mut worker =
            <ArgumentWorker<'_>>::new(params, &*witness, whole, slot, claims).expect("true");
        let (mut of_rounds, mut of_others) = (Duration::ZERO, Duration::ZERO);
        let start = Instant::now();
        let mut ask = |request: &Request| {
            let start = Instant::now();
            let answer = worker.answer(request);
            let is_round =
                matches!(request, Request::Begin { .. } | Request::Bind(_) | Request::BindLast(_));
            *(if is_round { &mut of_rounds } else { &mut of_others }) += start.elapsed();
            answer
        };
        Argument::new(&prover, (slot, claims), &mut ask).expect("true claims");
        if by_workers { of_rounds } else { start.elapsed().saturating_sub(of_others) }
    };
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(entries)).sample_size(10);
    group.bench_function(Isa::detect_vectors().name(), |b| {
        b.iter_custom(|count| (0..count).map(|_| play()).sum());
    });
    group.finish();
}

fn ranges(c: &mut Criterion) {
    for (name, rows, low, high) in [
        ("bits", 1024, 0, 1),
        ("ternary", 1024, -1, 1),
        ("5-integers", 1024, -2, 2),
        ("17-integers", 256, -8, 8),
        ("21-integers", 256, -10, 10),
        ("25-integers", 256, -12, 12),
    ] {
        let ranges = Ranges::new(vec![RowRange { first_row: 0, rows, low, high }]).expect("one");
        let claims = Claims::from(ranges);
        let layout = Layout::new(rows, COLUMNS).with_slot(&claims).expect("one slot");
        let bound = high.unsigned_abs().max(low.unsigned_abs());
        let params = layout.goal(bound).optimise().expect("parameters");
        let params = params.validate(Security::Required).expect("secure");
        let slot = layout.slot(0).expect("a slot");
        let width = i64::from(high - low + 1);
        let entry = |i: i64| (i64::from(low) + i * i % 8191 % width) as i8;
        let entries = i64::from(rows) * COLUMNS as i64;
        let messages: &'static [i8] = (0..entries).map(entry).collect::<Vec<_>>().leak();
        let name = format!("{name}/{rows}x{COLUMNS}");
        rounds(c, (&name, entries as u64, true), (&params, &slot, &claims), |matrix| {
            let seed = Seed::from_bytes([1; 32]);
            Box::new(layout.witness(matrix, messages, &seed).expect("within the bounds"))
        });
    }
}

fn norms(c: &mut Criterion) {
    let rows = 1024;
    let gaussian = GaussianErrors::new(rows, 3_200_000).expect("errors");
    let params = gaussian.goal(COLUMNS).optimise().expect("parameters");
    let params = params.validate(Security::Required).expect("secure");
    let layout = gaussian.layout(&params).expect("its own");
    let (slot, claims) = (layout.slot(0).expect("a slot"), gaussian.claim().into());
    let entries = u64::from(rows) * COLUMNS;
    let errors: Vec<i8> = (0..entries).map(|i| (i * i % 8191 % 9) as i8 - 4).collect();
    let messages = &*gaussian.messages(&errors).expect("short columns").to_vec().leak();
    let name = format!("norm/{rows}x{COLUMNS}");
    rounds(c, (&name, entries, true), (&params, &slot, &claims), |matrix| {
        let seed = Seed::from_bytes([1; 32]);
        Box::new(layout.witness(matrix, messages, &seed).expect("within the bounds"))
    });
}

fn circuits(c: &mut Criterion) {
    for log2 in [13, 16, 18] {
        let mut builder = CircuitBuilder::new();
        let mut x = Combination::from(builder.secret(Scalar::from(3)));
        for _ in 0..(1 << (log2 - 1)) - 1 {
            let square = builder.product(x.clone(), x.clone());
            x = Combination::from(builder.product(square, x)) + Scalar::from(42).into();
        }
        let last = builder.public(builder.value(&x));
        builder.equal(x, last);
        let (circuit, assignment) = builder.finish().expect("a circuit");
        let params = circuit.optimise().expect("parameters");
        let params = params.validate(Security::Required).expect("secure");
        let layout = circuit.layout(&params).expect("its own");
        let slot = layout.slot(0).expect("a slot");
        let claims = CircuitClaim::new(&circuit, &assignment.public).expect("its inputs").into();
        let (name, entries) = (format!("circuit/2^{log2}"), circuit.constraints() as u64);
        rounds(c, (&name, entries, false), (&params, &slot, &claims), |matrix| {
            let seed = Seed::from_bytes([1; 32]);
            Box::new(circuit.witness(matrix, &assignment, &seed).expect("true"))
        });
    }
}

fn sumcheck(c: &mut Criterion) {
    one_thread();
    ranges(c);
    norms(c);
    circuits(c);
}

criterion_group!(benches, sumcheck);
criterion_main!(benches);
