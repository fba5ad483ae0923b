//! The documentation is right.

mod assurance;
mod pages;
