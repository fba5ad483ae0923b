//! The example programs as scripts and their users run them.

mod circuit;
mod commit_file;
mod committer;
mod configure;
mod detection;
mod device;
mod ice;
mod keys;
mod lines;
mod lwe_keys;
mod matmul;
mod messages;
mod modexp;
mod pipes;
mod pir;
mod programs;
mod proofs;
mod rollup;
mod sample;
mod terminal;
