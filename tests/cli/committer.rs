//! The knowledge that proofs and openings of a committed file give to a guesser, and the gain of a
//! committer who does not follow `commit_file`.

use tautochrone_zk::argument::{
    Claims, Element, Fact, Layout, P, PaddedMessages, Ranges, RowRange,
};
use tautochrone_zk::uses::column_unchecked;
use tautochrone_zk::{Error, Prover, PublicMatrix, Security, Seed, Statement, Verifier};

use crate::folder::{Folder, SEED, code};

/// Rows of a message of `commit_file`: the bits of 128 bytes.
const ROWS: usize = 1024;

/// The contexts of its proofs.
const CONTEXT: &[u8] = b"commit_file 2: pieces of 128 bytes";
const FACTS: &[u8] = b"commit_file 2: a fact";

/// The messages that `commit_file` commits to, by docs/format.md: the length, the pieces, and
/// behind them nothing, in `columns` columns.
fn columns_of(text: &[u8], columns: usize) -> Vec<i8> {
    let mut bytes = vec![0; ROWS / 8 * columns];
    bytes[..8].copy_from_slice(&(text.len() as u64).to_le_bytes());
    bytes[ROWS / 8..][..text.len()].copy_from_slice(text);
    bytes.iter().flat_map(|byte| (0..8).map(move |i| (byte >> i & 1) as i8)).collect()
}

/// The claim that all entries are bits.
fn bits() -> Claims {
    let range = RowRange { first_row: 0, rows: ROWS as u32, low: 0, high: 1 };
    Ranges::new(vec![range]).expect("a range").into()
}

/// The columns of a statement: a slot for the bits, and others for facts.
fn layout(columns: u64, facts: usize) -> Layout {
    let fact = Claims::from(Fact::block(0, 0, 1, vec![0]).expect("a block"));
    let mut layout = Layout::new(ROWS as u32, columns);
    for claims in [&bits()].into_iter().chain(std::iter::repeat_n(&fact, facts)) {
        layout = layout.with_slot(claims).expect("a slot");
    }
    layout
}

/// A commitment to any messages, made by the library: its secret and its statement file.
struct Committer {
    a: PublicMatrix,
    layout: Layout,
    messages: Vec<i8>,
    key: Seed,
    file: Vec<u8>,
    statement: Statement,
}

impl Committer {
    fn new(messages: Vec<i8>, layout: Layout) -> Self {
        let params =
            layout.goal(1).optimise().and_then(|params| params.validate(Security::Required));
        let params = params.expect("parameters");
        let (a, key) = (PublicMatrix::new(&params, [1; 32]), Seed::from_os().expect("entropy"));
        let mut file = Vec::new();
        let witness = layout.witness(&a, &messages, &key).expect("messages");
        let statement = a.commit_and_hold(&witness, &mut file).expect("in memory");
        Self { a, layout, messages, key, file, statement }
    }

    /// The committed file of `s` and `k`.
    fn of_files(dir: &Folder, text: &[u8], facts: usize) -> Self {
        let file = dir.read("s");
        let statement = Statement::load(&file, Security::Required).expect("a statement");
        let params = statement.params();
        let columns = 1 + text.len().div_ceil(ROWS / 8);
        let layout = layout(columns as u64, facts);
        let a = PublicMatrix::new(params, *statement.seed_a());
        let text_of_key = dir.text("k");
        let mut key = [0; 32];
        hex::decode_to_slice(text_of_key.lines().next().expect("a line"), &mut key)
            .expect("digits");
        let key = tautochrone_cli::part(&Seed::from_bytes(key), "commit_file: randomness");
        Self { a, layout, messages: columns_of(text, columns), key, file, statement }
    }

