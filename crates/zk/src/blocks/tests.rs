use super::*;
use crate::cases::{self, Case};
use crate::io;

/// A file of which nothing lies in memory, or so many bytes less than were asked for.
struct File<'a>(&'a [u8], Option<usize>);

impl ReadAt for File<'_> {
    fn len(&self) -> u64 {
        ReadAt::len(self.0)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(offset, buffer)
    }

    fn in_memory(&self, offset: u64, len: usize) -> Option<&[u8]> {
        self.1.and_then(|less| self.0.in_memory(offset, len - less))
    }
}

/// In memory, on a disk, and in memory by mistake in parts.
fn files(bytes: &[u8]) -> [File<'_>; 3] {
    [Some(0), None, Some(1)].map(|less| File(bytes, less))
}

/// The index of the block that differs.
fn differs<T: core::fmt::Debug>(result: Result<T, Error>) -> u64 {
    match result.unwrap_err() {
        Error::Malformed { what: "statement", problem: Malformation::Block(index) } => index,
        other => panic!("{other:?}"),
    }
}

/// Wherever the bytes of blocks lie, they are the file's, in any order of a long block and
/// of a short one, which leaves its buffer to the next; and a block that was altered is named.
#[test]
fn blocks_are_those_of_the_file() {
    for custom in cases::long() {
        let mut case = Case::new(custom, 4, 4);
        let (params, hashes) = (&case.params, case.statement.block_hashes());
        let last = params.blocks() - 1;
        let r = params.r() as usize;
        let mut columns = vec![0_u64; r * params.l() as usize];
        for file in files(&case.file) {
            let blocks = Blocks::new(&file, params);
            for index in [0, last, 1, last, 0] {
                let start = block_offset(params, index) as usize;
                let expected = &case.file[start..][..block_bytes(params, index)];
                let same = blocks.read(index, |bytes| bytes == expected);
                assert!(same.unwrap());
                let hash = &hashes[index as usize];
                assert_eq!(blocks.read_checked(index, hash, <[u8]>::to_vec).unwrap(), expected);
                let other = &hashes[usize::from(index == 0)];
                assert_eq!(differs(blocks.read_checked(index, other, |_| ())), index);
            }
            blocks.read_words(0, hashes, &mut columns).unwrap();
            for (column, words) in (0..).zip(columns.chunks_exact(r)) {
                let words: Vec<u64> = words.iter().map(|word| word << params.round_t()).collect();
                if column % 97 == 0 {
                    assert_eq!(case.statement.column(&case.file, column).unwrap(), words);
                }
            }
        }
        for file in files(&case.file[..case.file.len() - 1]) {
            let read = Blocks::new(&file, params).read(last, |_| ());
            assert!(matches!(read, Err(Error::Io { .. })));
        }
        let at = |index| block_offset(&case.params, index) as usize;
        for index in [last, 2, 1] {
            case.file[at(index)] ^= 1;
            for file in files(&case.file) {
                let blocks = Blocks::new(&file, &case.params);
                assert_eq!(
                    differs(blocks.read_words(0, case.statement.block_hashes(), &mut columns)),
                    index
                );
            }
        }
    }
}
