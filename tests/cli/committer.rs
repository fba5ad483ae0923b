//! What proofs and openings of a committed file tell who guesses, and what a committer gains who
//! does not follow `commit_file`.

use std::path::Path;

use tautochrone_testkit::examples::{SEED, code, ok, refused, run as example};
use tautochrone_zk::argument::{Element, Fact, P, PaddedMessages, PaddedSpace, Ranges, RowRange};
use tautochrone_zk::uses::column_unchecked;
use tautochrone_zk::{Error, Goal, Prover, PublicMatrix, Security, Seed, Statement, Verifier};

/// Rows of a message of `commit_file`: the bits of 128 bytes.
const ROWS: usize = 1024;

/// What `commit_file` commits to, by docs/format.md: a front, the length, the pieces, and behind
/// them nothing.
fn columns_of(text: &[u8], front: usize, l: usize) -> Vec<i8> {
    let length = (text.len() as u64).to_le_bytes();
    let mut bytes = vec![0; ROWS / 8 * l];
    bytes[ROWS / 8 * front..][..8].copy_from_slice(&length);
    bytes[ROWS / 8 * (front + 1)..][..text.len()].copy_from_slice(text);
    bytes.iter().flat_map(|byte| (0..8).map(move |i| (byte >> i & 1) as i8)).collect()
}

/// A commitment to any messages, made by the library: its secret and its statement file.
struct Committer {
    a: PublicMatrix,
    space: PaddedSpace,
    messages: Vec<i8>,
    key: Seed,
    file: Vec<u8>,
    statement: Statement,
}

impl Committer {
    /// Of as many columns, with slots for facts and for ranges as a program would have them.
    fn new(messages: Vec<i8>, pad_slots: u32, range_slots: u32, front: u64) -> Self {
        let l = (messages.len() / ROWS) as u64;
        let goal = Goal { message_rows: 1024, pad_slots, range_slots, ..Goal::new(1, l) };
        let params = goal
            .optimise()
            .and_then(|params| params.validate(Security::Required))
            .expect("parameters");
        let space =
            PaddedSpace::with_ranges(&params, 1024, pad_slots, range_slots, Security::Required);
        let space = space.expect("slots").with_front(front);
        let (a, key) = (PublicMatrix::new(&params, [1; 32]), Seed::from_os().expect("entropy"));
        let mut file = Vec::new();
        let witness = space.witness(&a, &messages, &key).expect("messages");
        let statement = a.commit_and_hold(&witness, &mut file).expect("in memory");
        Self { a, space, messages, key, file, statement }
    }

    /// That of `s` and `k`.
    fn of_files(dir: &Path, text: &[u8], pad_slots: u32, range_slots: u32, front: u64) -> Self {
        let file = std::fs::read(dir.join("s")).expect("written");
        let statement = Statement::load(&file, Security::Required).expect("a statement");
        let params = statement.params();
        let space =
            PaddedSpace::with_ranges(params, 1024, pad_slots, range_slots, Security::Required);
        let space = space.expect("slots").with_front(front);
        let a = PublicMatrix::new(params, *statement.seed_a());
        let text_of_key = std::fs::read_to_string(dir.join("k")).expect("written");
        let mut key = [0; 32];
        hex::decode_to_slice(text_of_key.lines().next().expect("a line"), &mut key)
            .expect("digits");
        let key = tautochrone_cli::part(&Seed::from_bytes(key), "commit_file: randomness");
        let messages = columns_of(text, front as usize, params.l() as usize);
        Self { a, space, messages, key, file, statement }
    }

    fn witness(&self) -> PaddedMessages<'_> {
        self.space.witness(&self.a, &self.messages, &self.key).expect("messages")
    }

    /// A column, whether or not it may be opened.
    fn column(&self, index: u64) -> Vec<i8> {
        column_unchecked(self.statement.params(), &self.witness(), index)
            .expect("a column")
            .to_vec()
    }

    /// The file that shows a fact, the length being said to be in a column.
    fn fact_file(&self, fact: &Fact, length: u64) -> Vec<u8> {
        let (slot, witness) = (self.space.slot(0).expect("a slot"), self.witness());
        let prover = Prover::new(&self.a, &self.statement).expect("its A");
        let seed = Seed::from_os().expect("entropy");
        let proved = prover.prove_fact(b"commit_file 2: a fact", slot, fact, &witness, &seed);
        let proof = proved.expect("a fact").proof.to_bytes(self.statement.params());
        [bytes_of(&self.column(length)), proof].concat()
    }
}

