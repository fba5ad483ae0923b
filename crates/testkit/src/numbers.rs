//! Numbers for measurements and examples.

/// Numbers by splitmix64 from a seed: a measurement needs no secrets.
#[derive(Debug)]
pub struct Numbers(pub u64);

impl Numbers {
    /// A word.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number of full size: its top bit is set.
    pub fn full(&mut self, words: usize) -> Vec<u64> {
        let mut x: Vec<u64> = (0..words).map(|_| self.word()).collect();
        x[words - 1] |= 1 << 63;
        x
    }
}
