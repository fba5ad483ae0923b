//! Proofs of every kind in one batch: each has the verdict that it has alone.

mod fixture;

use std::sync::atomic::{AtomicU64, Ordering};

use tautochrone_simd::Isa;

use super::*;
use crate::argument::KeyRanges;
use crate::io;
use crate::params::BLOCK;
use crate::require::Requirement;
use crate::shard::multiply_tc;
use crate::witness::Witness;
use fixture::{Fixture, L, OF_KEYS, OF_MESSAGES};

/// The verdict of the methods that check one proof; but for keys also of the check in shards,
/// which forms both products for it alone.
fn alone(matrix: &PublicMatrix, claim: &Claim<'_>) -> String {
    let Claim { statement, statement_file, context, shows, proof } = *claim;
    let file = statement_file.unwrap();
    let verifier = Verifier::new(matrix, statement).unwrap();
    let (verdict, check) = match shows {
        Shows::Knowledge => (
            verifier.with_file(file).verify(context, proof),
            Check::begin(matrix, statement, context, proof),
        ),
        Shows::Claims(slot, claims) => (
            verifier.with_file(file).verify_claims(context, slot, claims, proof),
            Check::begin_claims(matrix, statement, context, (slot, claims), proof),
        ),
        Shows::Keys(ranges) => {
            let keys = ExactKeys::new(matrix, statement, *ranges).unwrap().with_file(file);
            return format!("{:?}", keys.verify(context, proof));
        }
    };
    let (shard, hashes) = (Shard::whole(statement.params()), statement.block_hashes());
    let in_shards = check.and_then(|check| {
        let tc = multiply_tc(matrix, &file, shard, hashes, check.challenge_hash())?;
        check.finish(&tc)
    });
    let verdict = format!("{verdict:?}");
    assert_eq!(format!("{in_shards:?}"), verdict);
    verdict
}