fn bytes_of(column: &[i8]) -> Vec<u8> {
    column.iter().map(|entry| entry.cast_unsigned()).collect()
}

/// What anybody computes of a proof: the chain of hashes of docs/format.md.
struct Chain([u8; 32]);

impl Chain {
    fn hash(fields: &[&[u8]]) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new();
        for field in [b"tautochrone-zk/2"].iter().map(|field| &field[..]).chain(fields.to_vec()) {
            hasher.update(&(field.len() as u64).to_le_bytes()).update(field);
        }
        hasher
    }

    /// D_0, which the file of an argument has at 24.
    fn new(proof: &[u8]) -> Self {
        Self(proof[24..56].try_into().expect("32 bytes"))
    }

    fn absorb(&mut self, label: &[u8], message: &[u8]) {
        let hasher = Self::hash(&[b"argument message", &self.0, label, message]);
        self.0 = *hasher.finalize().as_bytes();
    }

    fn challenge(&mut self, label: &[u8]) -> Element {
        self.0 = *Self::hash(&[b"argument challenge", &self.0, label]).finalize().as_bytes();
        let (mut uniform, mut reduced) = ([0; 72], [0; 24]);
        Self::hash(&[b"argument element", &self.0]).finalize_xof().fill(&mut uniform);
        for (bytes, reduced) in uniform.chunks(24).zip(reduced.chunks_mut(8)) {
            let residue =
                bytes.iter().rev().fold(0, |x, &byte| (x << 8 | u128::from(byte)) % u128::from(P));
            reduced.copy_from_slice(&(residue as u64).to_le_bytes());
        }
        Element::from_bytes(&reduced).expect("reduced")
    }
}

/// Elements of a file.
fn elements(bytes: &[u8]) -> Vec<Element> {
    let element =
        |bytes: &[u8]| Element::from_bytes(bytes.try_into().expect("24 bytes")).expect("reduced");
    bytes.chunks_exact(24).map(element).collect()
}

/// The element that 81 rows of pads of an opened column are the digits of.
fn pad(column: &[i8], first_row: usize) -> Element {
    let mut bytes = [0; 24];
    for (digits, bytes) in column[first_row..][..81].chunks(27).zip(bytes.chunks_mut(8)) {
        let value = digits.iter().rev().fold(0, |x, &digit| 5 * x + i128::from(digit));
        bytes.copy_from_slice(&(value.rem_euclid(i128::from(P)) as u64).to_le_bytes());
    }
    Element::from_bytes(&bytes).expect("reduced")
}

/// eq(point, i) for all i.
fn eq_table(point: &[Element]) -> Vec<Element> {
    let one = Element::from(1);
    let half = |table: &[Element], x: Element| table.iter().map(|&y| y * x).collect::<Vec<_>>();
    point.iter().fold(vec![one], |table, &t| [half(&table, one - t), half(&table, t)].concat())
}

/// The messages of the ten rounds for the rows of bits, before they are masked: those of a proof
/// about these messages.
fn messages_of_rounds(messages: &[i8], proof: &[u8]) -> Vec<Element> {
    let (l, one, zero) = (messages.len() / ROWS, Element::from(1), Element::from(0));
    let mut chain = Chain::new(proof);
    let rounds = 11 + l.next_power_of_two().ilog2() as usize;
    let tau: Vec<Element> = (0..rounds).map(|_| chain.challenge(b"tau")).collect();
    let of_columns = eq_table(&tau[11..]);
    let mut table: Vec<Element> = messages.iter().map(|&bit| i64::from(bit).into()).collect();
    let (mut scale, mut sent) = (one, Vec::new());
    for (round, &t) in tau[..10].iter().enumerate() {
        let of_rows = eq_table(&tau[round + 1..10]);
        let pairs = of_rows.len();
        // P(x + d X) for P(x) = x^2 - x: coefficients of 1, X and X^2.
        let mut sums = [zero; 3];
        for (j, column) in table.chunks(2 * pairs).enumerate() {
            for (pair, &of_row) in column.chunks(2).zip(&of_rows) {
                let (x, d) = (pair[0], pair[1] - pair[0]);
                let weight = of_row * of_columns[j];
                let terms = [x * x - x, (x + x - one) * d, d * d];
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight * term);
            }
        }
        // The factor of tau_11, of which all these rows have 0, and of this round.
        let factor = scale * (one - tau[10]);
        let (constant, linear) = (factor * (one - t), factor * (t + t - one));
        sent.extend([constant * sums[0], constant * sums[2] + linear * sums[1], linear * sums[2]]);
        chain.absorb(b"round", &proof[80 + 72 * round..][..72]);
        let r = chain.challenge(b"r");
        scale = scale * (one - t + (t + t - one) * r);
        table = table.chunks(2).map(|pair| pair[0] + r * (pair[1] - pair[0])).collect();
    }
    sent
}

