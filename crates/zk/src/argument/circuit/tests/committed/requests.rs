//! Which requests are refused, and what the record of slots says.

use super::*;
use crate::error::{MatrixProblem, RequestProblem};
use crate::suite::Expansion;

/// From values to the verdict with the parameters that are found, for as many wires as were asked
/// for; many more are refused, as T would not bind.
#[test]
fn circuits_are_proved_with_the_parameters_that_are_found() {
    let params = InputSpace::optimise(2, 3, 1000).unwrap().validate(Security::Required).unwrap();
    let space = InputSpace::new(&params).unwrap();
    assert!(space.hiding(&params).unwrap().classical >= 128.0 && space.slots() == 3);
    assert_eq!(space.columns(), 1);
    assert_eq!(space.capacity(), u64::from(space.rows()));
    let held = committed_under(&params, &[3, -4], 2);
    let statement = held.matrix.commit_and_hold(&held.witness, &mut Vec::new()).unwrap();
    let inputs = Inputs::first(2, 2);
    let claim = |count: i64| {
        let values: Vec<i64> = (0..count).map(|i| if i == 0 { 3 } else { -4 }).collect();
        let assigned = squares(&values);
        let (circuit, public) = (&assigned.0, &assigned.1.public);
        let claim = CommittedCircuit::new(&held.matrix, &statement, circuit, public, &inputs)?;
        claim.verify(CONTEXT, &prove(&held, &claim, &assigned.1)?)?;
        Ok::<_, Error>(claim.params().clone())
    };
    let least = claim(2).unwrap();
    let most = claim(300).unwrap();
    assert!(least.l() <= most.l() && least.sigma() <= most.sigma());
    assert_eq!((most.w(), most.r(), most.round_t()), (params.w(), params.r(), params.round_t()));
    // As many wires in columns of so few elements that T does not bind, or that 4 B exceeds q / 2.
    let refused = |wires: usize| {
        let mut builder = CircuitBuilder::new();
        let mut wire = builder.secret(number(3));
        for _ in 0..wires {
            wire = builder.product(wire, Scalar::ONE);
        }
        let (circuit, _) = builder.finish().unwrap();
        let inputs = Inputs::first(0, 1);
        CommittedCircuit::new(&held.matrix, &statement, &circuit, &[], &inputs).err()
    };
    let first = (10..).map(|hundreds| refused(100 * hundreds)).find_map(|error| error).unwrap();
    assert!(matches!(first, Error::Insecure(_)), "{first}");
    let error = refused(1 << 20).unwrap();
    assert!(matches!(error, Error::Request(RequestProblem::NoParameters { .. })), "{error}");
}

/// Parameters that hide uniform rows hide no values if these are in too many of them.
#[test]
fn values_that_are_not_hidden_are_refused() {
    let mut custom = InputSpace::optimise(2, 3, 1000).unwrap();
    let digits = custom.groups[0].as_mut().unwrap();
    digits.distribution = Distribution::Uniform;
    custom.v -= 64;
    let [params, waived] =
        [Security::Required, Security::Waived].map(|it| custom.validate(it).unwrap());
    assert_error!(InputSpace::new(&params), Error::Insecure(_));
    let held = committed_under(&waived, &[3], 2);
    let ((circuit, assignment), inputs) = (squares(&[3]), Inputs::first(0, 1));
    let claim = |security| {
        let statement = Statement::load(&held.file, security).unwrap();
        let public = &assignment.public;
        CommittedCircuit::new(&held.matrix, &statement, &circuit, public, &inputs).map(|_| ())
    };
    assert_error!(claim(Security::Required), Error::Insecure(_));
    claim(Security::Waived).unwrap();
}

#[test]
fn goals_out_of_range_are_refused() {
    assert_eq!(name(InputSpace::optimise(0, 1, 1)), "values");
    assert_eq!(name(InputSpace::optimise((1 << 40) + 1, 1, 1)), "values");
    assert_eq!(name(InputSpace::optimise(1, 0, 1)), "slots");
    assert_eq!(name(InputSpace::optimise(1, MAX_INPUT_SLOTS + 1, 1)), "slots");
    assert_eq!(name(InputSpace::optimise(1, 1, 1 + MAX_CIRCUIT as u64)), "wires");
}

