//! The example programs and decoders on faults: of the machine, of what they read, of who stops them.

mod endless;
#[path = "../folder.rs"]
mod folder;
mod fuzz_corpus;
mod machine;
mod outputs;

use tautochrone_testkit::examples::TOY;

impl folder::Folder {
    /// A folder with a toy statement and its proof.
    fn proved() -> Self {
        let folder = Self::new();
        folder.ok(TOY);
        folder
    }
}
