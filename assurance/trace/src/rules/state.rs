//! Registers and memory, of which some bytes are secret.

use iced_x86::{Register, RflagsBits};

use crate::shadow::{Bytes, Shadow, all};

/// Bytes of memory, in the middle of which operands are.
pub const MEMORY: usize = 512;
/// Flags of iced's, and their places in `eflags`.
pub const FLAGS: [(u32, u32); 6] = [
    (RflagsBits::CF, 0),
    (RflagsBits::PF, 2),
    (RflagsBits::AF, 4),
    (RflagsBits::ZF, 6),
    (RflagsBits::SF, 7),
    (RflagsBits::OF, 11),
];

/// SplitMix64 (Steele, Lea, Flood 2014): the same trials every time. `testkit` has it too, with
/// what the tracer has no use for.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Bytes of which runs are equal, zero or ones more often than by chance.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = match self.next() % 6 {
                0 => 0,
                1 => u64::MAX,
                2 => self.next() & 0x3f,
                _ => self.next(),
            };
            chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
        }
    }

    /// Which of up to 64 bytes are secret: none, all, or some.
    pub fn secrets(&mut self, len: usize) -> Bytes {
        let some = match self.next() % 3 {
            0 => 0,
            1 => u64::MAX,
            _ => self.next(),
        };
        some & all(len)
    }
}

/// Registers and memory before or after an instruction.
#[derive(Clone)]
pub struct State {
    pub general: [[u8; 8]; 16],
    pub vectors: [[u8; 64]; 32],
    pub masks: [[u8; 8]; 8],
    pub memory: [u8; MEMORY],
    pub eflags: u64,
    /// The address of the next instruction.
    pub next: u64,
}

/// The sixteen general registers.
pub fn general() -> impl Iterator<Item = Register> {
    (0..16).map(|i| Register::RAX + i)
}

impl State {
    /// Every register and the memory, by chance.
    pub fn random(random: &mut Random) -> Self {
        let mut state = Self {
            general: [[0; 8]; 16],
            vectors: [[0; 64]; 32],
            masks: [[0; 8]; 8],
            memory: [0; MEMORY],
            eflags: 0x202,
            next: 0,
        };
        for bytes in state.parts() {
            random.fill(bytes);
        }
        for (_, bit) in FLAGS {
            state.eflags |= (random.next() & 1) << bit;
        }
        state
    }

    /// Everything but flags.
    fn parts(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let general = self.general.iter_mut().map(|bytes| &mut bytes[..]);
        let vectors = self.vectors.iter_mut().map(|bytes| &mut bytes[..]);
        let masks = self.masks.iter_mut().map(|bytes| &mut bytes[..]);
        general.chain(vectors).chain(masks).chain(self.memory.chunks_mut(64))
    }

    /// Changes the secret bytes.
    pub fn vary(&mut self, shadow: &Shadow, memory: u64, random: &mut Random) {
        for (secret, bytes) in secrets(shadow, memory).into_iter().zip(self.parts()) {
            let mut other = [0; 64];
            random.fill(&mut other[..bytes.len()]);
            for (i, byte) in bytes.iter_mut().enumerate().filter(|(i, _)| secret >> i & 1 == 1) {
                *byte = other[i];
            }
        }
        for (flag, bit) in FLAGS {
            if shadow.registers.flags & flag != 0 {
                self.eflags ^= (random.next() & 1) << bit;
            }
        }
    }

    /// Differences from another state that are not secret.
    pub fn compare(&mut self, other: &mut Self, shadow: &Shadow, memory: u64) -> Vec<String> {
        let names = general()
            .map(|register| format!("{register:?}"))
            .chain((0..32).map(|i| format!("ZMM{i}")))
            .chain((0..8).map(|i| format!("K{i}")))
            .chain((0..MEMORY / 64).map(|i| format!("memory {i}")));
        let flags = self.eflags ^ other.eflags;
        let mut found = Vec::new();
        if self.next != other.next {
            found.push("the next instruction".into());
        }
        let known = secrets(shadow, memory);
        for (((name, known), a), b) in names.zip(known).zip(self.parts()).zip(other.parts()) {
            let differs: Bytes =
                a.iter().zip(b.iter()).enumerate().map(|(i, (a, b))| u64::from(a != b) << i).sum();
            if differs & !known != 0 {
                found.push(format!("{name} bytes {:#x}", differs & !known));
            }
        }
        for (flag, bit) in FLAGS {
            if flags >> bit & 1 == 1 && shadow.registers.flags & flag == 0 {
                found.push(format!("flag {bit}"));
            }
        }
        found
    }
}

/// Which bytes of each of [`State::parts`] are secret.
fn secrets(shadow: &Shadow, memory: u64) -> Vec<Bytes> {
    let general = general().map(|register| shadow.registers.load(register));
    let vectors = (0..32).map(|i| shadow.registers.load(Register::ZMM0 + i));
    let masks = (0..8).map(|i| shadow.registers.load(Register::K0 + i));
    let chunks = (0..MEMORY as u64 / 64).map(|i| shadow.memory.load(memory + 64 * i, 64));
    general.chain(vectors).chain(masks).chain(chunks).collect()
}
