//! Errors of files.

use super::parameter::ParameterError;

/// An error of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformation {
    /// Shorter than its fixed part.
    #[error("file has {got} bytes, too short for its header of {header}")]
    TooShort {
        /// Bytes present.
        got: u64,
        /// Bytes of the header.
        header: u64,
    },
    /// The first eight bytes are not the expected ones.
    #[error("not a file of this kind (its first eight bytes differ)")]
    Magic,
    /// The first eight bytes name another kind of file.
    #[error("this file is {found}")]
    OtherKind {
        /// The kind that it has.
        found: &'static str,
    },
    /// Another format version.
    #[error("format version {got}; this program reads version {known}")]
    Version {
        /// Version in the file.
        got: u16,
        /// The newest version understood.
        known: u16,
    },
    /// The length of the file is not what its header implies.
    #[error("file has {got} bytes; its header implies {expected} (truncated or extended?)")]
    Length {
        /// Bytes present.
        got: u64,
        /// Bytes implied.
        expected: u128,
    },
    /// Longer than any proof of its statement.
    #[error("file has more than {most} bytes, the most that a proof of this statement can have")]
    TooLong {
        /// Bytes of the longest.
        most: u64,
    },
    /// A block of T is not the one that was read before.
    #[error("block {0} of T has changed since the statement was read")]
    Block(u64),
    /// A column of T ends in bits that belong to no word and are not zero.
    #[error("a column in block {0} of T has padding bits that are not zero")]
    Padding(u64),
    /// A circuit file with more sections than one has a use for.
    #[error("file has {got} sections; expected at most {most}")]
    Sections {
        /// Sections that the file says it has.
        got: u32,
        /// The most that are read.
        most: u32,
    },
    /// A number of a circuit file is no element of the field.
    #[error("{what} {index} is not below 2^61 - 1")]
    Element {
        /// The name of the number.
        what: &'static str,
        /// Which constraint it is in, or which wire it is the value of.
        index: u32,
    },
    /// A section of a circuit file is missing, or there twice, or not as long as it says.
    #[error("section {0} is missing, or there twice, or has another length than its content")]
    Section(u32),
    /// A header field has a value that no version defines.
    #[error("header field {0} has an undefined value")]
    Field(&'static str),
    /// A parameter in the header lies outside the range in which the protocol is defined.
    #[error("header parameter {0}")]
    Parameter(#[from] ParameterError),
}
