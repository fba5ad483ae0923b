//! The identities of the protocol, its completeness, its extractor, and what it must refuse.

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::facct::Facct;

use super::super::shape::{Rounded, uniform_frobenius};
use super::*;

/// A statement with its witness, and Gaussian and uniform randomness.
struct Case {
    statement: Statement,
    s: Vec<i64>,
    stream: Stream,
    sampler: Facct,
}

fn stream(seed: u8) -> Stream {
    Seed::from_bytes([seed; 32]).stream(Label::new("tautochrone-zk compact tests"), 0)
}

fn word(stream: &mut Stream) -> u64 {
    let mut bytes = [0; 8];
    stream.fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

impl Case {
    fn new(w: u32, [r, kappa, n]: [u32; 3], l: u64, b: u32, rounded: Rounded, seed: u8) -> Self {
        let mut stream = stream(seed);
        let v = r + kappa;
        let shape = Shape::new(
            128,
            w,
            [r, kappa, n],
            l,
            b,
            u128::from(b * b * v) * u128::from(l),
            rounded,
            0,
        );
        let a = (0..r * kappa).map(|_| word(&mut stream)).collect();
        let range = u64::from(2 * b + 1);
        let s: Vec<i64> = (0..u64::from(v) * l)
            .map(|_| (word(&mut stream) % range) as i64 - i64::from(b))
            .collect();
        let sampler = Facct::new(shape.sigma as f64).unwrap();
        Self { statement: Statement::new(shape, a, &s), s, stream, sampler }
    }

    /// A case for every width and both kinds of T.
    fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for (w, b, seed) in
            [(25, 1, 1), (29, 1, 2), (32, 3, 3), (33, 5, 4), (40, 100, 5), (64, 127, 6)]
        {
            for rounded in [Rounded::No, Rounded::Yes] {
                cases.push(Self::new(w, [7, 9, 12], 40, b, rounded, seed));
            }
        }
        cases
    }

    fn y(&mut self) -> Vec<i64> {
        let Shape { r, kappa, n, .. } = self.statement.shape;
        let mut y = vec![0; ((r + kappa) * n) as usize];
        self.sampler.fill(&mut self.stream, &mut y);
        y
    }

    fn prove(&mut self, context: &[u8]) -> (Proof, u32) {
        for attempts in 1.. {
            let y = self.y();
            let uniform =
                u128::from(word(&mut self.stream)) << 64 | u128::from(word(&mut self.stream));
            if let Some(proof) = self.statement.attempt(&self.s, &y, uniform, context) {
                return (proof, attempts);
            }
            assert!(attempts < 100, "an attempt in three is accepted");
        }
        unreachable!("attempts are counted from one on");
    }

    /// T, not rounded, and what was rounded off it.
    fn t(&self) -> (Vec<u64>, Vec<i64>) {
        let Statement { shape, a, .. } = &self.statement;
        let t = Statement::times_a(shape, a, &self.s, shape.l as usize);
        let low = t.iter().map(|&t| shape.of_t().low(t)).collect();
        (t, low)
    }
}

/// V = W - Z_2 + T_0 C, E = low_d(W) - Z_2 + T_0 C and A' Z_1 - T' C - E = 2^d round_d(W), modulo
/// q.
#[test]
fn hints_stand_for_what_is_not_sent() {
    for mut case in Case::all() {
        let y = case.y();
        let statement = &case.statement;
        let shape = statement.shape;
        let (r, kappa) = (shape.r as usize, shape.kappa as usize);
        let (w, _, c) = statement.first_message(&y, b"");
        let (whole, _) = statement.response(&case.s, &y, &c);
        let (z, hints) = statement.hints(&w, &whole, &c);
        let v = statement.v(&z, &c);
        let Residual { w_high, e } = statement.residual(&v, &hints);
        let off: Vec<u64> = case.t().1.iter().map(|t| t.cast_unsigned()).collect();
        let off = Statement::times_challenge(&off, r, &c);
        let modulus = shape.of_w();
        for (i, &w) in w.iter().enumerate() {
            let z2 = whole[i / r * (kappa + r) + kappa + i % r].cast_unsigned();
            let shift = off[i].wrapping_sub(z2);
            assert_eq!(modulus.reduce(v[i]), modulus.reduce(w.wrapping_add(shift)));
            let low = modulus.low(w).cast_unsigned();
            assert_eq!(
                modulus.reduce(e[i].cast_unsigned()),
                modulus.reduce(low.wrapping_add(shift))
            );
            assert_eq!(w_high[i], modulus.high(w), "what the challenge hashes");
            let equation = v[i].wrapping_sub(e[i].cast_unsigned());
            assert_eq!(modulus.reduce(equation), modulus.reduce(modulus.high(w) << shape.d));
        }
    }
}

