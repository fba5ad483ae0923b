//! Arrays of constants.

/// The array of `$entry` for each index `$i`, in the place of the entries of `$empty`.
macro_rules! array {
    ($empty:expr, |$i:ident| $entry:expr) => {{
        let (mut array, mut $i) = ($empty, 0);
        while $i < array.len() {
            array[$i] = $entry;
            $i += 1;
        }
        array
    }};
}
pub(crate) use array;
