//! Proofs of knowledge. A = [A' | I], T is rounded to multiples of 2^dT, proofs carry Z_1 and
//! a hint for every entry of W.

use super::*;
use crate::params::sigma::kappa_squared;
use crate::params::{alpha, ternary_factor};
use crate::rejection::Rho;

pub(crate) mod argument;
pub(crate) mod claims;
pub(crate) mod keys;

use argument::Argument;

const MAGIC: &[u8; 8] = b"TCZKprf\0";

/// x mod 2^w.
fn reduce(x: i128, w: u32) -> i128 {
    x & ((1 << w) - 1)
}

/// floor((x + 2^(d-1)) / 2^d) mod 2^(w-d).
fn round(x: i128, w: u32, d: u32) -> i128 {
    let half = (1 << d) / 2;
    reduce((reduce(x, w) + half) >> d, w - d)
}

/// x - 2^d round(x), centred.
fn low(x: i128, w: u32, d: u32) -> i128 {
    let rest = reduce(x - (round(x, w, d) << d), w);
    if rest >= 1 << (w - 1) { rest - (1 << w) } else { rest }
}

/// A statement file, or its header alone.
#[derive(Clone)]
pub(crate) struct File<'a> {
    bytes: &'a [u8],
    /// A' in bytes, where it is given in full.
    given: Option<&'a [u8]>,
    suite: HashSuite,
    ternary: bool,
    /// Of the last group of rows in millionths, with narrow or mixed masks.
    narrow: Option<u128>,
    /// With mixed masks the rows of messages, and their sigma and squared norm; else 0.
    messages: (usize, u64, u128),
    w: u32,
    r: usize,
    v: usize,
    n: usize,
    d: u32,
    dt: u32,
    weight: u128,
    /// The last columns of T that alone are rounded, and to how many bits.
    last: (usize, u32),
    l: usize,
    sigma: u64,
    norm_bound_squared: u128,
}

impl<'a> File<'a> {
    /// Reads the header of a valid statement.
    pub(crate) fn new(bytes: &'a [u8], given: Option<&'a [u8]>) -> Self {
        let field = |at: usize, len: usize| number(&bytes[at..at + len]);
        let suite = if bytes[10] == 1 { HashSuite::Blake3 } else { HashSuite::Sha3 };
        Self {
            bytes,
            given,
            suite,
            ternary: bytes[12] == 0,
            narrow: (bytes[14] > 0).then(|| field(152 + 24 * usize::from(bytes[13]), 8)),
            messages: messages(bytes),
            w: field(20, 4) as u32,
            r: field(24, 4) as usize,
            v: field(28, 4) as usize,
            n: field(32, 4) as usize,
            d: field(36, 4) as u32,
            dt: field(40, 4) as u32,
            weight: field(44, 4),
            last: (0, 0),
            l: field(48, 8) as usize,
            sigma: field(56, 8) as u64,
            norm_bound_squared: field(64, 16),
        }
    }

    /// The largest b of a group of rows.
    fn largest_bound(&self) -> u128 {
        (0..4).map(|i| number(&self.bytes[164 + 24 * i..][..4])).max().unwrap()
    }

    /// c = min(l, ceil(l / 2) + 5 ceil(sqrt l)).
    fn column_squared(&self) -> u128 {
        let l = self.l as u128;
        let root = (0..=l).find(|root| root * root >= l).unwrap();
        l.min(l.div_ceil(2) + 5 * root)
    }

    /// Columns of the rows of messages, with mixed masks, and of the other ones, of as many rows.
    fn parts(&self, z: &[i128], rows: usize) -> [Vec<i128>; 2] {
        let columns = z.chunks(rows).map(|z| z.split_at(self.messages.0));
        let (messages, others): (Vec<_>, Vec<_>) = columns.unzip();
        [messages.concat(), others.concat()]
    }

    /// sigma, or with narrow masks the least integer with a square of at least sigma^2 + c
    /// sigma_0^2.
    fn sigma_z(&self) -> u64 {
        let Some(micros) = self.narrow else { return self.sigma };
        let square = |x: u128| x * x;
        let scale = square(1_000_000);
        let variance = scale * square(self.sigma.into()) + self.column_squared() * square(micros);
        (self.sigma..u64::MAX).find(|&z| scale * square(z.into()) >= variance).unwrap()
    }