/// Who opens a column that masks a message of a sum-check shows a sum over all columns, by which
/// guesses of closed pieces are told apart. No column that `commit_file` opens does.
#[test]
fn an_opening_beside_a_proof_of_bits_tells_no_guesses_apart() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let ballot = |name: &str| {
        let vote = format!("{name}, says voter 17: {name}");
        let text = format!("{vote:<128}{:<100}", "public");
        text.into_bytes()
    };
    let (text, guess) = (ballot("Smith"), ballot("Jones"));
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    ok(example("commit_file", &[&["commit", "--exact", "--proof", "p"], &files[..]].concat(), dir));
    ok(example(
        "commit_file",
        &[&["open", "--piece", "1", "--out", "o"], &files[..]].concat(),
        dir,
    ));
    let (proof, opening) = (
        std::fs::read(dir.join("p")).expect("written"),
        std::fs::read(dir.join("o")).expect("written"),
    );
    // 3 (11 + 7) messages, and nine columns more.
    let (front, l) = (63, 118);
    let owner = Committer::of_files(dir, &text, 0, 1, front);
    assert_eq!(owner.statement.params().l(), l);
    let v = owner.statement.params().v() as usize;
    let opened: Vec<i8> = opening.iter().map(|byte| byte.cast_signed()).collect();
    assert!(opened[..v] == owner.column(front) && opened[v..] == owner.column(front + 2));
    let closed = owner.space.open(owner.statement.params(), &owner.witness(), front - 1);
    assert!(matches!(closed, Err(Error::ClosedColumn { column: 62, .. })));

    let gamma = u32::from_le_bytes(proof[60..64].try_into().expect("4 bytes")) as usize + 81;
    let sent = elements(&proof[80..80 + 30 * 24]);
    let candidates = [&text, &guess]
        .map(|text| messages_of_rounds(&columns_of(text, front as usize, l as usize), &proof));
    let same = (0..30).filter(|&k| candidates[0][k] == candidates[1][k]).collect::<Vec<_>>();
    assert_eq!(same, [0], "all messages but the first tell guesses apart");
    let fits = |k: usize, column: &[i8]| {
        candidates.each_ref().map(|unmasked| sent[k] - pad(column, gamma) == unmasked[k])
    };
    for k in 1..30 {
        for column in [&opened[..v], &opened[v..]] {
            assert_eq!(fits(k, column), [false; 2], "message {k}");
        }
        // The control: this is what a column in front would show.
        assert_eq!(fits(k, &owner.column(k as u64)), [true, false], "message {k}");
    }
}

/// The same of totals beside a proof of several facts.
#[test]
fn an_opening_beside_a_proof_of_sums_shows_no_other_total() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text: Vec<u8> = (0..300_u32).map(|i| (i * 7 % 251) as u8).collect();
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--exact", "--facts", "3", "--proof", "p"];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));
    let prove = ["prove", "--slot", "0", "--sum", "5:2", "--sum", "9:2", "--out", "f"];
    ok(example("commit_file", &[&prove[..], &files].concat(), dir));
    ok(example(
        "commit_file",
        &[&["open", "--piece", "0", "--out", "o"], &files[..]].concat(),
        dir,
    ));
    let owner = Committer::of_files(dir, &text, 3, 1, 63);
    let v = owner.statement.params().v() as usize;
    let file = std::fs::read(dir.join("f")).expect("written");
    let opening = std::fs::read(dir.join("o")).expect("written");
    let (length, proof) = file.split_at(v);
    assert_eq!(length, &opening[..v]);

    // Message 0: the sums of the even bits of all numbers.
    let eta = Chain::new(proof).challenge(b"eta");
    let even = |at: usize| -> i64 {
        let number = |piece: &[u8]| i64::from(u16::from_le_bytes([piece[at], piece[at + 1]]));
        text.chunks(128).map(|piece| number(piece) & 0x5555).sum()
    };
    let total = Element::from(even(5)) + eta * Element::from(even(9));
    let sent = elements(&proof[56..80])[0];
    for column in opening.chunks(v) {
        let column: Vec<i8> = column.iter().map(|byte| byte.cast_signed()).collect();
        assert_ne!(sent - pad(&column, ROWS + 81), total);
    }
    assert_eq!(sent - pad(&owner.column(0), ROWS + 81), total, "the control");
}