fn together(matrix: &PublicMatrix, claims: &[Claim<'_>]) -> Vec<String> {
    matrix.verify_batch(claims).iter().map(|verdict| format!("{verdict:?}")).collect()
}

/// Honest proofs of every kind, in every order that a rotation makes, so that what a product takes
/// at once is another each time, and on every instruction set; T held and read.
#[test]
fn honest_proofs_of_all_kinds_are_valid_together() {
    for fixture in Fixture::both() {
        for isa in Isa::all() {
            let matrix = PublicMatrix::new_on(isa, &fixture.params, [1; 32]);
            let mut claims = fixture.honest();
            let proofs = fixture.proofs.iter();
            claims
                .extend(proofs.map(|(which, shown, proof)| fixture.holding(*which, *shown, proof)));
            assert!(claims.len() > BATCH);
            let rounds = if isa == Isa::detect() { claims.len() } else { 1 };
            for _ in 0..rounds {
                assert_eq!(together(&matrix, &claims), vec!["Ok(())"; claims.len()]);
                claims.rotate_left(1);
            }
            claims.reverse();
            assert_eq!(together(&matrix, &claims), vec!["Ok(())"; claims.len()]);
        }
    }
}

/// Proofs that say themselves what they show are asked for it: one that shows less is refused, and
/// so is an invalid one that would show it.
#[test]
fn proofs_show_what_is_required() {
    let keys: Requirement = "exact-keys:8:8".parse().unwrap();
    let bit: Requirement = "range:8+1:0:1:100".parse().unwrap();
    let norm: Requirement = "norm:1:81:100".parse().unwrap();
    for fixture in Fixture::both() {
        let matrix = PublicMatrix::new(&fixture.params, [1; 32]);
        let mut met = [0; 3];
        for (which, shown, proof) in &fixture.proofs {
            let (statement, file) = &fixture.statements[*which];
            let verifier = Verifier::new(&matrix, statement).unwrap();
            let verify = |proof: &[u8], required: &[Requirement]| {
                verifier.with_file(file).verify_file(CONTEXT, proof, required)
            };
            let shown = &fixture.shows[*shown];
            let is_of_circuit = |claim: &crate::argument::Claim| {
                matches!(claim, crate::argument::Claim::Circuit(_))
            };
            if let Shows::Claims(_, claims) = shown
                && claims.claims().iter().any(is_of_circuit)
            {
                // Whoever checks these states the claim.
                let verdict = verify(proof, &[]);
                assert!(matches!(verdict, Err(Error::StatedByOthers)));
                continue;
            }
            let shows = verify(proof, &[]).unwrap();
            assert_eq!(&shows, shown);
            let mut flipped = proof.clone();
            *flipped.last_mut().unwrap() ^= 1;
            for (required, met) in [keys, bit, norm].iter().zip(&mut met) {
                let meets = shows.meets(required);
                *met += usize::from(meets);
                let verdict = verify(proof, &[*required]).map(drop);
                let less = Error::Invalid(Reason::Requirement { index: 0 });
                let expected = if meets { Ok(()) } else { Err(less) };
                assert_eq!(format!("{verdict:?}"), format!("{expected:?}"));
                assert!(verify(&flipped, &[*required]).is_err());
            }
            if shows.meets(&bit) {
                let verdict = verify(proof, &[bit, keys]).map(drop);
                let less = Error::Invalid(Reason::Requirement { index: 1 });
                assert_eq!(format!("{verdict:?}"), format!("{:?}", Err::<(), _>(less)));
            }
        }
        assert!(met.iter().all(|&met| met > 0), "{met:?}");
    }
}

/// A flipped bit in any part of any of them, or a missing byte, has the verdict that it has alone,
/// and leaves the honest ones theirs, between which all flipped ones of a proof stand.
#[test]
fn flipped_bits_do_not_concern_other_proofs() {
    for fixture in Fixture::both() {
        for isa in Isa::all() {
            let matrix = PublicMatrix::new_on(isa, &fixture.params, [1; 32]);
            for (place, (which, shown, proof)) in fixture.proofs.iter().enumerate() {
                // Header, D_0 or D, what is sent, Z and hints; the end is cut off.
                let (len, last) = (proof.len(), proof.len() - 1);
                let flips = [0, 9, 30, 60, 90, 170, len / 3, len / 2, last, len];
                let files = core::array::from_fn::<_, 10, _>(|k| match flips[k] {
                    at if at < len => flipped(proof, 8 * at + k % 8),
                    _ => proof[..last].to_vec(),
                });
                let (mut claims, mut expected) = (fixture.honest(), Vec::new());
                for (k, file) in files.iter().enumerate() {
                    let claim = fixture.claim(*which, *shown, file);
                    claims.insert(2 * k, claim);
                    expected.extend([alone(&matrix, &claim), "Ok(())".to_owned()]);
                    assert!(expected[2 * k].starts_with("Err"), "{place}, byte {}", flips[k]);
                }
                expected.resize(claims.len(), "Ok(())".to_owned());
                assert_eq!(together(&matrix, &claims), expected, "{place}");
            }
        }
    }
}

/// Every proof as one of everything else, about every statement: of all these claims only the
/// honest ones are valid, and each has the verdict that it has alone, on any number of threads.
#[test]
fn exchanged_statements_and_claims_have_their_own_verdicts() {
    for fixture in Fixture::both() {
        let matrix = PublicMatrix::new(&fixture.params, [1; 32]);
        let mut claims = Vec::new();
        let mut valid = Vec::new();
        for which in 0..fixture.statements.len() {
            for shown in 0..fixture.shows.len() {
                for (of, shows, proof) in &fixture.proofs {
                    claims.push(fixture.claim(which, shown, proof));
                    valid.push((which, shown) == (*of, *shows));
                }
            }
        }
        let expected: Vec<String> = claims.iter().map(|claim| alone(&matrix, claim)).collect();
        let accepted: Vec<bool> = expected.iter().map(|verdict| verdict == "Ok(())").collect();
        assert_eq!(accepted, valid);
        assert_eq!(together(&matrix, &claims), expected);
        #[cfg(feature = "rayon")]
        for threads in [1, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| together(&matrix, &claims)), expected);
        }
    }
}