    /// rho: 2 if sigma is at least ceil(alpha sqrt(x / 2) F), or ceil(alpha s sqrt(l n)), for it,
    /// else 3.
    fn rho(&self) -> Rho {
        let bound = number(&self.bytes[80..96]) as f64;
        let length = if self.ternary {
            bound.sqrt() * ternary_factor(self.lambda() as u32, self.n as u32)
        } else {
            bound * (self.l as f64 * self.n as f64).sqrt()
        };
        let needed = (alpha(self.lambda() as u32, Rho::Two) * length).ceil() as u64;
        if self.sigma >= needed { Rho::Two } else { Rho::Three }
    }

    fn lambda(&self) -> u128 {
        number(&self.bytes[16..20])
    }

    fn stream(
        &self,
        key: &Digest,
        secret: bool,
        label: Label,
        index: u64,
    ) -> tautochrone_ctr::Stream {
        let long = secret && self.lambda() == 256;
        let size = if long { KeySize::Aes256 } else { KeySize::Aes128 };
        let seed = Seed::from_bytes(key.as_bytes()[..32].try_into().unwrap());
        seed.stream_with(Isa::PORTABLE, size, label, index)
    }

    /// A', row after row.
    fn a(&self) -> Vec<i128> {
        let (width, k) = (self.w.div_ceil(8) as usize, self.v - self.r);
        if let Some(given) = self.given {
            return given.chunks(width).map(|word| number(word) as i128).collect();
        }
        let numbers = [self.bytes[11].into(), self.w as usize, self.r, self.v].map(eight_bytes);
        let fields = [&numbers[..], &[self.bytes[96..128].to_vec()]].concat();
        let key = hash(self.suite, "A", &fields);
        let mut bytes = vec![0; self.r * k * width];
        for (i, chunk) in (0..).zip(bytes.chunks_mut(width << 13)) {
            self.stream(&key, false, Label::new("tautochrone-zk/2 A"), i).fill(chunk);
        }
        bytes.chunks(width).map(|word| reduce(number(word) as i128, self.w)).collect()
    }

    /// A' X_1 + X_2 modulo q for X of v rows, or A' X_1 where `rows` is v - r.
    fn a_times(&self, x: &[i128], rows: usize) -> Vec<i128> {
        let (a, k) = (self.a(), self.v - self.r);
        let mut product = Vec::new();
        for x in x.chunks_exact(rows) {
            for (i, row) in a.chunks(k).enumerate() {
                let sum: i128 = row.iter().zip(x).map(|(a, x)| a * x).sum();
                product.push(reduce(sum + x.get(k + i).copied().unwrap_or(0), self.w));
            }
        }
        product
    }

    fn column_bytes(&self) -> usize {
        (self.r * (self.w - self.dt) as usize).div_ceil(8)
    }

    /// T' / 2^dT.
    fn t(&self) -> Vec<i128> {
        unpack(&self.bytes[256..], self.r, self.w - self.dt)
    }

    /// The part of T that is rounded off, from S.
    fn rounded_off(&self, s: &[i128]) -> Vec<i128> {
        let t = self.a_times(s, self.v);
        let (columns, bits) = self.last;
        let first = t.len() - columns * self.r;
        let bits = |i: usize| if i < first { self.dt } else { bits };
        t.iter().enumerate().map(|(i, &t)| low(t, self.w, bits(i))).collect()
    }

    fn block_hashes(&self) -> Vec<Digest> {
        self.hashes("T-block", &self.bytes[256..], BLOCK * self.column_bytes())
    }

    /// The hashes of blocks of S.
    fn s_hashes(&self, s: &[i128]) -> Vec<Digest> {
        let width = if self.largest_bound() <= 127 { 1 } else { 4 };
        let entries: Vec<u8> = s.iter().flat_map(|s| s.to_le_bytes()[..width].to_vec()).collect();
        self.hashes("S-block", &entries, BLOCK * self.v * width)
    }

    /// H(S).
    fn s_digest(&self, hashes: &[Digest]) -> Digest {
        hash_list(self.suite, "witness", &[], hashes, &[])
    }

    /// Of blocks of so many bytes, each with its number.
    fn hashes(&self, tag: &str, bytes: &[u8], len: usize) -> Vec<Digest> {
        let blocks = (0_u64..).zip(bytes.chunks(len));
        blocks.map(|(i, block)| hash(self.suite, tag, &[&i.to_le_bytes()[..], block])).collect()
    }

