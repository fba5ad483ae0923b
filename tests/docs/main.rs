//! What the documentation says is so.

mod assurance;
mod pages;