/// What facts and openings show of one commitment is one file: of one length, and nothing is behind
/// its end.
#[test]
fn facts_and_openings_do_not_contradict_each_other() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text = b"no.  paid: 1000000";
    let paid = &text[5..];
    let bits = paid.iter().flat_map(|byte| (0..8).map(move |i| i64::from(byte >> i & 1)));
    let fact = Fact::block(8 * 5, 1, 8 * paid.len() as u32, bits.collect()).unwrap();
    let verdicts = |messages: Vec<i8>, opened: u64| {
        let committer = Committer::new(messages, 1, 0, 0);
        let (params, witness) = (committer.statement.params(), committer.witness());
        let prover = Prover::new(&committer.a, &committer.statement).unwrap();
        let context = b"commit_file 2: pieces of 128 bytes";
        let proof = prover.prove(context, &witness, &Seed::from_os().unwrap()).unwrap().proof;
        let columns = [opened, 1, 2].map(|index| bytes_of(&committer.column(index)));
        for (name, bytes) in [
            ("s", committer.file.clone()),
            ("p", proof.to_bytes(params)),
            ("f", committer.fact_file(&fact, opened)),
            ("o0", [&columns[0][..], &columns[1]].concat()),
            ("o1", [&columns[0][..], &columns[2]].concat()),
        ] {
            std::fs::write(dir.join(name), bytes).expect("written");
        }
        let verify = ["verify", "--statement", "s", "--slot", "0", "--fact", "f"];
        let what = ["--bytes", "5:13", "--text", "paid: 1000000"];
        let verified = example("commit_file", &[&verify[..], &what].concat(), dir);
        let check = |piece, opening| {
            let args = ["check", "--statement", "s", "--proof", "p", "--piece", piece];
            example("commit_file", &[&args[..], &["--opening", opening]].concat(), dir)
        };
        [verified, check("0", "o0"), check("1", "o1")].map(|output| {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            (code(&output), said)
        })
    };
    let honest = || columns_of(text, 0, 3);
    let codes = |messages, opened| verdicts(messages, opened).map(|(code, _)| code);
    assert_eq!(codes(honest(), 0), [0, 0, 1], "there is no second piece");
    // A file of three bytes, and more behind its end.
    let mut short = honest();
    short[..ROWS].copy_from_slice(&columns_of(b"no.", 0, 3)[..ROWS]);
    let [verified, checked, _] = verdicts(short, 0);
    assert_eq!((verified.0, checked.0), (1, 1));
    assert!(verified.1.contains("bytes 5:13: the file has 3 bytes"), "{}", verified.1);
    assert!(checked.1.contains("is not of a file of 3 bytes"), "{}", checked.1);
    // What is no length: bits behind 64, no bits, more than there are columns for, a column of
    // bytes.
    let changed = |row: usize, entry: i8| {
        let mut messages = honest();
        messages[row] = entry;
        messages
    };
    for (messages, opened) in
        [(changed(64, 1), 0), (changed(7, -1), 0), (changed(40, 1), 0), (honest(), 1)]
    {
        assert_eq!(codes(messages, opened), [1, 1, 1]);
    }
    // No layout: there is a front for facts, and nothing behind it.
    let small = Committer::new(vec![0; 37 * ROWS], 3, 0, 0);
    std::fs::write(dir.join("s"), &small.file[..]).expect("written");
    std::fs::write(dir.join("log"), text).expect("written");
    std::fs::write(dir.join("k"), format!("{SEED}\n{SEED}\n")).expect("written");
    let open = ["open", "--in", "log", "--statement", "s", "--key", "k", "--piece", "0"];
    let output = example("commit_file", &[&open[..], &["--out", "o"]].concat(), dir);
    assert!(refused(&output).contains("do not open"), "37 columns are a front, a length, a piece");
    let small = Committer::new(vec![0; 36 * ROWS], 3, 0, 0);
    std::fs::write(dir.join("s"), &small.file[..]).expect("written");
    let output = example("commit_file", &[&open[..], &["--out", "o"]].concat(), dir);
    assert!(refused(&output).contains("36 columns; "), "{output:?}");
}