    /// D, in a context.
    fn digest(&self, context: &[u8]) -> Digest {
        let (header, hashes) = (self.bytes[8..256].to_vec(), self.block_hashes());
        hash_list(self.suite, "statement", &[header], &hashes, &[context.to_vec()])
    }

    fn challenge(&self, challenge_hash: &Digest) -> Vec<Vec<i8>> {
        challenge_matrix(self.suite, self.ternary, self.l, self.n, challenge_hash)
    }

    /// Of D and W_H, and of the argument's last state and delta if there is one.
    fn challenge_hash(
        &self,
        digest: &Digest,
        w_high: &[i128],
        argument: Option<(&Digest, Vec<u8>)>,
    ) -> Digest {
        let width = (self.w - self.d).div_ceil(8) as usize;
        let bytes: Vec<u8> =
            w_high.iter().flat_map(|w| w.to_le_bytes().into_iter().take(width)).collect();
        match argument {
            None => hash(self.suite, "challenge", &[digest.as_bytes(), &bytes]),
            Some((state, delta)) => {
                let fields = [digest.as_bytes(), state.as_bytes(), &bytes, &delta];
                hash(self.suite, "challenge with argument", &fields)
            }
        }
    }

    /// V = A' Z_1 - T' C modulo q.
    fn v(&self, z: &[i128], challenge_hash: &Digest) -> Vec<i128> {
        let tc = times_challenge(&self.t(), self.r, &self.challenge(challenge_hash));
        let az = self.a_times(z, self.v - self.r);
        az.iter().zip(tc).map(|(az, tc)| reduce(az - (tc << self.dt), self.w)).collect()
    }

    /// Whether entries, hints and the columns of (Z_1, E) are within their bounds.
    fn is_short(&self, z: &[i128], hints: &[i128], e: &[i128]) -> bool {
        let squared = |z: &[i128]| z.iter().map(|z| (z * z) as u128).sum::<u128>();
        let (rows, sigma_m, most) = self.messages;
        let [messages, z] = self.parts(z, self.v - self.r);
        let columns = z.chunks(self.v - self.r - rows).zip(e.chunks(self.r));
        within(&z, self.sigma_z())
            && within(&messages, sigma_m)
            && messages.chunks(rows.max(1)).all(|z| squared(z) <= most)
            && hints.iter().all(|h| h.abs() <= 20)
            && columns.map(|(z, e)| squared(z) + squared(e)).all(|b| b <= self.norm_bound_squared)
    }

    /// low_d(V) - 2^d h.
    fn e(&self, v: &[i128], hints: &[i128]) -> Vec<i128> {
        v.iter().zip(hints).map(|(&v, h)| low(v, self.w, self.d) - (h << self.d)).collect()
    }

    fn hint_variance(&self) -> [u128; 2] {
        let l = match self.narrow {
            _ if self.dt == 0 => 0,
            None => self.l as u128,
            Some(_) => 2 * self.column_squared(),
        };
        let last = if self.last.1 == 0 { 0 } else { self.last.0 as u128 };
        let of_t = l * 4_u128.pow(self.dt) * self.weight * self.weight;
        let of_t = of_t + last * 4_u128.pow(self.last.1);
        let numerator = 24 * u128::from(self.sigma_z()).pow(2) + of_t + 4 * 4_u128.pow(self.d);
        [numerator, 24 * 4_u128.pow(self.d)]
    }

    fn proof(&self, digest: &Digest, challenge_hash: &Digest, z: &[i128], h: &[i128]) -> Vec<u8> {
        self.proof_file(MAGIC, &[], digest, challenge_hash, [z, h])
    }

    fn proof_file(
        &self,
        magic: &[u8],
        between: &[u8],
        digest: &Digest,
        challenge_hash: &Digest,
        [z, h]: [&[i128]; 2],
    ) -> Vec<u8> {
        let [messages, others] = self.parts(z, self.v - self.r);
        let mut z = rans::encode(self.sigma_z(), &others);
        if self.messages.0 > 0 {
            let messages = rans::encode(self.messages.1, &messages);
            z = [&(messages.len() as u64).to_le_bytes()[..], &messages, &z].concat();
        }
        let h = encoding::hints::encode(self.hint_variance(), h);
        let len = 24 + between.len() + 2 * digest.as_bytes().len() + 8 + z.len() + h.len();
        let suites = [self.suite as u8, 0, 0, 0, 0, 0];
        let start = [magic, &[2, 0], &suites, &(len as u64).to_le_bytes()].concat();
        let digests = [digest.as_bytes(), challenge_hash.as_bytes()].concat();
        [&start, between, &digests, &(z.len() as u64).to_le_bytes()[..], &z, &h].concat()
    }
}