#[test]
fn honest_proofs_are_valid_and_altered_ones_are_not() {
    for mut case in Case::all() {
        let (proof, _) = case.prove(b"context");
        let statement = &case.statement;
        let verify = |proof: &Proof| statement.verify(proof, b"context");
        assert_eq!(verify(&proof), Ok(()));
        assert_eq!(statement.verify(&proof, b"other"), Err(Refusal::Challenge));
        let altered = |alter: &dyn Fn(&mut Proof)| {
            let mut other = proof.clone();
            alter(&mut other);
            verify(&other)
        };
        for i in 0..proof.hints.len() {
            assert!(altered(&|proof| proof.hints[i] += 1).is_err());
            assert!(altered(&|proof| proof.hints[i] -= 1).is_err());
        }
        for i in 0..proof.z.len() {
            assert!(altered(&|proof| proof.z[i] += 1).is_err());
        }
        let period = 1 << (statement.shape.w - statement.shape.d).min(40);
        assert_eq!(altered(&|proof| proof.hints[3] += period), Err(Refusal::Hint));
        assert_eq!(altered(&|proof| proof.hints[3] = 21), Err(Refusal::Hint));
        assert_eq!(altered(&|proof| proof.hints[3] = -21), Err(Refusal::Hint));
        let entry = 14 * statement.shape.sigma.cast_signed() + 1;
        assert_eq!(altered(&|proof| proof.z[0] = entry), Err(Refusal::Entry));
        assert!(altered(&|proof| proof.challenge_hash[5] ^= 1).is_err());
        let q = 1_i64 << statement.shape.w.min(40);
        assert!(altered(&|proof| proof.z[0] += q).is_err());
        // Everything in the header goes into the challenge.
        let header = |alter: &dyn Fn(&mut Statement)| {
            let mut other = statement.clone();
            alter(&mut other);
            other.verify(&proof, b"context")
        };
        assert!(header(&|other| other.shape.d -= 1).is_err());
        assert!(header(&|other| other.shape.frobenius += 1).is_err());
        assert!(header(&|other| other.shape.norm_bound += 1).is_err());
        assert!(header(&|other| other.t[7] ^= 1).is_err());
        assert!(header(&|other| other.a[7] ^= 1).is_err());
    }
}

/// The norm of a column counts Z_1 and E together, and E alone where Z_1 is zero.
#[test]
fn errors_count_towards_the_norm() {
    let case = Case::new(32, [7, 9, 12], 40, 1, Rounded::Yes, 9);
    let statement = case.statement;
    let bound = statement.shape.norm_bound;
    let root = bound.isqrt();
    let (z, hints) = (vec![0; 9 * 12], vec![0; 7 * 12]);
    let check = |first: u128, second: u128| {
        let mut e = vec![0; 7 * 12];
        (e[7], e[8]) = (first as i64, second as i64);
        statement.check_bounds(&z, &hints, &e)
    };
    let rest = (bound - root * root).isqrt();
    assert_eq!(check(root, rest), Ok(()));
    assert_eq!(check(root + 1, 0), Err(Refusal::Norm));
    let mut z1 = z.clone();
    let half = (bound / 2).isqrt() as i64;
    z1[9] = half.min(14 * statement.shape.sigma as i64);
    let mut e = vec![0; 7 * 12];
    e[7] = ((bound - u128::from(z1[9].unsigned_abs()).pow(2)).isqrt() + 1) as i64;
    assert_eq!(statement.check_bounds(&z1, &hints, &e), Err(Refusal::Norm));
    e[7] -= 1;
    assert_eq!(statement.check_bounds(&z1, &hints, &e), Ok(()));
}