    fn witness(&self) -> PaddedMessages<'_> {
        self.layout.witness(&self.a, &self.messages, &self.key).expect("messages")
    }

    /// A column of T, whether or not it may be opened.
    fn column(&self, index: u64) -> Vec<i8> {
        let column = column_unchecked(self.statement.params(), &self.witness(), index);
        column.expect("a column").iter().map(|&entry| entry as i8).collect()
    }

    /// A column of messages.
    fn data(&self, index: u64) -> Vec<i8> {
        self.column(self.layout.closed() + index)
    }

    /// A proof of claims in a slot.
    fn prove(&self, context: &[u8], slot: u32, claims: &Claims) -> Result<Vec<u8>, Error> {
        let slot = self.layout.slot(slot).expect("a slot");
        let prover = Prover::new(&self.a, &self.statement).expect("its A");
        let seed = Seed::from_os().expect("entropy");
        let proved = prover.prove_claims(context, &slot, claims, &self.witness(), &seed)?;
        Ok(proved.proof)
    }

    /// A proof of knowledge.
    fn prove_knowledge(&self) -> Vec<u8> {
        let prover = Prover::new(&self.a, &self.statement).expect("its A");
        let seed = Seed::from_os().expect("entropy");
        let proved = prover.prove(CONTEXT, &self.witness(), &seed).expect("a witness");
        proved.proof
    }

    /// The file that shows a fact, the length being said to be in a column.
    fn fact_file(&self, fact: &Fact, length: u64) -> Vec<u8> {
        let proof = self.prove(FACTS, 1, &fact.clone().into()).expect("a fact");
        [bytes_of(&self.data(length)), proof].concat()
    }
}

fn bytes_of(column: &[i8]) -> Vec<u8> {
    column.iter().map(|entry| entry.cast_unsigned()).collect()
}

/// The numbers that anybody computes from a proof: the chain of hashes of docs/format.md.
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

/// The part of a proof's file behind its claims, which bring no columns: elements, and more.
fn sent(proof: &[u8]) -> &[u8] {
    let len = u32::from_le_bytes(proof[56..60].try_into().expect("4 bytes"));
    &proof[64 + len as usize..]
}

/// The first elements of these bytes.
fn elements(bytes: &[u8], count: usize) -> Vec<Element> {
    let element =
        |bytes: &[u8]| Element::from_bytes(bytes.try_into().expect("24 bytes")).expect("reduced");
    bytes.chunks_exact(24).take(count).map(element).collect()
}