/// Whether no entry is beyond 14 sigma.
fn within(z: &[i128], sigma: u64) -> bool {
    z.iter().all(|z| z.unsigned_abs() <= 14 * u128::from(sigma))
}

/// With mixed masks the rows of all groups but the last; sigma_m = ceil(alpha F sqrt(x / 2)) for
/// rho = 2, and B_m^2 = floor(kappa^2 sigma_m^2 k_m).
fn messages(bytes: &[u8]) -> (usize, u64, u128) {
    if bytes[14] != 2 {
        return (0, 0, 0);
    }
    let field = |at: usize, len: usize| number(&bytes[at..at + len]);
    let groups = usize::from(bytes[13]) - 1;
    let rows = (0..groups).map(|i| field(160 + 24 * i, 4) as u32).sum::<u32>();
    let (n, f) = (field(32, 4) as u32, (field(80, 16) as f64).sqrt());
    let sigma = (alpha(128, Rho::Two) * (f * ternary_factor(128, n))).ceil();
    let squared = kappa_squared(rows, n) * (sigma * sigma * f64::from(rows));
    (rows as usize, sigma as u64, squared.floor() as u128)
}

/// The statement file of a header and S.
pub(crate) fn commit(header: &[u8], given: Option<&[u8]>, s: &[i128]) -> Vec<u8> {
    let file = File::new(header, given);
    let t = file.a_times(s, file.v);
    let rounded: Vec<i128> = t.iter().map(|&t| round(t, file.w, file.dt)).collect();
    [header, &pack(&rounded, file.r, file.w - file.dt)].concat()
}

/// Columns of `r` words of so many bits.
fn pack(words: &[i128], r: usize, width: u32) -> Vec<u8> {
    let bits = |t: &i128| (0..width).map(|j| t >> j & 1 == 1).collect::<Vec<_>>();
    let column =
        |column: &[i128]| encoding::pack(&column.iter().flat_map(bits).collect::<Vec<_>>());
    words.chunks(r).flat_map(column).collect()
}

/// The words of columns that were packed so.
fn unpack(bytes: &[u8], r: usize, width: u32) -> Vec<i128> {
    let width = width as usize;
    let word = |column: &[u8], i: usize| {
        let (first, end) = (i * width, (i + 1) * width);
        reduce((number(&column[first / 8..end.div_ceil(8)]) >> (first % 8)) as i128, width as u32)
    };
    let columns = bytes.chunks((r * width).div_ceil(8));
    columns.flat_map(|column| (0..r).map(move |i| word(column, i))).collect()
}

/// The proof file that a reproducible prover writes. V is computed from what the prover alone
/// knows, W - Z_2 + T_0 C.
pub(crate) fn prove(
    file: &[u8],
    given: Option<&[u8]>,
    s: &[i128],
    context: &[u8],
    seed: &[u8; 32],
) -> Vec<u8> {
    let file = File::new(file, given);
    let s_digest = file.s_digest(&file.s_hashes(s));
    let (digest, challenge_hash, z_1, hints) = file.respond(s, &s_digest, context, seed, None);
    file.proof(&digest, &challenge_hash, &z_1, &hints)
}