#[test]
fn values_have_places() {
    let params = waived(toy_of(40, 15, 2, 2));
    let space = InputSpace::new(&params).unwrap();
    assert_eq!((space.slots(), space.capacity()), (2, 30));
    let matrix = PublicMatrix::new(&params, [1; 32]);
    let v = params.v() as usize;
    let columns = |values: &[i64], seed: u8| {
        let values: Vec<Scalar> = values.iter().map(|&x| number(x)).collect();
        let source = space.witness(&matrix, &values, &Seed::from_bytes([seed; 32])).unwrap();
        let mut entries = vec![0; params.l() as usize * v];
        source.read_columns(&params, 0, &mut entries).unwrap();
        entries.split_off(space.closed() as usize * v)
    };
    let values: Vec<i64> = (0..17).map(|i| i * i - 40).collect();
    let entries = columns(&values, 1);
    for (place, &value) in values.iter().chain(&[0]).enumerate() {
        let rows = &entries[place / 15 * v + 8 * (place % 15)..][..8];
        let got = crate::argument::digits::Radix::WIDE.value::<P61, _>(rows);
        assert_eq!(got, number(value).value());
    }
    // gamma is 0; the slots' beta differ, and other values or another seed have others.
    let pads = |entries: &[i8]| entries[120..120 + 72].to_vec();
    let first = pads(&entries);
    assert!(first[..24] == [0; 24] && first[24..48] != first[48..]);
    assert!(pads(&columns(&values, 1)) == first);
    assert!(pads(&columns(&values[1..], 1)) != first);
    assert!(pads(&columns(&values, 2)) != first);
    let seed = Seed::from_bytes([1; 32]);
    assert_eq!(name(space.witness(&matrix, &[number(1); 31], &seed)), "values");
    let other = waived(toy_of(40, 15, 2, 4));
    let other = PublicMatrix::new(&other, [1; 32]);
    assert_eq!(name(space.witness(&other, &[number(1)], &seed)), "l");
}

#[test]
fn requests_beyond_the_commitments_are_refused() {
    let held = committed(toy_of(40, 15, 2, 2), &[4, 7], 1);
    let (circuit, assignment) = squares(&[4, 7]);
    let refused = |matrix: &PublicMatrix, file: &[u8], public: &[Scalar], inputs: &Inputs| {
        let statement = Statement::load(&file, Security::Waived).unwrap();
        name(CommittedCircuit::new(matrix, &statement, &circuit, public, inputs))
    };
    let refused_here =
        |public: &[Scalar], inputs: &Inputs| refused(&held.matrix, &held.file, public, inputs);
    let (public, inputs) = (&assignment.public[..], Inputs::first(1, 2));
    assert_eq!(refused_here(public, &Inputs::first(2, 2)), "slot");
    assert_eq!(refused_here(public, &Inputs { slot: 0, elements: vec![0, 30] }), "input");
    assert_eq!(refused_here(public, &Inputs { slot: 0, elements: vec![u64::MAX] }), "input");
    assert_eq!(refused_here(public, &Inputs { slot: 0, elements: vec![0; 6] }), "inputs");
    assert_eq!(refused_here(&[], &inputs), "public inputs");
    // Another number of wires than the circuit's.
    let assigned = squares(&[4, 7]);
    let claim = held.claim(&assigned, &inputs);
    assert_eq!(name(prove(&held, &claim, &squares(&[4]).1)), "secret wires");
    // Rows that are no digits and pads, and an A' that is given.
    let header = |custom: CustomParams| {
        let params = waived(custom);
        let matrix = match params.expansion() {
            Expansion::Given => {
                let mut entries = vec![0; params.given_bytes() as usize];
                Seed::from_bytes([1; 32])
                    .stream(tautochrone_ctr::Label::new("A'"), 0)
                    .fill(&mut entries);
                PublicMatrix::given(&params, &entries).unwrap()
            }
            _ => PublicMatrix::new(&params, [1; 32]),
        };
        let mut file = params.header(&matrix.id);
        file.resize(params.statement_bytes() as usize, 0);
        (matrix, file)
    };
    let rows = |rows: u32| {
        let group = RowGroup { rows, bound: 99, distribution: Distribution::Any };
        CustomParams { groups: [Some(group), None, None], ..toy_of(40, 15, 2, 2) }
    };
    let (matrix, file) = header(rows(191));
    assert_eq!(refused(&matrix, &file, public, &inputs), "rows of the first group");
    let error = CommittedCircuit::new(&matrix, &held.statement, &circuit, public, &inputs);
    assert_error!(error, Error::Request(RequestProblem::Matrix(MatrixProblem::Foreign)));
    let (matrix, file) = header(CustomParams { expansion: Expansion::Given, ..rows(192) });
    assert_eq!(refused(&matrix, &file, public, &inputs), "expansion");
    // T that has changed since it was hashed.
    let changed = flipped(&held.file, 8 * 256);
    let claim = held.claim(&assigned, &inputs).with_file(&changed);
    assert_error!(prove(&held, &claim, &assignment), Error::Malformed { .. });
    let honest = prove(&held, &held.claim(&assigned, &inputs), &assignment).unwrap();
    let verdict = claim.verify(CONTEXT, &honest);
    assert_error!(verdict, Error::Malformed { .. });
    // T, of which the last block is not full.
    let without_t =
        CommittedCircuit::new(&held.matrix, &held.statement, &circuit, public, &inputs).unwrap();
    assert_error!(prove(&held, &without_t, &assignment), Error::Request(RequestProblem::NotLoaded));
}

