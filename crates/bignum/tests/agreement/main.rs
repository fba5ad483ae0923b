//! Every operation on every instruction set against num-bigint.

mod batches;
mod differential;
mod extremes;
mod numbers;