/// Two transcripts of one W whose challenges differ in one row give a short preimage of that column
/// of T', exactly, though W and T are rounded.
#[test]
fn a_rounded_column_is_extracted_exactly() {
    for mut case in Case::all() {
        let y = case.y();
        let statement = &case.statement;
        let Shape { r, kappa, n, w, .. } = statement.shape;
        let (r, kappa, n) = (r as usize, kappa as usize, n as usize);
        let (first, _, c) = statement.first_message(&y, b"");
        let row = 11;
        let mut other = c.clone();
        for (k, entry) in other[row].iter_mut().enumerate() {
            *entry = i8::from((k + usize::from(*entry != 0)).is_multiple_of(2));
        }
        let place = (0..n).find(|&k| (c[row][k] - other[row][k]) % 2 != 0).expect("rows differ");
        let sign = i64::from(c[row][place] - other[row][place]);
        let transcript = |c: &[Vec<i8>]| {
            let (z, hints) = statement.hints(&first, &statement.response(&case.s, &y, c).0, c);
            let e = statement.residual(&statement.v(&z, c), &hints).e;
            (z, e)
        };
        let ((z, e), (z_other, e_other)) = (transcript(&c), transcript(&other));
        let mut preimage: Vec<i64> = (0..kappa)
            .map(|i| sign * (z[place * kappa + i] - z_other[place * kappa + i]))
            .collect();
        preimage.extend((0..r).map(|i| -sign * (e[place * r + i] - e_other[place * r + i])));
        let image = Statement::times_a(&statement.shape, &statement.a, &preimage, 1);
        let modulus = Rounding::new(w, 0);
        for (image, t) in image.iter().zip(&statement.t[row * r..]) {
            assert_eq!(modulus.reduce(*image), t << statement.shape.dt);
        }
    }
}

/// One attempt in three is accepted; E and the hints are as wide as the shape says.
#[test]
fn transcripts_are_distributed_as_stated() {
    for rounded in [Rounded::No, Rounded::Yes] {
        let mut case = Case::new(32, [40, 60, 20], 256, 1, rounded, 77);
        let (mut attempts, mut proofs) = (0, 0);
        let (mut errors, mut hints) = (Vec::new(), Vec::new());
        while proofs < 60 {
            let (proof, tries) = case.prove(b"");
            attempts += tries;
            proofs += 1;
            let statement = &case.statement;
            let c = statement.challenge(&proof.challenge_hash);
            errors.extend(statement.residual(&statement.v(&proof.z, &c), &proof.hints).e);
            hints.extend(proof.hints);
        }
        assert!((120..=260).contains(&attempts), "{attempts} attempts for 60 proofs");
        let shape = case.statement.shape;
        let variance =
            |x: &[i64]| x.iter().map(|&x| (x as f64).powi(2)).sum::<f64>() / x.len() as f64;
        let factor = variance(&errors) / (shape.sigma as f64).powi(2);
        let expected = shape.error_factor();
        assert!((factor / expected - 1.0).abs() < 0.02, "{factor}, expected {expected}");
        let [numerator, denominator] = shape.hint_variance();
        let expected = numerator as f64 / denominator as f64;
        let spread = variance(&hints);
        assert!((spread / expected - 1.0).abs() < 0.03, "{spread}, expected {expected}");
        for hint in -1..=1 {
            assert!(hints.iter().filter(|&&other| other == hint).count() > 1000, "{hint}");
        }
    }
}

/// The certified norm is met by uniform witnesses, and lies below the worst case.
#[test]
fn uniform_witnesses_meet_their_norm() {
    let mut stream = stream(5);
    for b in [1_i64, 4, 100] {
        let bound = uniform_frobenius(b as u32, 64, 512);
        for _ in 0..20 {
            let square: i64 = (0..64 * 512)
                .map(|_| (word(&mut stream) % (2 * b as u64 + 1)) as i64 - b)
                .map(|s| s * s)
                .sum();
            assert!(square as u128 <= bound);
        }
        assert!(bound < (b * b) as u128 * 64 * 512);
    }
}