/// The record gives each claim a slot, and none when all are used.
#[test]
fn slots_are_recorded() {
    let held = committed(toy_of(40, 15, 2, 2), &[4, 7, 4, 7], 1);
    let space = InputSpace::new(&held.params).unwrap();
    let mut used = UsedSlots::new(vec![]);
    let mut slot = |(circuit, assignment): &(Circuit, Assignment), elements: &[u64]| {
        used.slot((&space, &held.statement), circuit, assignment, elements)
    };
    let assigned = squares(&[4, 7]);
    assert_eq!(slot(&assigned, &[0, 1]).unwrap(), 0);
    assert_eq!(slot(&assigned, &[0, 1]).unwrap(), 0);
    assert_eq!(slot(&assigned, &[2, 3]).unwrap(), 1);
    assert_eq!(slot(&assigned, &[2, 3]).unwrap(), 1);
    assert_eq!(slot(&assigned, &[0, 1]).unwrap(), 0);
    // Another circuit, public input, wire, or list of elements.
    let mut others = vec![(squares(&[4]), vec![0, 1]), (assigned.clone(), vec![0])];
    let mut public = assigned.clone();
    public.1.public[0] += Scalar::ONE;
    others.push((public, vec![0, 1]));
    let mut wire = assigned.clone();
    wire.1.secret[3] += Scalar::ONE;
    others.push((wire, vec![0, 1]));
    for (assigned, elements) in others {
        assert_error!(
            slot(&assigned, &elements),
            Error::Request(RequestProblem::NoSlot { slots: 2 })
        );
    }
    // As it is stored.
    let claims = used.claims().to_vec();
    assert_eq!(claims.len(), 2);
    let mut again = UsedSlots::new(claims);
    let (circuit, assignment) = &assigned;
    assert_eq!(again.slot((&space, &held.statement), circuit, assignment, &[2, 3]).unwrap(), 1);
    assert!(again.slot((&space, &held.statement), circuit, assignment, &[2]).is_err());
    // The same claim about another T.
    let other = committed(toy_of(40, 15, 2, 2), &[4, 7, 4, 7], 2);
    assert!(again.slot((&space, &other.statement), circuit, assignment, &[2, 3]).is_err());
    assert!(!format!("{again:?}").contains('['));
}

/// A public input that no constraint is about, such as a nonce: under another one the wires of an
/// assignment satisfy another claim, and the record would give it the slot that the assignment's
/// has.
#[test]
fn claims_have_the_public_inputs_of_the_record() {
    let held = committed(toy_of(40, 15, 2, 2), &[4, 7], 1);
    let space = InputSpace::new(&held.params).unwrap();
    let mut builder = CircuitBuilder::new();
    let _nonce = builder.public(number(1));
    let [x, y] = [4, 7].map(|x| builder.secret(number(x)));
    builder.product(x, y);
    let assigned = builder.finish().unwrap();
    let (circuit, assignment) = &assigned;
    let mut used = UsedSlots::new(vec![]);
    let slot = used.slot((&space, &held.statement), circuit, assignment, &[0, 1]).unwrap();
    let inputs = Inputs::first(slot, 2);
    prove(&held, &held.claim(&assigned, &inputs), assignment).unwrap();
    let public = [number(2)];
    let claim =
        CommittedCircuit::new(&held.matrix, &held.statement, circuit, &public, &inputs).unwrap();
    let claim = claim.with_file(&held.file);
    assert_eq!(name(prove(&held, &claim, assignment)), "public input");
}

/// An observer of A is one of proofs with more columns, too.
#[test]
fn proofs_are_observed() {
    let held = committed(toy_of(40, 15, 2, 2), &[4, 7], 1);
    let ((circuit, assignment), inputs) = (squares(&[4, 7]), Inputs::first(0, 2));
    let matrix = PublicMatrix::new(&held.params, [1; 32])
        .with_observer(|_| core::ops::ControlFlow::Break(()));
    let public = &assignment.public;
    let claim = CommittedCircuit::new(&matrix, &held.statement, &circuit, public, &inputs);
    let seed = Seed::from_bytes([3; 32]);
    let proved = claim.unwrap().with_file(&held.file).prove(b"", &held.witness, &assignment, &seed);
    assert_error!(proved, Error::Cancelled);
}
