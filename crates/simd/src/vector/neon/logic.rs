//! [`Logic`] and [`OrderedLogic`] on NEON: gates of two inputs, in any order.

use super::super::{Logic, OrderedLogic};
use super::U64x2;
use crate::proof::HasNeon;

impl<T: HasNeon> Logic for U64x2<T> {}
impl<T: HasNeon> OrderedLogic for U64x2<T> {}
