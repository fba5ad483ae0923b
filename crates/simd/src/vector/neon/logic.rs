//! What NEON has by default: [`Logic`] and [`OrderedLogic`] of gates of two inputs, in any order, and
//! [`Product`] of products of halves.

use super::super::{Logic, OrderedLogic, Product};
use super::U64x2;
use crate::proof::HasNeon;

impl<T: HasNeon> Logic for U64x2<T> {}
impl<T: HasNeon> OrderedLogic for U64x2<T> {}
impl<T: HasNeon> Product for U64x2<T> {}
