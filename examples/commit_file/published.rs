//! A statement file as everybody reads it, and what openings show of it.

use std::path::Path;

use tautochrone_cli::{Common, Failure};
use tautochrone_zk::argument::Layout;
use tautochrone_zk::{
    Claim, Error, FileSource, PublicMatrix, Security, Shows, Statement, Verifier, WitnessSource,
};

use super::layout::{self, LENGTH, PIECE, ROWS, bits};
use super::pieces::CONTEXT;

pub(crate) struct Published {
    pub(crate) file: FileSource,
    pub(crate) statement: Statement,
    pub(crate) a: PublicMatrix,
    pub(crate) layout: Layout,
    /// What a proof that `commit` made shows: that all entries are bits, if there is a slot.
    pub(crate) shows: Shows,
}

impl Published {
    pub(crate) fn read(path: &Path, common: &Common) -> Result<Self, Failure> {
        let file = tautochrone_cli::open(path)?;
        let statement = Statement::read(&file, Security::Required);
        let statement = statement.map_err(|e| Failure::file(path, e))?;
        let params = statement.params();
        let layout = layout::of(params).map_err(|e| Failure::file(path, e))?;
        let a = PublicMatrix::new_on(common.isa(), params, *statement.seed_a());
        let shows = layout.slot(0).map_or(Shows::Knowledge, |slot| Shows::Claims(slot, bits()));
        Ok(Self { file, statement, a, layout, shows })
    }

    /// A proof that `commit` made.
    pub(crate) fn claim<'a>(&'a self, proof: &'a [u8]) -> Result<Claim<'a>, Error> {
        Ok(self.verifier()?.claim(CONTEXT.as_bytes(), &self.shows, proof))
    }

    pub(crate) fn verifier(&self) -> Result<Verifier<'_>, Error> {
        Ok(Verifier::new(&self.a, &self.statement)?.with_file(&self.file))
    }

    /// Bytes of the opening of a column.
    pub(crate) fn opening_len(&self) -> usize {
        self.statement.params().v() as usize
    }

    /// A column of T.
    fn column(&self, index: u64) -> Result<Vec<u64>, Error> {
        self.statement.column(&self.file, self.layout.closed().saturating_add(index))
    }

    /// The opening of a column: message, pads and randomness.
    ///
    /// It is checked before anything is published: under a wrong key the column opens nothing,
    /// shows the piece all the same, and its randomness may be what hides another commitment.
    pub(crate) fn open(&self, witness: &dyn WitnessSource, index: u64) -> Result<Vec<u8>, Error> {
        let column = self.layout.open(self.statement.params(), witness, index)?;
        if !self.a.opens(&self.column(index)?, &column) {
            return Err(Error::ForeignWitness);
        }
        Ok(column.iter().map(|s| s.cast_unsigned()).collect())
    }

    /// The bytes that a column is opened to, if it is, and to bits.
    pub(crate) fn opened(&self, index: u64, opening: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let column: Vec<i8> = opening.iter().map(|byte| byte.cast_signed()).collect();
        let t = self.column(index)?;
        let bits = &column[..ROWS as usize];
        if !self.a.opens(&t, &column) || !bits.iter().all(|bit| (0..=1).contains(bit)) {
            return Ok(None);
        }
        let byte = |bits: &[i8]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | bit as u8);
        Ok(Some(bits.chunks_exact(8).map(byte).collect()))
    }

    /// The length of the file that an opening shows, if it shows one: 64 bits and 0 behind them, of
    /// no more bytes than there are columns for.
    pub(crate) fn length(&self, opening: &[u8]) -> Result<Option<u64>, Error> {
        let bytes = self.opened(LENGTH, opening)?;
        Ok(bytes.and_then(|bytes| {
            let (length, rest) = bytes.split_first_chunk()?;
            let length = u64::from_le_bytes(*length);
            let fits = length.div_ceil(PIECE as u64) <= layout::pieces(&self.layout);
            (fits && rest.iter().all(|&byte| byte == 0)).then_some(length)
        }))
    }
}
