//! [`Source`]: files of JavaScript, read at any offset.

use core::cell::RefCell;
use core::fmt;
use std::collections::BTreeMap;
use std::io;

use tautochrone_zk::ReadAt;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** A statement file, read synchronously: see `sources.js` for files and bytes. */
export interface Source {
    /** Its length in bytes. */
    readonly size: number;
    /** Fills `buffer` from `offset` on, or throws. `buffer` must not be kept. */
    read(offset: number, buffer: Uint8Array): void;
}
";

#[wasm_bindgen]
extern "C" {
    /// An object with the methods of the interface above.
    #[wasm_bindgen(typescript_type = "Source")]
    #[derive(Clone)]
    pub type Source;

    #[wasm_bindgen(method, getter)]
    fn size(this: &Source) -> f64;

    #[wasm_bindgen(method, catch)]
    fn read(this: &Source, offset: f64, buffer: &mut [u8]) -> Result<(), JsValue>;
}

thread_local! {
    /// [`ReadAt`] is shared between threads and a JavaScript object is not: it stays here.
    static SOURCES: RefCell<BTreeMap<u64, Source>> = const { RefCell::new(BTreeMap::new()) };
}

/// A [`Source`] of this thread, by its number.
pub(crate) struct Reader {
    number: u64,
    len: u64,
}

impl Reader {
    pub(crate) fn new(source: Source) -> Result<Self, JsError> {
        let size = source.size();
        // Beyond 2^53 a JavaScript number is no exact length.
        if !(size >= 0.0 && size.fract() == 0.0 && size <= 9_007_199_254_740_992.0) {
            return Err(JsError::new("the size of the statement is no number of bytes"));
        }
        let number = SOURCES.with_borrow_mut(|sources| {
            let number = sources.last_key_value().map_or(0, |(last, _)| last + 1);
            sources.insert(number, source);
            number
        });
        Ok(Self { number, len: size as u64 })
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        SOURCES.with_borrow_mut(|sources| sources.remove(&self.number));
    }
}

impl ReadAt for Reader {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64);
        if end.is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // Nothing is borrowed while JavaScript runs: it may call back.
        let source = SOURCES.with_borrow(|sources| sources.get(&self.number).cloned());
        source
            .ok_or(io::ErrorKind::NotFound)?
            .read(offset as f64, buffer)
            .map_err(|error| io::Error::other(format!("cannot be read: {error:?}")))
    }
}