impl File<'_> {
    /// D, the challenge hash, Z_1 and hints of a reproducible prover.
    fn respond(
        &self,
        s: &[i128],
        s_digest: &Digest,
        context: &[u8],
        seed: &[u8; 32],
        argument: Option<&Argument>,
    ) -> (Digest, Digest, Vec<i128>, Vec<i128>) {
        let (suite, digest) = (self.suite, self.digest(context));
        let (k, w, d) = (self.v - self.r, self.w, self.d);
        let rounded_off = self.rounded_off(s);
        // Rejection is by all rows, or by those of messages alone.
        let (mixed, (rows, sigma)) = match self.messages {
            (0, ..) => (false, (self.v, self.sigma)),
            (rows, sigma, _) => (true, (rows, sigma)),
        };
        let samplers =
            [sigma, self.sigma].map(|sigma| Facct::new_on(Isa::PORTABLE, sigma as f64).unwrap());
        let rho = if mixed { 2.0 } else { f64::from(self.rho().get()) };
        for attempt in 0_u64.. {
            let (tag, state) = match argument {
                None => ("Y", None),
                Some(argument) => ("Y with argument", Some(argument.state.as_bytes())),
            };
            let attempt = attempt.to_le_bytes();
            let fields = [seed, digest.as_bytes(), s_digest.as_bytes(), &attempt];
            let key = hash(suite, tag, &fields.into_iter().chain(state).collect::<Vec<_>>());
            let mut y = vec![0_i64; self.v * self.n];
            for (j, column) in (0..).zip(y.chunks_mut(self.v)) {
                let (messages, others) = column.split_at_mut(self.messages.0);
                for (sampler, label, y) in [
                    (&samplers[0], "tautochrone-zk/2 Y of messages", messages),
                    (&samplers[1], "tautochrone-zk/2 Y", others),
                ] {
                    sampler.fill(&mut self.stream(&key, true, Label::new(label), j), y);
                }
            }
            let y: Vec<i128> = y.into_iter().map(i128::from).collect();
            let first = self.a_times(&y, self.v);
            let w_high: Vec<i128> = first.iter().map(|&x| round(x, w, d)).collect();
            // phi is taken of (y_1, y_2 - low_d(W)).
            let shifted: Vec<i128> = (0..y.len())
                .map(|i| {
                    let (column, row) = (i / self.v, i % self.v);
                    let w_low =
                        row.checked_sub(k).map(|row| low(first[column * self.r + row], w, d));
                    y[i] - w_low.unwrap_or(0)
                })
                .collect();
            let delta =
                argument.map(|argument| (&argument.state, argument.delta(&shifted, self.v)));
            let challenge_hash = self.challenge_hash(&digest, &w_high, delta);
            let c = self.challenge(&challenge_hash);
            let m = times_challenge(s, self.v, &c);
            let z: Vec<i128> = y.iter().zip(&m).map(|(y, m)| y + m).collect();
            // min(1, exp((-2 <Z, M> + ||M||^2) / (2 sigma^2)) / rho), in floating point: the
            // uniform number is not so near that more digits would count.
            let pairs = z.chunks(self.v).zip(m.chunks(self.v));
            let pairs = pairs.flat_map(|(z, m)| z.iter().zip(m).take(rows));
            let exponent: i128 = pairs.map(|(z, m)| m * m - 2 * z * m).sum();
            let probability = (exponent as f64 / (2.0 * (sigma as f64).powi(2))).exp() / rho;
            let mut uniform = [0; 16];
            self.stream(&key, true, Label::new("tautochrone-zk/2 rejection"), 0).fill(&mut uniform);
            let uniform = number(&uniform) as f64 / 2.0_f64.powi(128);
            let rejects = self.narrow.is_none() || mixed;
            assert!((uniform - probability).abs() > 1e-9 || !rejects, "too close for f64");
            if rejects && uniform >= probability {
                continue;
            }
            let residual = times_challenge(&rounded_off, self.r, &c);
            let v: Vec<i128> = (0..first.len())
                .map(|i| {
                    let z_2 = z[i / self.r * self.v + k + i % self.r];
                    reduce(first[i] - z_2 + residual[i], w)
                })
                .collect();
            let hints: Vec<i128> = w_high
                .iter()
                .zip(&v)
                .map(|(high, &v)| {
                    let hint = reduce(high - round(v, w, d), w - d);
                    if hint >= 1 << (w - d - 1) { hint - (1 << (w - d)) } else { hint }
                })
                .collect();
            let z_1: Vec<i128> = z.chunks(self.v).flat_map(|z| &z[..k]).copied().collect();
            if self.is_short(&z_1, &hints, &self.e(&v, &hints)) {
                return (digest, challenge_hash, z_1, hints);
            }
        }
        unreachable!("one attempt in rho is accepted")
    }

    /// The longest that an encoded proof can be behind the two digests.
    fn longest_body(&self) -> usize {
        let (rows, sigma, _) = self.messages;
        let others = rans::longest(self.sigma_z(), (self.v - self.r - rows) * self.n);
        let messages = if rows > 0 { 8 + rans::longest(sigma, rows * self.n) } else { 0 };
        8 + messages + others + encoding::hints::longest(self.r * self.n)
    }

    /// The challenge hash, Z_1 and hints of what follows a header, which begins with D; `None`
    /// where that cannot be encoded. The one encoding of them may be another.
    fn decode(&self, body: &[u8], digest: &Digest) -> Option<(Digest, Vec<i128>, Vec<i128>)> {
        let d = digest.as_bytes().len();
        let body = body.strip_prefix(digest.as_bytes())?;
        let (challenge_hash, body) = body.split_at_checked(d)?;
        let (len, body) = body.split_at_checked(8)?;
        let (z, h) = body.split_at_checked(usize::try_from(number(len)).ok()?)?;
        let (rows, sigma, _) = self.messages;
        let others = self.v - self.r - rows;
        let (messages, z) = if rows > 0 {
            let (len, z) = z.split_at_checked(8)?;
            let (messages, z) = z.split_at_checked(usize::try_from(number(len)).ok()?)?;
            (rans::decode(sigma, rows * self.n, messages)?, z)
        } else {
            (Vec::new(), z)
        };
        let z = rans::decode(self.sigma_z(), others * self.n, z)?;
        let encodable = within(&messages, sigma) && within(&z, self.sigma_z());
        let column =
            |j: usize| [&messages[rows * j..][..rows], &z[others * j..][..others]].concat();
        let z: Vec<i128> = (0..self.n).flat_map(column).collect();
        let h = encoding::hints::decode(self.hint_variance(), self.r * self.n, h)?;
        let encodable = encodable && h.iter().all(|h| h.abs() <= 20);
        Some((Digest::from_slice(challenge_hash), z, h)).filter(|_| encodable)
    }

    /// The challenge hash, Z_1, hints and W_H of a proof file with this in front of D; `None` where
    /// the file is not the one encoding of them, or they are too long.
    fn read(
        &self,
        magic: &[u8],
        between: &[u8],
        digest: &Digest,
        proof: &[u8],
    ) -> Option<(Digest, [Vec<i128>; 3])> {
        let (hash, z, hints) = self.decode(&proof[24 + between.len()..], digest)?;
        if self.proof_file(magic, between, digest, &hash, [&z, &hints]) != proof {
            return None;
        }
        let v = self.v(&z, &hash);
        let high = v.iter().zip(&hints);
        let high = high.map(|(&v, h)| reduce(round(v, self.w, self.d) + h, self.w - self.d));
        let high = high.collect();
        self.is_short(&z, &hints, &self.e(&v, &hints)).then_some((hash, [z, hints, high]))
    }
}

