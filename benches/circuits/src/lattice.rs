//! The chain as a circuit, proved here.

use std::time::Instant;

use tautochrone_zk::argument::{
    Assignment, Circuit, CircuitBuilder, CircuitClaim, Claims, Combination, Layout, Scalar,
};
use tautochrone_zk::{Prover, PublicMatrix, Security, Seed, Verifier};

use crate::Times;

/// A chain, parameters and A for it, which are made once for many proofs and checks.
pub(crate) struct Chain {
    circuit: Circuit,
    a: PublicMatrix,
    layout: Layout,
    steps: usize,
}

fn build(mut builder: CircuitBuilder, steps: usize) -> (Circuit, Assignment) {
    let constant = || Combination::from(Scalar::from(42));
    let mut x = Combination::from(builder.secret(Scalar::from(3)));
    for _ in 0..steps {
        let square = builder.product(x.clone(), x.clone());
        x = Combination::from(builder.product(square, x)) + constant();
    }
    let last = builder.public(builder.value(&x));
    builder.equal(x, last);
    builder.finish().expect("a circuit")
}

impl Chain {
    pub(crate) fn new(steps: usize) -> Self {
        let (circuit, _) = build(CircuitBuilder::new(), steps);
        let custom = circuit.optimise().expect("parameters");
        let params = custom.validate(Security::Required).expect("secure parameters");
        let layout = circuit.layout(&params).expect("columns");
        let a = PublicMatrix::new(&params, [1; 32]);
        Self { circuit, a, layout, steps }
    }

    /// Commitments to the wires, which are computed here, a proof and its check.
    pub(crate) fn run(&self, seed: u64) -> Times {
        let seed = |name: u8| {
            let mut bytes = [name; 32];
            bytes[..8].copy_from_slice(&seed.to_le_bytes());
            Seed::from_bytes(bytes)
        };
        let start = Instant::now();
        let (_, assignment) = build(CircuitBuilder::again(&self.circuit), self.steps);
        let a = &self.a;
        let witness = self.circuit.witness(a, &assignment, &seed(1));
        let witness = witness.expect("constraints that hold");
        let mut file = Vec::new();
        let statement = a.commit_and_hold(&witness, &mut file).expect("in memory");
        let commit = start.elapsed();
        let start = Instant::now();
        let claim = CircuitClaim::new(&self.circuit, &assignment.public).expect("its inputs");
        let (claims, slot) = (Claims::from(claim), self.layout.slot(0).expect("a slot"));
        let prover = Prover::new(a, &statement).expect("its own A");
        let proved = prover.prove_claims(b"", &slot, &claims, &witness, &seed(2));
        let proof = proved.expect("an honest proof").proof;
        let prove = start.elapsed();
        let start = Instant::now();
        let verifier = Verifier::new(a, &statement).expect("its own A");
        verifier.verify_claims(b"", &slot, &claims, &proof).expect("valid");
        Times { commit, prove, verify: start.elapsed(), bytes: [file.len(), proof.len()] }
    }
}
