//! Provers that leave the protocol, and proofs for another claim than theirs.

use super::*;
use crate::blocks::hash_blocks;
use crate::owner::Owner;
use crate::source::Appended;

/// Two columns, T whole: a prover does not notice that S is another.
fn held(values: &[i64], seed: u8) -> Held {
    Held::new(CustomParams { round_t: Some(0), ..toy_of(44, 3, 2, 2) }, values, seed)
}

/// The file that a prover makes who has these columns of S in the place of those that the statement
/// has, whether the constraints hold or not.
fn forge(
    old: &Held,
    claim: &CommittedCircuit<'_>,
    witness: &Witness,
    assignment: &Assignment,
) -> Vec<u8> {
    let new = claim.draw(witness, assignment).unwrap();
    let columns = claim.commit(&new).unwrap();
    let file = Appended { file: &old.file, more: &columns };
    let statement = claim.statement(&columns).unwrap().with_owner(Owner::Compared);
    let joined = Joined { committed: witness, params: &old.params, new: &new };
    let start = claim::begin(&statement, &claim.instance);
    let read = Columns::read::<i8>(claim.params(), &joined, claim.instance.shape).unwrap();
    let products = read.products(&claim.instance);
    let sent = Rounds::play(read, products, &claim.instance, start).send(Rounds::values);
    let prover = Prover::new(&claim.matrix, &statement).unwrap().with_file(&file).reproducible();
    let seed = Seed::from_bytes([7; 32]);
    let proved = prover.prove_opening(CONTEXT, &joined, &seed, Some(&sent.opening)).unwrap();
    sent.into_proof(columns, proved.proof).to_bytes(claim.params())
}

/// Inputs are those of the columns that were published, not of others that the prover knows.
#[test]
fn inputs_are_those_that_were_committed() {
    let (mut old, other) = (held(&[4, -9, 100, 7, 11], 1), held(&[5, -9, 100, 7, 11], 1));
    // A prover that looks for no owner.
    old.statement = old.statement.with_owner(Owner::Unknown);
    let (assigned, inputs) = (squares(&[5, 7]), Inputs { slot: 0, elements: vec![0, 3] });
    let claim = old.claim(&assigned, &inputs);
    // With the values that were committed the circuit does not hold, and its messages say so.
    assert!(matches!(prove(&old, &claim, &assigned.1), Err(Error::FalseFact)));
    let honest = forge(&old, &claim, &old.witness, &assigned.1);
    assert_eq!(reason(claim.verify(CONTEXT, &honest)), Some(Reason::Equation));
    // With others all equations hold, but not of the columns.
    let forged = forge(&old, &claim, &other.witness, &assigned.1);
    let reason_of = reason(claim.verify(CONTEXT, &forged)).expect("no such proof");
    assert!(matches!(reason_of, Reason::Challenge | Reason::NormTooLarge { .. }), "{reason_of}");
    // Nor is a proof for other columns one for these; the control: it is one for its own.
    let of_other = other.claim(&assigned, &inputs);
    let proof = prove(&other, &of_other, &assigned.1).unwrap();
    assert_eq!(reason(of_other.verify(CONTEXT, &proof)), None);
    assert_eq!(reason(claim.verify(CONTEXT, &proof)), Some(Reason::OtherFact));
    // The control: the same way to make a proof, of a true claim.
    let (assigned, inputs) = (squares(&[4, 7]), Inputs { slot: 0, elements: vec![0, 3] });
    let claim = old.claim(&assigned, &inputs);
    let made = forge(&old, &claim, &old.witness, &assigned.1);
    assert!(made == prove(&old, &claim, &assigned.1).unwrap());
}

/// Where T is rounded, a prover notices that the values are not those of the statement.
#[test]
fn provers_notice_another_witness() {
    let custom = toy_of(44, 3, 2, 2);
    let (old, other) = (Held::new(custom, &[4, 7], 1), Held::new(custom, &[4, 8], 1));
    let (assigned, inputs) = (squares(&[8]), Inputs { slot: 0, elements: vec![1] });
    let claim = old.claim(&assigned, &inputs);
    let seed = Seed::from_bytes([7; 32]);
    let proved = claim.prove(CONTEXT, &other.witness, &assigned.1, &seed);
    assert!(matches!(proved, Err(Error::ForeignWitness)));
}

/// New wires that do not satisfy the circuit.
#[test]
fn new_wires_are_part_of_the_claim() {
    let old = held(&[4, -9, 100, 7, 11], 1);
    let inputs = Inputs { slot: 0, elements: vec![0, 3] };
    for wire in [2, 3, 4] {
        let mut assigned = squares(&[4, 7]);
        assigned.1.secret[wire] += Scalar::ONE;
        let claim = old.claim(&assigned, &inputs);
        assert!(matches!(prove(&old, &claim, &assigned.1), Err(Error::FalseFact)));
        let honest = forge(&old, &claim, &old.witness, &assigned.1);
        assert_eq!(reason(claim.verify(CONTEXT, &honest)), Some(Reason::Equation), "{wire}");
    }
    // The control: inputs are not looked at, as the witness has them.
    let mut assigned = squares(&[4, 7]);
    let expected = prove(&old, &old.claim(&assigned, &inputs), &assigned.1).unwrap();
    assigned.1.secret[0] += Scalar::ONE;
    assert!(prove(&old, &old.claim(&assigned, &inputs), &assigned.1).unwrap() == expected);
}