/// The checks of docs/format.md, "Malformed, invalid, valid".
pub(crate) fn verify(file: &[u8], given: Option<&[u8]>, context: &[u8], proof: &[u8]) -> Answer {
    let file = File::new(file, given);
    let digest = file.digest(context);
    let longest = 24 + 2 * digest.as_bytes().len() + file.longest_body();
    if is_malformed(MAGIC, longest, proof) {
        return Answer::Malformed;
    }
    match file.read(MAGIC, &[], &digest, proof) {
        Some((hash, [.., high])) if file.challenge_hash(&digest, &high, None) == hash => {
            Answer::Valid
        }
        _ => Answer::Invalid,
    }
}

/// V = A' Z_1 - T' C, and the proof file of Z_1 with hints of 0: its challenge is the hash of V,
/// where T C may be of another challenge.
pub(crate) fn forge(
    file: &[u8],
    context: &[u8],
    z: &[i64],
    challenge_hash: &Digest,
) -> (Vec<u8>, Vec<i128>) {
    let file = File::new(file, None);
    let z: Vec<i128> = z.iter().map(|&z| z.into()).collect();
    let (digest, v) = (file.digest(context), file.v(&z, challenge_hash));
    let high: Vec<i128> = v.iter().map(|&v| round(v, file.w, file.d)).collect();
    let own = file.challenge_hash(&digest, &high, None);
    let hints = vec![0; v.len()];
    (file.proof(&digest, &own, &z, &hints), file.e(&v, &hints))
}

/// Whether this is no proof file of a kind.
fn is_malformed(magic: &[u8], longest: usize, proof: &[u8]) -> bool {
    proof.len() < 24
        || proof[..8] != *magic
        || number(&proof[8..10]) != 2
        || proof.len() > longest
        || number(&proof[16..24]) != proof.len() as u128
}
