//! [`Stream`]: AES in counter mode with a 128-bit big-endian counter (NIST SP 800-38A, section
//! 6.5).

use core::convert::Infallible;

use rand_core::{TryCryptoRng, TryRng};
use tautochrone_simd::Isa;
use zeroize::Zeroize;

use crate::engine::Engine;
#[cfg(target_arch = "x86_64")]
use crate::engine::Interleave;
use crate::sizes::{BLOCK, KeySize};

/// An AES-CTR keystream: block j is AES(key, start + j mod 2^128), counters big-endian.
///
/// Owned and not `Clone`; key, counter and buffered output are erased when it is dropped.
///
/// ```
/// use tautochrone_ctr::{Label, Seed};
///
/// let mut stream = Seed::from_bytes([7; 32]).stream(Label::new("my masks"), 0);
/// let (mut all, mut block) = ([0; 48], [0; 16]);
/// stream.fill(&mut all);
/// stream.seek_block(2);
/// stream.fill(&mut block);
/// assert_eq!(all[32..], block);
/// ```
pub struct Stream {
    isa: Isa,
    engine: Engine,
    /// Counter of block 0.
    start: u128,
    /// Index of the next block to be generated.
    next: u128,
    /// The last block generated for a request that did not end on a block boundary.
    tail: [u8; BLOCK],
    /// Bytes of `tail` already delivered; `BLOCK` when none are left.
    used: usize,
}

impl Stream {
    /// The keystream of an explicit key and first counter. Prefer
    /// [`Seed::stream`](crate::Seed::stream).
    ///
    /// # Panics
    /// If `key` is not of the given size.
    #[must_use]
    pub fn new_on(isa: Isa, key_size: KeySize, key: &[u8], start: u128) -> Self {
        let engine = Engine::new(isa, key_size, key);
        Self { isa, engine, start, next: 0, tail: [0; BLOCK], used: BLOCK }
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.isa
    }

    /// Fills `out` with the next bytes of the stream.
    pub fn fill(&mut self, out: &mut [u8]) {
        let (head, rest) = out.split_at_mut(out.len().min(BLOCK - self.used));
        head.copy_from_slice(&self.tail[self.used..self.used + head.len()]);
        self.used += head.len();

        let (blocks, last) = rest.as_chunks_mut::<BLOCK>();
        if !blocks.is_empty() {
            self.generate(blocks);
        }
        if !last.is_empty() {
            let mut tail = [[0; BLOCK]];
            self.generate(&mut tail);
            [self.tail] = tail;
            last.copy_from_slice(&self.tail[..last.len()]);
            self.used = last.len();
        }
    }

    /// Fills `out` with words: as [`Self::fill`], little-endian.
    pub fn fill_u64(&mut self, out: &mut [u64]) {
        self.fill(bytemuck::cast_slice_mut(out));
        for word in out {
            *word = u64::from_le(*word);
        }
    }

    /// The next 64 `count` bytes in registers, past which the stream moves. None, and the stream
    /// stays where it is, if it is not on AVX-512 with VAES, stands within a block, or the low half
    /// of the counter wraps on the way.
    #[cfg(target_arch = "x86_64")]
    pub fn registers(&mut self, count: usize) -> Option<Interleave<'_>> {
        if self.used < BLOCK {
            return None;
        }
        let first = self.start.wrapping_add(self.next);
        let registers = self.engine.registers(first, count)?;
        self.next = self.next.wrapping_add(4 * count as u128);
        Some(registers)
    }

    /// Bytes delivered since block 0, modulo 2^128.
    #[must_use]
    pub fn position(&self) -> u128 {
        (self.next.wrapping_mul(BLOCK as u128)).wrapping_sub((BLOCK - self.used) as u128)
    }

    /// Index of the next block; `None` within one.
    #[must_use]
    pub const fn block(&self) -> Option<u128> {
        if self.used == BLOCK { Some(self.next) } else { None }
    }

    /// Moves to byte 16 `block` of the stream.
    pub fn seek_block(&mut self, block: u128) {
        self.next = block;
        self.tail.zeroize();
        self.used = BLOCK;
    }

    /// The next blocks, counters with their full 128-bit carry.
    fn generate(&mut self, blocks: &mut [[u8; BLOCK]]) {
        let first = self.start.wrapping_add(self.next);
        self.engine.run(first, blocks);
        self.next = self.next.wrapping_add(blocks.len() as u128);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // The engine erases its round keys itself.
        self.start.zeroize();
        self.tail.zeroize();
    }
}

impl core::fmt::Debug for Stream {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Stream").field("position", &self.position()).finish_non_exhaustive()
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.fill(out);
        Ok(())
    }
}

impl TryCryptoRng for Stream {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{Label, Seed};
    use proptest::prelude::*;

