//! The convention of the emulated program and the plugin. The program includes this file.

/// A system call that no kernel has.
pub const NUMBER: i32 = 0x7a07;

/// Its first argument; the second one is the byte of a name, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Request {
    /// The next byte of the name of a routine.
    Name = 1,
    /// A call of it begins.
    Begin,
    /// It ends.
    End,
    /// All calls are done, and are to be compared.
    Compare,
}

/// The beginning of the names of what leaks on purpose.
pub const CONTROL: &str = "control";
