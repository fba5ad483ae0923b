//! AMX tiles in plain Rust: what a CPU without them is missing is executed here, and secrets
//! follow. Intel SDM volume 2: `LDTILECFG`, `TILELOADD`, `TDPBxxD`, `TILESTORED`.

use std::io;

use iced_x86::{Instruction, Mnemonic, Register};

use crate::process::Process;
use crate::registers::Registers;
use crate::shadow::Shadow;

const ROWS: usize = 16;

/// The tile registers, and their shapes.
pub struct Tiles {
    rows: [usize; 8],
    row_bytes: [usize; 8],
    data: [[[u8; 64]; ROWS]; 8],
}

impl Default for Tiles {
    fn default() -> Self {
        Self { rows: [0; 8], row_bytes: [0; 8], data: [[[0; 64]; ROWS]; 8] }
    }
}

impl Tiles {
    /// Executes an instruction of tiles.
    pub fn execute(
        &mut self,
        instruction: &Instruction,
        process: &Process,
        registers: &Registers,
        shadow: &mut Shadow,
    ) -> io::Result<()> {
        let tile = |operand: u32| instruction.op_register(operand).number();
        let value = |register: Register| {
            if register == Register::None { 0 } else { registers.get(register) }
        };
        let base =
            value(instruction.memory_base()).wrapping_add(instruction.memory_displacement64());
        let stride =
            value(instruction.memory_index()).wrapping_mul(instruction.memory_index_scale().into());
        match instruction.mnemonic() {
            Mnemonic::Ldtilecfg => {
                let mut bytes = [0; 64];
                process.read(base.wrapping_add(stride), &mut bytes)?;
                for i in 0..8 {
                    let width = u16::from_le_bytes([bytes[16 + 2 * i], bytes[17 + 2 * i]]);
                    self.row_bytes[i] = usize::from(width).min(64);
                    self.rows[i] = usize::from(bytes[48 + i]).min(ROWS);
                }
                self.data = [[[0; 64]; ROWS]; 8];
                shadow.registers.tiles = Default::default();
            }
            Mnemonic::Tilerelease => {
                *self = Self::default();
                shadow.registers.tiles = Default::default();
            }
            Mnemonic::Tilezero => {
                self.data[tile(0)] = [[0; 64]; ROWS];
                shadow.registers.tiles[tile(0)] = [0; ROWS];
            }
            Mnemonic::Tileloadd | Mnemonic::Tileloaddt1 => {
                let t = tile(0);
                for row in 0..self.rows[t] {
                    let from = base.wrapping_add(stride.wrapping_mul(row as u64));
                    process.read(from, &mut self.data[t][row][..self.row_bytes[t]])?;
                    shadow.registers.tiles[t][row] = shadow.memory.load(from, self.row_bytes[t]);
                }
            }
            Mnemonic::Tilestored => {
                let t = tile(1);
                for row in 0..self.rows[t] {
                    let to = base.wrapping_add(stride.wrapping_mul(row as u64));
                    process.write(to, &self.data[t][row][..self.row_bytes[t]])?;
                    shadow.memory.store(to, self.row_bytes[t], shadow.registers.tiles[t][row]);
                }
            }
            Mnemonic::Tdpbssd | Mnemonic::Tdpbsud | Mnemonic::Tdpbusd | Mnemonic::Tdpbuud => {
                let signs = match instruction.mnemonic() {
                    Mnemonic::Tdpbssd => [true, true],
                    Mnemonic::Tdpbsud => [true, false],
                    Mnemonic::Tdpbusd => [false, true],
                    _ => [false, false],
                };
                self.multiply([tile(0), tile(1), tile(2)], signs, shadow);
            }
            _ => return Err(io::Error::other(format!("not known here: {instruction}"))),
        }
        Ok(())
    }

    /// `c[m][n] += sum over k, i of a[m][4 k + i] b[k][4 n + i]`.
    fn multiply(&mut self, [c, a, b]: [usize; 3], signs: [bool; 2], shadow: &mut Shadow) {
        let digit = |byte: u8, signed| if signed { i32::from(byte as i8) } else { i32::from(byte) };
        for m in 0..self.rows[c] {
            for n in 0..self.row_bytes[c] / 4 {
                let at = &self.data[c][m][4 * n..][..4];
                let mut sum = i32::from_le_bytes(at.try_into().expect("four bytes"));
                let mut secret = shadow.registers.tiles[c][m] >> (4 * n) & 0xf;
                for k in 0..self.row_bytes[a] / 4 {
                    for i in 0..4 {
                        let x = digit(self.data[a][m][4 * k + i], signs[0]);
                        sum = sum.wrapping_add(x * digit(self.data[b][k][4 * n + i], signs[1]));
                    }
                    secret |= shadow.registers.tiles[a][m] >> (4 * k) & 0xf;
                    secret |= shadow.registers.tiles[b][k] >> (4 * n) & 0xf;
                }
                self.data[c][m][4 * n..][..4].copy_from_slice(&sum.to_le_bytes());
                let lane = 0xf << (4 * n);
                let row = &mut shadow.registers.tiles[c][m];
                *row = if secret == 0 { *row & !lane } else { *row | lane };
            }
        }
    }
}
