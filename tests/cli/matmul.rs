//! The product of `matmul` by its definition.

use crate::folder::Folder;

/// Reproducible bytes.
fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    (0..len).map(step).collect()
}

/// Little-endian words of `size` bytes, extended with zeros or their sign.
fn words(bytes: &[u8], size: usize, signed: bool) -> Vec<u64> {
    let extend = |chunk: &[u8]| {
        let fill = if signed && chunk[size - 1] >> 7 == 1 { 255 } else { 0 };
        let mut word = [fill; 8];
        word[..size].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    bytes.chunks_exact(size).map(extend).collect()
}

/// Z from the definition: X row after row, Y and Z column after column.
fn product(x: &[u64], y: &[u64], (m, k, n): (usize, usize, usize)) -> Vec<u64> {
    let entry = |j: usize, i: usize| {
        (0..k).fold(0_u64, |sum, t| sum.wrapping_add(x[i * k + t].wrapping_mul(y[j * k + t])))
    };
    (0..n).flat_map(|j| (0..m).map(move |i| (j, i))).map(|(j, i)| entry(j, i)).collect()
}

#[test]
fn files_are_multiplied_by_the_definition() {
    let dir = &Folder::new();
    let shape @ (m, k, n) = (5, 17, 3);
    for (w, size) in [("8", 1), ("16", 2), ("32", 4), ("64", 8)] {
        // Y as words, and as signed entries of 8 bits.
        for narrow in [false, true] {
            let y_size = if narrow { 1 } else { size };
            let (x, y) = (bytes(m * k * size, 1), bytes(k * n * y_size, 2));
            dir.write("x", &x);
            dir.write("y", &y);
            let bits = if narrow { "--y-bits 8" } else { "" };
            let files = "--x x --y y --z z --check";
            let answer = dir.json(format!("matmul --w {w} --m 5 --k 17 --n 3 {files} {bits}"));
            assert_eq!(answer["correct"], true, "{answer}");
            let z = dir.read("z");
            let want = product(&words(&x, size, false), &words(&y, y_size, narrow), shape);
            let want: Vec<u8> =
                want.iter().flat_map(|z| z.to_le_bytes()[..size].to_vec()).collect();
            assert_eq!(z, want, "w = {w}, narrow: {narrow}");
            assert_eq!(answer["z_blake3"], blake3::hash(&want).to_hex().as_str());
        }
    }
}
