//! Which bytes of memory and of registers depend on a secret.

use std::collections::HashMap;

use iced_x86::Register;

const PAGE: u64 = 4096;

/// A set of the bytes of a value of at most 64 bytes: bit i for byte i.
pub type Bytes = u64;

/// The set of all bytes of a value of `len` bytes.
pub fn all(len: usize) -> Bytes {
    if len >= 64 { u64::MAX } else { (1 << len) - 1 }
}

/// All bytes of a value of `len` bytes if any of `bytes` is in the set.
pub fn spread(bytes: Bytes, len: usize) -> Bytes {
    if bytes == 0 { 0 } else { all(len) }
}

/// All that is known of secrets.
#[derive(Default)]
pub struct Shadow {
    pub memory: Memory,
    pub registers: Registers,
}

/// Secret bytes of memory.
#[derive(Default)]
pub struct Memory {
    pages: HashMap<u64, Box<[u64; 64]>>,
}

impl Memory {
    /// Which of at most 64 bytes are secret.
    pub fn load(&self, address: u64, len: usize) -> Bytes {
        if self.pages.is_empty() {
            return 0;
        }
        let mut bytes = 0;
        let mut done = 0;
        while done < len {
            let at = address.wrapping_add(done as u64);
            let (word, shift) = (at % PAGE / 64, at % 64);
            if let Some(page) = self.pages.get(&(at / PAGE)) {
                bytes |= (page[word as usize] >> shift) << done;
            }
            done += (64 - shift) as usize;
        }
        bytes & all(len)
    }

    /// Says which of at most 64 bytes are secret.
    pub fn store(&mut self, address: u64, len: usize, bytes: Bytes) {
        let mut done = 0;
        while done < len {
            let at = address.wrapping_add(done as u64);
            let (word, shift) = (at % PAGE / 64, at % 64);
            let part = all((len - done).min((64 - shift) as usize)) << shift;
            let new = (bytes >> done) << shift & part;
            match self.pages.get_mut(&(at / PAGE)) {
                Some(page) => {
                    let word = &mut page[word as usize];
                    *word = *word & !part | new;
                }
                None if new != 0 => {
                    let mut page = Box::new([0; 64]);
                    page[word as usize] = new;
                    self.pages.insert(at / PAGE, page);
                }
                None => {}
            }
            done += (64 - shift) as usize;
        }
    }

    /// Says of any number of bytes whether they are secret.
    pub fn fill(&mut self, address: u64, len: u64, secret: bool) {
        let mut done = 0;
        while done < len {
            let part = (len - done).min(64) as usize;
            self.store(address + done, part, if secret { all(part) } else { 0 });
            done += part as u64;
        }
    }
}

/// Secret bytes of registers.
#[derive(Clone, Default)]
pub struct Registers {
    general: [u8; 16],
    vectors: [Bytes; 32],
    masks: [u8; 8],
    /// Rows of tiles.
    pub tiles: [[Bytes; 16]; 8],
    /// A set of iced's `RflagsBits`.
    pub flags: u32,
}

/// Where a register is.
enum Place {
    General { index: usize, shift: usize },
    Vector(usize),
    Mask(usize),
    Elsewhere,
}

fn place(register: Register) -> Place {
    if register.is_gpr() {
        let high = matches!(register, Register::AH | Register::BH | Register::CH | Register::DH);
        let index = register.full_register().number();
        Place::General { index, shift: usize::from(high) }
    } else if register.is_vector_register() {
        Place::Vector(register.number())
    } else if register.is_k() {
        Place::Mask(register.number())
    } else {
        Place::Elsewhere
    }
}

impl Registers {
    /// Which bytes of a register are secret.
    pub fn load(&self, register: Register) -> Bytes {
        let bytes = match place(register) {
            Place::General { index, shift } => Bytes::from(self.general[index] >> shift),
            Place::Vector(index) => self.vectors[index],
            Place::Mask(index) => self.masks[index].into(),
            Place::Elsewhere => 0,
        };
        bytes & all(register.size())
    }

    /// Says which bytes of a register are secret. What lies above them in a whole register becomes
    /// zero: always of general registers of 32 bits, of vectors if `zeroing`.
    pub fn store(&mut self, register: Register, bytes: Bytes, zeroing: bool) {
        let own = all(register.size());
        match place(register) {
            Place::General { index, shift } => {
                let own = if register.size() == 4 { 0xff } else { (own << shift) as u8 };
                let new = ((bytes & all(register.size())) << shift) as u8;
                self.general[index] = self.general[index] & !own | new;
            }
            Place::Vector(index) => {
                let keep = if zeroing { 0 } else { self.vectors[index] & !own };
                self.vectors[index] = keep | bytes & own;
            }
            Place::Mask(index) => self.masks[index] = bytes as u8,
            Place::Elsewhere => {}
        }
    }
}

impl Registers {
    /// `vzeroupper` leaves 16 bytes of the first 16 vectors.
    pub fn clear_upper(&mut self) {
        for vector in &mut self.vectors[..16] {
            *vector &= all(16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_remembers_bytes_across_words_and_pages() {
        let mut memory = Memory::default();
        memory.store(4094, 8, 0b1010_0110);
        assert_eq!(memory.load(4094, 8), 0b1010_0110);
        assert_eq!(memory.load(4096, 2), 0b01);
        memory.fill(4090, 300, true);
        assert_eq!(memory.load(4290, 64), u64::MAX);
        memory.store(4100, 64, 0);
        assert_eq!((memory.load(4099, 1), memory.load(4100, 64), memory.load(4164, 1)), (1, 0, 1));
    }

    #[test]
    fn parts_of_registers_overlap() {
        let mut registers = Registers::default();
        registers.store(Register::RAX, 0xff, false);
        registers.store(Register::AH, 0, false);
        assert_eq!(registers.load(Register::RAX), 0b1111_1101);
        registers.store(Register::EAX, 0b10, false);
        assert_eq!(registers.load(Register::RAX), 0b10);
        assert_eq!(registers.load(Register::AH), 1);
        registers.store(Register::ZMM3, u64::MAX, true);
        registers.store(Register::XMM3, 0, false);
        assert_eq!(registers.load(Register::ZMM3), u64::MAX << 16);
        registers.store(Register::YMM3, 1, true);
        assert_eq!(registers.load(Register::ZMM3), 1);
    }
}
