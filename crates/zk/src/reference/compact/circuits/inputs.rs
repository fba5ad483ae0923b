//! Circuits about values that were committed before: the statement with new columns as a file of
//! its own, which all else is about.

use super::super::*;
use super::{Claim, P};
use crate::reference::Answer;

/// The integer of least absolute value that is a residue, in eight digits.
fn digits(residue: i128, out: &mut [i128]) {
    let mut x = if residue > P / 2 { residue - P } else { residue };
    for digit in out {
        *digit = (x + 99).rem_euclid(199) - 99;
        x = (x - *digit) / 199;
    }
    assert_eq!(x, 0);
}

/// A statement file of the values, then new columns for `wires`, and S of both. `header` is that of
/// the statement with new columns.
pub(crate) fn extend(
    committed: &[u8],
    header: &[u8],
    s: &[i128],
    claim: &Claim,
    wires: &[i128],
) -> (Vec<u8>, Vec<i128>) {
    let (file, l) = (File::new(committed, None), File::new(header, None).l);
    let entries: Vec<u8> = s.iter().map(|&s| s as i8 as u8).collect();
    let hashes: Vec<Digest> = (0_u64..)
        .zip(entries.chunks(BLOCK * file.v))
        .map(|(i, block)| hash(file.suite, "S-block", &[&i.to_le_bytes(), block]))
        .collect();
    let s_digest = hash_list(file.suite, "witness", &[], &hashes, &[]);
    let of_claim = claim.start(&file).state;
    let values: Vec<u8> = wires.iter().flat_map(|&x| (x as u64).to_le_bytes()).collect();
    let fields = [s_digest.as_bytes(), of_claim.as_bytes(), &values];
    let key = hash(file.suite, "new wires", &fields);
    let rows = 8 * claim.elements + 72 * claim.slots;
    let new = l - claim.committed;
    // Randomness, block after block.
    let bound = (0..4).map(|i| number(&committed[160 + 24 * i..][..8])).nth(1).unwrap();
    let (bound, hiding) = ((bound >> 32) as i128, (bound & 0xffff_ffff) as usize);
    assert_eq!(rows + hiding, file.v);
    let mut random = Vec::new();
    for block in 0..new.div_ceil(BLOCK) {
        let count = hiding * BLOCK.min(new - block * BLOCK);
        let mut bytes = vec![0; 4 * count + 4096];
        let label = Label::new("tautochrone-zk/2 random witness, rows 2");
        file.stream(&key, true, label, block as u64).fill(&mut bytes);
        let range = 2 * bound + 1;
        let bytes = bytes.iter().map(|&byte| i128::from(byte));
        random.extend(
            bytes.filter(|x| *x < 256 / range * range).map(|x| x % range - bound).take(count),
        );
    }
    let mut all = s.to_vec();
    for (j, random) in random.chunks(hiding).enumerate() {
        let mut column = vec![0; rows];
        let (values, pads) = column.split_at_mut(8 * claim.elements);
        let wires = wires.iter().skip(j * claim.elements);
        for (&wire, out) in wires.zip(values.chunks_mut(8)) {
            digits(wire, out);
        }
        let mut bytes = vec![0; 24 * pads.len() / 8];
        file.stream(&key, true, Label::new("tautochrone-zk/2 circuit pads"), j as u64)
            .fill(&mut bytes);
        for (bytes, out) in bytes.chunks(24).zip(pads.chunks_mut(8)) {
            let residue = bytes.iter().rev().fold(0, |x, &byte| (256 * x + i128::from(byte)) % P);
            digits(residue, out);
        }
        all.extend(column);
        all.extend(random);
    }
    let columns = commit(header, None, &all[s.len()..]).split_off(256);
    ([header, &committed[256..], &columns].concat(), all)
}

/// The file that a reproducible prover writes.
pub(crate) fn prove(
    committed: &[u8],
    header: &[u8],
    s: &[i128],
    context: &[u8],
    claim: &Claim,
    wires: &[i128],
    seed: &[u8; 32],
) -> Vec<u8> {
    let (file, s) = extend(committed, header, s, claim, wires);
    super::prove(&file, &s, context, claim, seed)
}

/// The checks of docs/format.md.
pub(crate) fn verify(
    committed: &[u8],
    header: &[u8],
    context: &[u8],
    claim: &Claim,
    proof: &[u8],
) -> Answer {
    let with = |columns: &[u8]| [header, &committed[256..], columns].concat();
    let file = File::new(header, None);
    let size = file.column_bytes();
    let len = (file.l - claim.committed) * size;
    // Of a file that is malformed, or too short, no columns are needed to tell.
    let columns = proof.get(56..56 + len);
    let joined = with(columns.unwrap_or(&vec![0; len]));
    let answer = super::verify(&joined, context, claim, proof);
    let used = file.r * (file.w - file.dt) as usize % 8;
    let clean = |column: &[u8]| used == 0 || column[size - 1] >> used == 0;
    match answer {
        Answer::Valid if !columns.is_some_and(|columns| columns.chunks(size).all(clean)) => {
            Answer::Invalid
        }
        answer => answer,
    }
}
