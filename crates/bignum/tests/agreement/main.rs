//! Every operation on every instruction set against num-bigint.

mod batches;
mod bytes;
mod differential;
mod extremes;
mod numbers;