/// Another claim, another context, an A of another seed, T that is neither held nor to be read, or
/// not all of it, and T that changes between its hash and a product, concern themselves alone,
/// although the proof of a claim is beside them, and again about an equal statement that holds T.
#[test]
fn what_cannot_be_checked_concerns_itself_alone() {
    for fixture in Fixture::both() {
        let matrix = PublicMatrix::new(&fixture.params, [1; 32]);
        assert!(matrix.verify_batch(&[]).is_empty());
        let honest = fixture.honest();
        let larger = Shows::Keys(KeyRanges::new(8, 8).unwrap());
        let other = PublicMatrix::new(&fixture.params, [2; 32]);
        let zeros = vec![0; fixture.params.v() as usize * L as usize];
        let witness = Witness::new(&fixture.params, zeros).unwrap();
        let foreign = other.commit(&witness, &mut Vec::new()).unwrap();
        for (place, claim) in honest.iter().enumerate() {
            let (which, shown, proof) = &fixture.proofs[place];
            let file = &fixture.statements[*which].1;
            let short = &file[..file.len() - 1];
            let [first, last] = [0, L - 1].map(|column| {
                let at = 256 + column as usize * fixture.params.column_bytes();
                flipped(file, 8 * at)
            });
            let another_context = Claim { context: b"another", ..*claim };
            let another_claim = Claim { shows: &larger, ..*claim };
            let of_file = |file| Claim { statement_file: Some(file), ..*claim };
            let altered = |block: u64| {
                let problem = Malformation::Block(block);
                format!("{:?}", Err::<(), _>(Error::Malformed { what: "statement", problem }))
            };
            let with_verdicts = [
                (another_context, alone(&matrix, &another_context)),
                (another_claim, alone(&matrix, &another_claim)),
                (
                    Claim { statement: &foreign, ..*claim },
                    "Err(Request(Matrix(Foreign)))".to_owned(),
                ),
                (of_file(&short), alone(&matrix, &of_file(&short))),
                (of_file(&first), altered(0)),
                (of_file(&last), altered((L - 1) / u64::from(BLOCK))),
                (Claim { statement_file: None, ..*claim }, "Err(Request(NotLoaded))".to_owned()),
            ];
            let (mut claims, mut expected): (Vec<_>, Vec<_>) = with_verdicts.into_iter().unzip();
            assert!(expected.iter().all(|verdict| verdict.starts_with("Err(")));
            // As many honest ones as a product takes beside them: they share nothing that they have
            // not in common, neither before these nor behind them.
            claims.push(fixture.holding(*which, *shown, proof));
            claims.extend(honest[place..].iter().chain(&honest[..place]));
            claims.truncate(BATCH);
            expected.resize(claims.len(), "Ok(())".to_owned());
            for _ in 0..2 {
                assert_eq!(together(&matrix, &claims), expected, "{place}");
                claims.reverse();
                expected.reverse();
            }
        }
    }
}

/// A file that counts the bytes that are read.
struct Counted<'a>(&'a [u8], AtomicU64);

impl ReadAt for Counted<'_> {
    fn len(&self) -> u64 {
        ReadAt::len(self.0)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.0.read_at(offset, buffer)
    }
}

/// Proofs of different kinds about one T share a pass over it; so do proofs about keys, whose dummy
/// columns are the same.
#[test]
fn proofs_about_one_t_share_a_pass_over_it() {
    let [fixture, _] = Fixture::both();
    let matrix = PublicMatrix::new(&fixture.params, [1; 32]);
    for which in [OF_MESSAGES, OF_KEYS[0]] {
        let file = Counted(&fixture.statements[which].1, AtomicU64::new(0));
        let of_this = |(of, shown, _): &&(usize, usize, Vec<u8>)| {
            *of == which && (*of == OF_MESSAGES || *shown == 6)
        };
        let claims: Vec<Claim<'_>> = fixture
            .proofs
            .iter()
            .filter(of_this)
            .flat_map(|(_, shown, proof)| [fixture.claim(which, *shown, proof); 2])
            .map(|claim| Claim { statement_file: Some(&file), ..claim })
            .collect();
        assert_eq!(together(&matrix, &claims), vec!["Ok(())"; claims.len()]);
        let header = fixture.params.statement_header_len() as u64;
        let (read, t) =
            (file.1.load(Ordering::Relaxed), ReadAt::len(&fixture.statements[which].1) - header);
        // The last block is hashed together with dummy columns, once a proof.
        let last = claims.len() as u64 * t * (L - 256) / L;
        assert_eq!(read, if which == OF_MESSAGES { t } else { t + last });
    }
}
