//! Sizes of T and proofs with wide and with mixed masks, for a record.

use std::borrow::Cow;
use std::sync::Arc;

use super::*;
use crate::Masks;
use crate::field::ELEMENT_LEN;
use crate::params::Goal;

/// Nobody's instances: sizes depend on their shape alone.
struct Shaped(FamilyShape, u64);

impl Family for Shaped {
    fn shape(&self) -> FamilyShape {
        self.0
    }
    fn instances(&self) -> u64 {
        self.1
    }
    fn encoding(&self, _: u64) -> Cow<'_, [u8]> {
        Cow::Borrowed(&[])
    }
    fn target(&self, _: u64, _: &mut [i32]) {}
    fn rows(&self, _: u64, _: &mut dyn FnMut(usize, &[i16])) {}
}

/// `cargo test -p tautochrone-zk --lib sizes -- --ignored --nocapture`
#[test]
#[ignore = "a table for benches/record"]
fn sizes_of_claims() {
    let kib = |bytes: u128| bytes as f64 / 1024.0;
    let print = |name: &str, params: &Params, sent: u64| {
        let proof = params.expected_proof_bytes() + ELEMENT_LEN as u64 * (sent + params.l());
        let (t, proof) = (kib(params.t_bytes()), kib(proof.into()));
        let (w, r, v, l) = (params.w(), params.r(), params.v(), params.l());
        println!(
            "{name}: w {w} r {r} v {v} l {l}: T {t:.0}, proof {proof:.0}, sum {:.0}",
            t + proof
        );
    };
    let often = Masks::Mixed { log2_proofs: 16 };
    let all = [Masks::Wide, often].map(|masks| [None, Some(1), Some(100)].map(|m| (masks, m)));
    let of_layout = |name: &str, layout: &Layout, goal: Goal, claims: &Claims| {
        for (masks, per_statement) in all.into_iter().flatten() {
            let params = Goal { masks, per_statement, ..goal }.optimise().unwrap();
            let params = params.validate(Security::Required).unwrap();
            let sent = claims.sent(layout) + 2 * layout.rounds() + 1;
            print(&format!("{name}, {masks:?} {per_statement:?}"), &params, sent as u64);
        }
    };
    let fact = Claims::from(Fact::sum(vec![(0, 1)], vec![(0, 1)], 0).unwrap());
    let bits = Claims::from(Ranges::new(vec![range(0, 1024, 0, 1)]).unwrap());
    for (name, claims) in [("facts", &fact), ("1024 bits", &bits)] {
        let layout = Layout::new(1024, 4096).with_slot(claims).unwrap();
        of_layout(name, &layout, layout.goal(1), claims);
    }
    let errors = GaussianErrors::new(1024, 3_200_000).unwrap();
    let claims = Claims::from(errors.claim());
    of_layout("norms of 1024", &errors.layout_of(4096), errors.goal(4096), &claims);
    let mut builder = CircuitBuilder::new();
    let wires: Vec<Wire> = (0..1 << 16).map(|_| builder.secret(Scalar::ONE)).collect();
    for &wire in &wires {
        builder.constrain(wire, wire, wire);
    }
    let (circuit, _) = builder.finish().unwrap();
    let params = circuit.optimise().unwrap().validate(Security::Required).unwrap();
    let layout = circuit.layout(&params).unwrap();
    let claims = Claims::from(CircuitClaim::new(&circuit, &[]).unwrap());
    of_layout("circuit of 2^16", &layout, layout.goal(0), &claims);
    let shape = FamilyShape {
        name: "ML-KEM-512",
        modulus: 3329,
        structure: Structure::Ring,
        n: 256,
        rows: 2,
        columns: 2,
        secrets: (-3, 3),
        errors: (-3, 3),
        secret_variance: 1_500_000,
    };
    let frodo = FamilyShape {
        name: "FrodoKEM-640",
        modulus: 1 << 15,
        structure: Structure::Plain,
        n: 8,
        rows: 640,
        columns: 640,
        secrets: (-12, 12),
        errors: (-12, 12),
        secret_variance: 7_921_753,
    };
    for (shape, count) in [(shape, 4096), (frodo, 64)] {
        let (relation, custom) = Relation::optimise(Arc::new(Shaped(shape, count))).unwrap();
        let params = custom.validate(Security::Required).unwrap();
        let layout = relation.layout().unwrap();
        let claims = Claims::from(relation);
        let sent = claims.sent(&layout) + 2 * layout.rounds() + 1;
        print(&format!("{}, {:?}", shape.name, params.masks()), &params, sent as u64);
        // The same places.
        let bound = params.row_groups()[0].bound;
        let norm = params.frobenius_squared() / u128::from(params.l());
        of_layout(shape.name, &layout, layout.goal_with_norm(bound, norm as u64), &claims);
    }
}
