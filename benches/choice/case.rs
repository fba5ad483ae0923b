//! [`Case`].

/// A product, and every way to form it.
pub(crate) struct Case<'a> {
    pub(crate) name: String,
    /// Their names, and what is done.
    pub(crate) ways: Vec<(String, Box<dyn FnMut() + 'a>)>,
    /// Which of the ways is chosen.
    pub(crate) chosen: usize,
}