    /// NIST SP 800-38A, F.5.1 and F.5.5: keystreams are plaintext xor ciphertext. And the last two
    /// of 1000 blocks that OpenSSL 3.0.19 gives (`openssl enc -aes-128-ctr`, and 256, of zeros): a
    /// carry into the upper half is on the way.
    #[test]
    fn known_answers() {
        let aes_128 = (KeySize::Aes128, "2b7e151628aed2a6abf7158809cf4f3c");
        let aes_256 =
            (KeySize::Aes256, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
        let (nist, openssl) = (
            (0xf0f1_f2f3_f4f5_f6f7_f8f9_fafb_fcfd_feff, 0),
            (0xf0f1_f2f3_f4f5_f6f7_ffff_ffff_ffff_fe00, 15_968),
        );
        for ((size, key), (counter, skipped), output) in [
            (
                aes_128,
                nist,
                "ec8cdf7398607cb0f2d21675ea9ea1e4362b7c3c6773516318a077d7fc5073ae\
                 6a2cc3787889374fbeb4c81b17ba6c44e89c399ff0f198c6d40a31db156cabfe",
            ),
            (
                aes_256,
                nist,
                "0bdf7df1591716335e9a8b15c860c5025a6e699d536119065433863c8f657b94\
                 1bc12c9c01610d5d0d8bd6a3378eca622956e1c8693536b1bee99c73a31576b6",
            ),
            (aes_128, openssl, "8e5dd3369d8aa0260f79b573eddc356706718e27bc1cb90d8eab9f958133ef7b"),
            (aes_256, openssl, "5dc36eb32594ab3092df35c59e0b624a13a9552bae1cf003397600d5ac40cb98"),
        ] {
            let key = hex::decode(key).unwrap();
            for isa in Isa::all() {
                let mut got = vec![0; skipped + output.len() / 2];
                Stream::new_on(isa, size, &key, counter).fill(&mut got);
                assert_eq!(hex::encode(&got[skipped..]), output, "{size:?} {counter:#x} {isa}");
            }
        }
    }

    fn stream(start: u128) -> Stream {
        Stream::new_on(Isa::detect(), KeySize::Aes128, &[9; 16], start)
    }

    proptest! {
        #[test]
        fn pieces_make_the_whole(cuts in prop::collection::vec(0_usize..5000, 1..20), start: u128) {
            let total: usize = cuts.iter().sum();
            let mut whole = vec![0; total];
            stream(start).fill(&mut whole);
            let mut pieces = stream(start);
            let mut at = 0;
            for len in cuts {
                let mut piece = vec![0; len];
                pieces.fill(&mut piece);
                prop_assert_eq!(&piece, &whole[at..at + len]);
                at += len;
                prop_assert_eq!(pieces.position(), at as u128);
            }
        }

        #[test]
        fn seeking_reads_the_same_bytes(at in 0_usize..200, ahead in 0_usize..40) {
            let mut whole = vec![0; 16 * 240];
            let mut s = stream(u128::MAX - 100);
            s.fill(&mut whole);
            s.fill(&mut vec![0; ahead]);
            s.seek_block(at as u128);
            let mut piece = vec![0; 16 * 40];
            s.fill(&mut piece);
            prop_assert_eq!(&piece[..], &whole[16 * at..16 * (at + 40)]);
        }
    }

    /// Registers are whole blocks: within one, they would give out again what `fill` has delivered,
    /// or skip what it has not.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn no_registers_within_a_block() {
        if stream(0).registers(1).is_none() {
            return; // no instruction set of this machine has them
        }
        for read in 1..64 {
            let mut s = stream(0);
            s.fill(&mut vec![0; read]);
            assert_eq!(s.registers(1).is_some(), read % BLOCK == 0, "after {read} bytes");
            let want = if read % BLOCK == 0 { read + 64 } else { read };
            assert_eq!(s.position(), want as u128, "after {read} bytes");
        }
    }

