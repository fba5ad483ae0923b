//! Valgrind's client requests, as far as constant-time checks use them, and ours.

use std::io;

use iced_x86::Register;

use crate::process::Process;
use crate::registers::Registers;
use crate::shadow::Shadow;

const RUNNING_ON_VALGRIND: u64 = 0x1001;
const COUNT_ERRORS: u64 = 0x1201;
const MAKE_MEM_UNDEFINED: u64 = 0x4d43_0001;
const MAKE_MEM_DEFINED: u64 = 0x4d43_0002;
const GET_VBITS: u64 = 0x4d43_0008;
/// Nothing is followed from here on.
const END: u64 = 0x5452_0001;

/// Answers a request: `rax` points to its code and arguments, and `rdx` takes the answer. False if
/// the program is to be followed no longer.
pub fn answer(
    process: &Process,
    registers: &mut Registers,
    shadow: &mut Shadow,
    errors: u64,
) -> io::Result<bool> {
    let mut bytes = [0; 48];
    process.read(registers.0.rax, &mut bytes)?;
    let word = |i: usize| u64::from_le_bytes(bytes[8 * i..][..8].try_into().expect("eight bytes"));
    let (code, address, len) = (word(0), word(1), word(2));
    registers.0.rdx = match code {
        RUNNING_ON_VALGRIND => 1,
        COUNT_ERRORS => errors,
        MAKE_MEM_UNDEFINED | MAKE_MEM_DEFINED => {
            shadow.memory.fill(address, len, code == MAKE_MEM_UNDEFINED);
            0
        }
        GET_VBITS => {
            let (to, len) = (word(2), word(3));
            let secret =
                (0..len).map(|i| if shadow.memory.load(address + i, 1) == 0 { 0 } else { 0xff });
            process.write(to, &secret.collect::<Vec<u8>>())?;
            shadow.memory.fill(to, len, false);
            1
        }
        _ => 0,
    };
    shadow.registers.store(Register::RDX, 0, false);
    Ok(code != END)
}
