//! Every kind of product gives the product of the definition. One program: the kernels are compiled
//! once for all.

mod packed;
mod products;
mod ternary;
mod types;
mod vectors;