    /// The bytes that a kernel asks for, in pieces of any size, are the stream's own: for
    /// both sizes of key, and no more than was announced.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn registers_asked_for_are_the_keystream() {
        let isa = Isa::detect();
        for size in [KeySize::Aes128, KeySize::Aes256] {
            let key = &[9; 32][..size.bytes()];
            let start = 7 << 64 | 0xffff;
            let mut want = [[0; 64]; 12];
            Stream::new_on(isa, size, key, start).fill(want.as_flattened_mut());
            let mut s = Stream::new_on(isa, size, key, start);
            let Some(mut registers) = s.registers(11) else { return };
            let mut got: Vec<[u8; 64]> = Vec::new();
            // SAFETY: there are registers, so the features were detected; any bytes are an array.
            #[allow(unsafe_code)]
            unsafe {
                let put = |register: &core::arch::x86_64::__m512i| -> [u8; 64] {
                    core::mem::transmute(*register)
                };
                got.extend(registers.draw::<1>().iter().flatten().map(put));
                got.extend(registers.draw::<4>().iter().flatten().map(put));
                got.extend(registers.draw::<4>().iter().flatten().map(put));
                assert!(registers.draw::<4>().is_none(), "three are left, then two, then one");
                assert!(registers.draw::<3>().is_none());
                got.extend(registers.draw::<2>().iter().flatten().map(put));
                assert!(registers.draw::<1>().is_none());
            }
            assert_eq!(got, want[..11], "{size:?}");
            assert_eq!(s.block(), Some(44));
            let mut next = [0; 65];
            s.fill(&mut next);
            assert_eq!(next[..64], want[11], "{size:?}");
            assert_eq!(s.block(), None);
        }
    }

    /// Vector counters have 64 bits: where they would wrap, registers are refused and the stream
    /// stays.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn no_registers_across_a_wrap_of_the_counter() {
        if stream(0).registers(1).is_none() {
            return;
        }
        for high in [0, 1 << 64, u128::MAX << 64] {
            let mut s = stream(high | u128::from(u64::MAX - 7));
            assert!(s.registers(3).is_none(), "twelve blocks where eight are left");
            assert_eq!(s.position(), 0);
            assert!(s.registers(2).is_some(), "eight blocks, the last ones");
            assert_eq!(s.position(), 128);
        }
    }

    #[test]
    fn words_are_little_endian() {
        let (mut words, mut bytes) = (vec![0; 1000], vec![0; 8000]);
        stream(5).fill_u64(&mut words);
        stream(5).fill(&mut bytes);
        for (word, bytes) in words.iter().zip(bytes.chunks_exact(8)) {
            assert_eq!(word.to_le_bytes(), bytes);
        }
    }

    /// Written out as [`Seed::stream`] has it.
    #[test]
    fn keys_and_counters_are_those_of_the_documentation() {
        for (size, label, index) in [
            (KeySize::Aes128, "a", 7_u64),
            (KeySize::Aes256, "a", 7),
            (KeySize::Aes256, "", 5 << 40),
        ] {
            let mut input = (label.len() as u64).to_le_bytes().to_vec();
            input.extend(label.as_bytes());
            input.push(size.bytes() as u8);
            input.extend(index.to_le_bytes());
            input.extend([3; 32]);
            let mut output = [0; 48];
            let mut hasher = blake3::Hasher::new_derive_key("tautochrone-ctr/1 stream");
            hasher.update(&input).finalize_xof().fill(&mut output);
            let counter = u128::from_be_bytes(output[32..].try_into().unwrap());
            let (mut want, mut got) = ([0; 40], [0; 40]);
            let isa = Isa::detect();
            Stream::new_on(isa, size, &output[..size.bytes()], counter).fill(&mut want);
            let seed = Seed::from_bytes([3; 32]);
            seed.stream_with(isa, size, Label::new(label), index).fill(&mut got);
            assert_eq!(got, want, "{size:?} {label:?} {index}");
        }
    }

    /// Two indices that agree in their low half, or differ in any single bit, must not share a key:
    /// one keystream for two columns of Y would give their difference away.
    #[test]
    fn every_bit_of_an_index_counts() {
        let seed = Seed::from_bytes([1; 32]);
        let mut indices = vec![0, u64::MAX, u64::from(u32::MAX)];
        indices.extend((0..64).map(|bit| 1 << bit));
        let mut starts: Vec<[u8; 32]> = indices
            .iter()
            .map(|&index| {
                let mut bytes = [0; 32];
                seed.stream(Label::new("a"), index).fill(&mut bytes);
                bytes
            })
            .collect();
        starts.sort_unstable();
        starts.dedup();
        assert_eq!(starts.len(), indices.len(), "two indices share a stream");
    }

    #[test]
    fn nothing_secret_is_printed() {
        let seed = Seed::from_bytes([0x5a; 32]);
        assert_eq!(format!("{seed:?}"), "Seed([REDACTED])");
        assert_eq!(format!("{:?}", seed.stream(Label::new("a"), 0)), "Stream { position: 0, .. }");
    }

    #[cfg(feature = "os-rng")]
    #[test]
    fn entropy_differs_from_call_to_call() {
        let (a, b) = (Seed::from_os().unwrap(), Seed::from_os().unwrap());
        assert_ne!(a.expose(), b.expose());
    }

    #[cfg(not(feature = "os-rng"))]
    #[test]
    fn no_entropy_is_an_error() {
        assert_eq!(Seed::from_os().unwrap_err(), crate::Error::NoSource);
    }
}
