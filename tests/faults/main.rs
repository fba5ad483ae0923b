//! The example programs and decoders on faults: of the machine, of what they read, of who stops them.

mod endless;
mod fuzz_corpus;
mod machine;
mod outputs;