/// The element that entries are the digits of.
fn element(digits: &[i8]) -> Element {
    let mut bytes = [0; 24];
    for (digits, bytes) in digits[..81].chunks(27).zip(bytes.chunks_mut(8)) {
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

/// The messages of the ten rounds for the rows of bits, before they are masked: the messages of a
/// proof about these messages.
fn messages_of_rounds(messages: &[i8], proof: &[u8]) -> Vec<Element> {
    let (columns, one, zero) = (messages.len() / ROWS, Element::from(1), Element::from(0));
    let mut chain = Chain::new(proof);
    let rounds = 11 + columns.next_power_of_two().ilog2() as usize;
    let tau: Vec<Element> = (0..rounds).map(|_| chain.challenge(b"tau")).collect();
    let of_columns = eq_table(&tau[11..]);
    let mut table: Vec<Element> = messages.iter().map(|&bit| i64::from(bit).into()).collect();
    let (mut scale, mut unmasked) = (one, Vec::new());
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
        unmasked.extend([
            constant * sums[0],
            constant * sums[2] + linear * sums[1],
            linear * sums[2],
        ]);
        chain.absorb(b"round", &sent(proof)[72 * round..][..72]);
        let r = chain.challenge(b"r");
        scale = scale * (one - t + (t + t - one) * r);
        table = table.chunks(2).map(|pair| pair[0] + r * (pair[1] - pair[0])).collect();
    }
    unmasked
}

/// Who opens a column with masks of a sum-check shows sums over all columns, by which
/// guesses of closed pieces are told apart. No column that `commit_file` opens does.
#[test]
fn an_opening_beside_a_proof_of_bits_tells_no_guesses_apart() {
    let dir = &Folder::new();
    let ballot = |name: &str| {
        let vote = format!("{name}, says voter 17: {name}");
        let text = format!("{vote:<128}{:<100}", "public");
        text.into_bytes()
    };
    let (text, guess) = (ballot("Smith"), ballot("Jones"));
    dir.write("log", &text);
    dir.ok("commit_file commit --in log --statement s --key k --exact --proof p");
    dir.ok("commit_file open --in log --statement s --key k --piece 1 --out o");
    let (proof, opening) = (dir.read("p"), dir.read("o"));
    // 22 columns mask the last sum-check; 81 digits of each of 3 (11 + 2) + 1 masks are in 4 more.
    let owner = Committer::of_files(dir, &text, 0);
    assert_eq!((owner.layout.closed(), owner.statement.params().l()), (26, 29));
    let v = owner.statement.params().v() as usize;
    let opened: Vec<i8> = opening.iter().map(|byte| byte.cast_signed()).collect();
    assert!(opened[..v] == owner.data(0) && opened[v..] == owner.data(2));

    let masked = elements(sent(&proof), 30);
    let candidates = [&text, &guess].map(|text| messages_of_rounds(&columns_of(text, 3), &proof));
    let same = (0..30).filter(|&k| candidates[0][k] == candidates[1][k]).collect::<Vec<_>>();
    assert_eq!(same, [0], "all messages but the first tell guesses apart");
    let fits = |k: usize, digits: &[i8]| {
        candidates.each_ref().map(|unmasked| masked[k] - element(digits) == unmasked[k])
    };
    let masks: Vec<i8> = (22..26).flat_map(|j| owner.column(j)[..ROWS].to_vec()).collect();
    for k in 1..30 {
        for column in opened.chunks(v) {
            for pads in [&column[ROWS..], &column[ROWS + 81..]] {
                assert_eq!(fits(k, pads), [false; 2], "message {k}");
            }
        }
        // The control: this is what columns in front would show.
        assert_eq!(fits(k, &masks[81 * k..]), [true, false], "message {k}");
    }
}

/// The same of totals beside a proof of several facts.
#[test]
fn an_opening_beside_a_proof_of_sums_shows_no_other_total() {
    let dir = &Folder::new();
    let text: Vec<u8> = (0..300_u32).map(|i| (i * 7 % 251) as u8).collect();
    dir.write("log", &text);
    let files = "--in log --statement s --key k";
    dir.ok(format!("commit_file commit {files} --facts 1 --proof p"));
    dir.ok(format!("commit_file prove {files} --slot 0 --sum 5:2 --sum 9:2 --out f"));
    dir.ok(format!("commit_file open {files} --piece 0 --out o"));
    let owner = Committer::of_files(dir, &text, 1);
    // The record of the slot names the statement.
    let record = format!("sum 5:2, sum 9:2 of {:?}\n", owner.statement.digest(b""));
    assert_eq!(dir.text("k.slot0"), record);
    let v = owner.statement.params().v() as usize;
    let file = dir.read("f");
    let opening = dir.read("o");
    let (length, proof) = file.split_at(v);
    assert_eq!(length, &opening[..v]);

    // Message 0: the sums of the even bits of all numbers.
    let eta = Chain::new(proof).challenge(b"eta");
    let even = |at: usize| -> i64 {
        let number = |piece: &[u8]| i64::from(u16::from_le_bytes([piece[at], piece[at + 1]]));
        text.chunks(128).map(|piece| number(piece) & 0x5555).sum()
    };
    let total = Element::from(even(5)) + eta * Element::from(even(9));
    let masked = elements(sent(proof), 1)[0];
    for column in opening.chunks(v) {
        let column: Vec<i8> = column.iter().map(|byte| byte.cast_signed()).collect();
        for slot in 0..3 {
            assert_ne!(masked - element(&column[ROWS + 81 * slot..]), total);
        }
    }
    // Behind the block of the slot for bits.
    assert_eq!(masked - element(&owner.column(26)[ROWS..]), total, "the control");
}

/// Facts and openings of one commitment show one file: of one length, and nothing is behind
/// its end.
#[test]
fn facts_and_openings_do_not_contradict_each_other() {
    let dir = &Folder::new();
    let text = b"no.  paid: 1000000";
    let paid = &text[5..];
    let stated = paid.iter().flat_map(|byte| (0..8).map(move |i| i64::from(byte >> i & 1)));
    let fact = Fact::block(8 * 5, 1, 8 * paid.len() as u32, stated.collect()).unwrap();
    let verdicts = |messages: Vec<i8>, opened: u64| {
        let committer = Committer::new(messages, layout(3, 1));
        let proof = committer.prove(CONTEXT, 0, &bits());
        let columns = [opened, 1, 2].map(|index| bytes_of(&committer.data(index)));
        for (name, bytes) in [
            ("s", committer.file.clone()),
            ("p", proof.unwrap_or_else(|_| committer.prove_knowledge())),
            ("f", committer.fact_file(&fact, opened)),
            ("o0", [&columns[0][..], &columns[1]].concat()),
            ("o1", [&columns[0][..], &columns[2]].concat()),
        ] {
            dir.write(name, bytes);
        }
        [
            "verify --statement s --slot 0 --fact f --bytes 5:13 --text 'paid: 1000000'",
            "check --statement s --proof p --piece 0 --opening o0",
            "check --statement s --proof p --piece 1 --opening o1",
        ]
        .map(|line| {
            let output = dir.shell(format!("commit_file {line}"));
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            (code(&output), said)
        })
    };
    let honest = || columns_of(text, 3);
    let codes = |messages, opened| verdicts(messages, opened).map(|(code, _)| code);
    assert_eq!(codes(honest(), 0), [0, 0, 1], "there is no second piece");
    // A file of three bytes, and more behind its end.
    let mut short = honest();
    short[..ROWS].copy_from_slice(&columns_of(b"no.", 3)[..ROWS]);
    let [verified, checked, _] = verdicts(short, 0);
    assert_eq!((verified.0, checked.0), (1, 1));
    assert!(verified.1.contains("bytes 5:13: the file has 3 bytes"), "{}", verified.1);
    assert!(checked.1.contains("is not of a file of 3 bytes"), "{}", checked.1);
    // Wrong lengths: bits behind 64, no bits, more than there are columns for, a column of
    // bytes.
    let changed = |row: usize, entry: i8| {
        let mut messages = honest();
        messages[row] = entry;
        messages
    };
    for (messages, opened) in [(changed(64, 1), 0), (changed(40, 1), 0), (honest(), 1)] {
        assert_eq!(codes(messages, opened), [1, 1, 1]);
    }
    assert_eq!(codes(changed(7, -1), 0), [1, 2, 2], "no proof of bits");
    // No layout: too few columns behind the slots.
    dir.write("log", text);
    dir.write("k", format!("{SEED}\n{SEED}\n"));
    for (columns, expected) in [(2, "do not open"), (1, " columns; expected a length and pieces")] {
        let small = Committer::new(vec![0; columns * ROWS], layout(columns as u64, 1));
        dir.write("s", &small.file[..]);
        let open = "commit_file open --in log --statement s --key k --piece 0 --out o";
        dir.refuses(open, expected);
    }
}

/// Whoever commits to 0 and -1 where bits are expected proves any total. `verify` wants to see that
/// they are bits.
#[test]
fn a_sum_is_one_of_bits() {
    let dir = &Folder::new();
    // Three numbers 1000, and "bits" of -2923, which make the total 77.
    let mut text = vec![b'x'; 4 * 128];
    for piece in text.chunks_mut(128) {
        piece[5..7].copy_from_slice(&1000_u16.to_le_bytes());
    }
    let honest = columns_of(&text, 5);
    let mut messages = honest.clone();
    let last = &mut messages[4 * ROWS + 40..][..16];
    last.iter_mut().enumerate().for_each(|(i, bit)| *bit = -((2923 >> i & 1) as i8));
    let rows = (0..16).map(|i| (40 + i, 1 << i)).collect();
    let fact = Fact::sum(rows, (1..5).map(|piece| (piece, 1)).collect(), 77).unwrap();

    let forger = Committer::new(messages, layout(5, 1));
    assert!(matches!(forger.prove(CONTEXT, 0, &bits()), Err(Error::FalseFact)));
    let file = forger.fact_file(&fact, 0);
    // The fact alone is proved.
    let verifier = Verifier::new(&forger.a, &forger.statement).unwrap();
    let (slot, v) = (forger.layout.slot(1).unwrap(), forger.statement.params().v() as usize);
    verifier.verify_claims(FACTS, &slot, &fact.clone().into(), &file[v..]).unwrap();
    // And of another statement that its entries are bits.
    let other = Committer::new(honest, layout(5, 1));
    for (name, bytes) in [
        ("f", file),
        ("s", forger.file.clone()),
        ("plain", forger.prove_knowledge()),
        ("other", other.prove(CONTEXT, 0, &bits()).unwrap()),
    ] {
        dir.write(name, bytes);
    }

    let verify = "commit_file verify --statement s --slot 0 --fact f --sum 5:2 --value 77";
    dir.refuses(verify, "--sum needs --proof");
    dir.refuses(format!("{verify} --proof plain"), "plain: ");
    assert_eq!(dir.code(format!("{verify} --proof other")), 1);
    // Bits alone, and no facts.
    let none = Committer::new(columns_of(&text, 5), layout(5, 0));
    dir.write("s", &none.file);
    dir.refuses(format!("{verify} --proof plain"), "--facts");
}