/// D_0 names the inputs, the slot, how many columns were committed before, the circuit, its public
/// inputs and T.
#[test]
fn claims_have_names_of_their_own() {
    let old = held(&[4, 4, 4, 4, 4], 1);
    let assigned = squares(&[4, 4]);
    let base = Inputs { slot: 0, elements: vec![0, 1] };
    let claim = old.claim(&assigned, &base);
    let columns = vec![0; claim.new_columns() as usize * claim.params().column_bytes()];
    let start = |instance: &Instance<'_>| {
        let statement = claim.statement(&columns).unwrap();
        *claim::begin(&statement, instance).state()
    };
    let first = start(&claim.instance);
    let Instance { shape, .. } = claim.instance;
    let mut others = vec![
        Instance { inputs: &[1, 0], ..claim.instance },
        Instance { inputs: &[0], ..claim.instance },
        Instance { inputs: &[0, 2], ..claim.instance },
        Instance { shape: Shape { slot: 1, ..shape }, ..claim.instance },
        Instance { shape: Shape { committed: 1, ..shape }, ..claim.instance },
        // A circuit alone.
        Instance { shape: Shape { committed: 0, ..shape }, inputs: &[], ..claim.instance },
    ];
    let (circuit, public) = (squares(&[4]).0, [number(33)]);
    others.push(Instance { circuit: &circuit, ..claim.instance });
    others.push(Instance { public: &public, ..claim.instance });
    let mut names: Vec<_> = others.iter().map(start).collect();
    names.push(first);
    for (index, name) in names.iter().enumerate() {
        assert!(!names[..index].contains(name), "{index}");
    }
    // Another T of values, or of new columns.
    let statement = |held: &Held, columns: &[u8]| {
        let file = Appended { file: &held.file, more: columns };
        let params = claim.params();
        let hashes = hash_blocks(&file, params, crate::shard::Shard::whole(params)).unwrap();
        let statement = Statement::new(params.clone(), claim.matrix.id, hashes);
        *claim::begin(&statement, &claim.instance).state()
    };
    assert!(statement(&old, &columns) == first);
    assert!(statement(&held(&[5], 1), &columns) != first);
    let mut changed = columns.clone();
    changed[0] ^= 1;
    assert!(statement(&old, &changed) != first);
}

/// A proof is of its own inputs, slot, circuit, public inputs, columns and context, and no proof of
/// another kind.
#[test]
fn proofs_are_of_one_claim() {
    let old = held(&[4, 7, 4, 7, 11], 1);
    let (assigned, inputs) = (squares(&[4, 7]), Inputs { slot: 0, elements: vec![0, 1] });
    let claim = old.claim(&assigned, &inputs);
    let proof = prove(&old, &claim, &assigned.1).unwrap();
    assert_eq!(reason(claim.verify(CONTEXT, &proof)), None);
    assert_eq!(reason(claim.verify(b"other", &proof)), Some(Reason::OtherStatement));
    let same = Inputs { slot: 0, elements: vec![2, 3] };
    let slot = Inputs { slot: 1, ..inputs.clone() };
    for inputs in [same, slot] {
        let verdict = old.claim(&assigned, &inputs).verify(CONTEXT, &proof);
        assert_eq!(reason(verdict), Some(Reason::OtherFact), "{inputs:?}");
    }
    let mut public = assigned.clone();
    public.1.public[0] += Scalar::ONE;
    let verdict = old.claim(&public, &inputs).verify(CONTEXT, &proof);
    assert_eq!(reason(verdict), Some(Reason::OtherFact));
    // A byte of the columns.
    let mut changed = proof.clone();
    changed[56] ^= 1;
    assert_eq!(reason(claim.verify(CONTEXT, &changed)), Some(Reason::OtherFact));
    // Bytes that the statement does not have, and one that it lacks.
    for len in [proof.len() - 1, proof.len() + 1] {
        let mut other = proof.clone();
        other.resize(len, 0);
        let verdict = claim.verify(CONTEXT, &other);
        assert!(matches!(verdict, Err(VerifyError::NoVerdict(Error::Malformed { .. }))));
    }
    let alone = Toy::new(40, 3, cubes(3, 0), 1);
    for (verdict, proof) in
        [(claim.verify(CONTEXT, &alone.prove()), &proof), (alone.verify(&proof), &proof)]
    {
        assert!(
            matches!(verdict, Err(VerifyError::NoVerdict(Error::Malformed { .. }))),
            "{}",
            proof.len()
        );
    }
}