/// Whoever commits to 0 and -1 where bits are expected proves any total. `verify` wants to see that
/// they are bits.
#[test]
fn a_sum_is_one_of_bits() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    // Three numbers 1000, and "bits" of -2923, which make the total 77.
    let mut text = vec![b'x'; 4 * 128];
    for piece in text.chunks_mut(128) {
        piece[5..7].copy_from_slice(&1000_u16.to_le_bytes());
    }
    let (front, l) = (63, 118);
    let honest = columns_of(&text, front, l);
    let mut messages = honest.clone();
    let last = &mut messages[(front + 4) * ROWS + 40..][..16];
    last.iter_mut().enumerate().for_each(|(i, bit)| *bit = -((2923 >> i & 1) as i8));
    let rows = (0..16).map(|i| (40 + i, 1 << i)).collect();
    let columns = (1..5).map(|piece| (front as u64 + piece, 1)).collect();
    let fact = Fact::sum(rows, columns, 77).unwrap();

    let ranges = vec![RowRange { first_row: 0, rows: 1024, low: 0, high: 1 }];
    let ranges = Ranges::new(ranges).unwrap();
    let context = b"commit_file 2: pieces of 128 bytes";
    let seed = Seed::from_os().unwrap();
    let forger = Committer::new(messages, 1, 1, front as u64);
    let params = forger.statement.params();
    let prover = Prover::new(&forger.a, &forger.statement).unwrap();
    let slot = forger.space.range_slot(0).unwrap();
    let refused_ranges = prover.prove_ranges(context, slot, &ranges, &forger.witness(), &seed);
    assert!(matches!(refused_ranges, Err(Error::FalseFact)));
    let file = forger.fact_file(&fact, front as u64);
    std::fs::write(dir.join("f"), &file).expect("written");
    std::fs::write(dir.join("s"), &forger.file).expect("written");
    let plain = prover.prove(context, &forger.witness(), &seed).unwrap().proof.to_bytes(params);
    std::fs::write(dir.join("plain"), plain).expect("written");
    // The fact alone is proved.
    let verifier = Verifier::new(&forger.a, &forger.statement).unwrap();
    let (slot, v) = (forger.space.slot(0).unwrap(), params.v() as usize);
    verifier.verify_fact(b"commit_file 2: a fact", slot, &fact, &file[v..]).unwrap();

    // A proof of ranges of another statement, of bits.
    let other = Committer::new(honest, 1, 1, front as u64);
    let prover = Prover::new(&other.a, &other.statement).unwrap();
    let slot = other.space.range_slot(0).unwrap();
    let proved = prover.prove_ranges(context, slot, &ranges, &other.witness(), &seed).unwrap();
    let proof = proved.proof.to_bytes(other.statement.params());
    std::fs::write(dir.join("other"), proof).expect("written");

    let verify = ["verify", "--statement", "s", "--slot", "0", "--fact", "f"];
    let verify = [&verify[..], &["--sum", "5:2", "--value", "77"]].concat();
    let with = |proof: &[&str]| example("commit_file", &[&verify[..], proof].concat(), dir);
    assert!(refused(&with(&[])).contains("--sum needs --proof"));
    assert!(refused(&with(&["--proof", "plain"])).contains("f or plain: "));
    assert_eq!(code(&with(&["--proof", "other"])), 1);
    // A statement that no proof of bits can be had of.
    let none = Committer::new(columns_of(&text, 0, 5), 1, 0, 0);
    std::fs::write(dir.join("s"), &none.file).expect("written");
    assert!(refused(&with(&["--proof", "plain"])).contains("--exact"));
    let bytes = ["verify", "--statement", "s", "--slot", "0", "--fact", "f", "--bytes", "0:1"];
    let bytes = [&bytes[..], &["--text", "x", "--proof", "plain"]].concat();
    assert!(refused(&example("commit_file", &bytes, dir)).contains("--exact"));
}
