//! Powers by fixed windows, for rings of limbs, of registers, and of eight numbers in lanes.
use tautochrone_simd::Scratch;

use crate::exponent::Exponent;

/// The operations of a prepared modulus that exponentiation needs. Numbers are slices of one
/// length, in the ring's own form.
pub(crate) trait Ring {
    /// A limb, or a register of digits.
    type Digit: Copy;
    /// A window of the exponent of each number that a slice holds.
    type Index: Copy;

    /// A digit of zero.
    fn zero(&self) -> Self::Digit;
    /// r := r y.
    fn multiply(&mut self, r: &mut [Self::Digit], y: &[Self::Digit]);
    /// r := r^2.
    fn square(&mut self, r: &mut [Self::Digit]);
    /// entry := table[index]: all entries are read, and masks select one.
    fn select(&self, entry: &mut [Self::Digit], table: &Table<Self::Digit>, index: Self::Index);

    /// r := r^(2^bits) table[index]; `entry` is scratch space for a number.
    #[inline(always)]
    fn next_window(
        &mut self,
        r: &mut [Self::Digit],
        bits: usize,
        entry: &mut [Self::Digit],
        table: &Table<Self::Digit>,
        index: Self::Index,
    ) {
        for _ in 0..bits {
            self.square(r);
        }
        self.select(entry, table, index);
        self.multiply(r, entry);
    }
}

/// Bytes of a cache line: loads that straddle two lines take twice as long.
const CACHE_LINE: usize = 64;

/// Numbers of one width, each starting at a cache line; wiped when dropped.
pub(crate) struct Table<D: Copy> {
    digits: Scratch<D>,
    entries: usize,
    /// Digits before the first cache line.
    before: usize,
    /// Digits of a number.
    width: usize,
    /// Digits from the start of one number to the next, in whole cache lines.
    stride: usize,
}

impl<D: Copy> Table<D> {
    /// Digits of a cache line, or 1 if a digit fills it.
    const ALIGN: usize = CACHE_LINE.div_ceil(size_of::<D>());

    fn new(entries: usize, width: usize, zero: D) -> Self {
        let stride = width.next_multiple_of(Self::ALIGN);
        let digits = Scratch::new(entries * stride + Self::ALIGN - 1, zero);
        let before = digits.as_ptr().align_offset(CACHE_LINE).min(Self::ALIGN - 1);
        Self { digits, entries, before, width, stride }
    }

    /// Where entry `i` is, which is public.
    fn range(&self, i: usize) -> core::ops::Range<usize> {
        let start = self.before + i * self.stride;
        start..start + self.width
    }

    fn get(&self, i: usize) -> &[D] {
        &self.digits[self.range(i)]
    }

    fn set(&mut self, i: usize, x: &[D]) {
        let range = self.range(i);
        self.digits[range].copy_from_slice(x);
    }

    /// Digits `first` to `first + W - 1` of every entry; the last ones may lie beyond the entry, up
    /// to the end of its cache line.
    #[inline(always)]
    pub(crate) fn parts<const W: usize>(&self, first: usize) -> impl Iterator<Item = &[D; W]> {
        let mut rest = &self.digits[self.before + first..];
        (0..self.entries).map(
            #[inline(always)]
            move |_| {
                let part = rest.first_chunk().expect("a part of an entry");
                rest = rest.get(self.stride..).unwrap_or_default();
                part
            },
        )
    }
}

/// r := base^exponent, r being one before; the exponent has `windows` windows of `bits` bits, and
/// `window(k)` is the one of weight 2^(`bits` k).
///
/// # Constant time
/// In all but `bits`, `windows` and the width.
pub(crate) fn power<R: Ring>(
    ring: &mut R,
    r: &mut [R::Digit],
    base: &[R::Digit],
    bits: usize,
    windows: usize,
    window: impl Fn(usize) -> R::Index,
) {
    let mut table = Table::new(1 << bits, r.len(), ring.zero());
    table.set(0, r);
    table.set(1, base);
    for i in 2..1 << bits {
        if i & 1 == 0 {
            r.copy_from_slice(table.get(i >> 1));
            ring.square(r);
        } else {
            // r is the entry before.
            ring.multiply(r, base);
        }
        table.set(i, r);
    }
    r.copy_from_slice(table.get(0));
    let Some(last) = windows.checked_sub(1) else { return };
    ring.select(r, &table, window(last));
    let mut entry = Scratch::new(r.len(), ring.zero());
    for k in (0..last).rev() {
        ring.next_window(r, bits, &mut entry, &table, window(k));
    }
}

/// r := base^exponent by windows of at most `max` bits, r being one before; for each of P numbers
/// side by side. Exponents of several numbers are not public.
///
/// # Constant time
/// In all but the width, `max`, the lengths of the exponents, and an exponent if it is public.
pub(crate) fn windows<R: Ring<Index = [u64; P]>, const P: usize>(
    ring: &mut R,
    r: &mut [R::Digit],
    base: &[R::Digit],
    exponents: [Exponent<'_>; P],
    max: usize,
) {
    if let [exponent] = exponents[..]
        && exponent.is_public()
    {
        return sliding_windows_vartime(ring, r, base, exponent, max);
    }
    let longest = exponents.into_iter().max_by_key(|exponent| exponent.bits());
    let Some(longest) = longest else { return };
    let bits = longest.window_bits(max);
    let windows = longest.bits().div_ceil(bits);
    let window = |k| exponents.map(|exponent| exponent.window(k * bits, bits));
    power(ring, r, base, bits, windows, window);
}

/// r := base^exponent, r being one before, by windows that begin and end with a bit of 1: a table
/// of odd powers, read at public places.
///
/// # Constant time
/// In the base.
fn sliding_windows_vartime<R: Ring>(
    ring: &mut R,
    r: &mut [R::Digit],
    base: &[R::Digit],
    exponent: Exponent<'_>,
    max: usize,
) {
    let bits = exponent.window_bits(max);
    let mut odd = Table::new(1 << (bits - 1), r.len(), ring.zero());
    odd.set(0, base);
    let mut square = Scratch::new(r.len(), ring.zero());
    square.copy_from_slice(base);
    if bits > 1 {
        ring.square(&mut square);
    }
    let mut power = square.clone();
    power.copy_from_slice(base);
    for i in 1..1 << (bits - 1) {
        ring.multiply(&mut power, &square);
        odd.set(i, &power);
    }
    let (mut rest, mut started) = (exponent.bits(), false);
    while rest > 0 {
        if exponent.window(rest - 1, 1) == 0 {
            // The exponent begins with 1.
            ring.square(r);
            rest -= 1;
            continue;
        }
        let length = bits.min(rest);
        rest -= length;
        let window = exponent.window(rest, length);
        let zeros = window.trailing_zeros();
        let entry = odd.get((window >> zeros >> 1) as usize);
        if started {
            for _ in zeros..length as u32 {
                ring.square(r);
            }
            ring.multiply(r, entry);
        } else {
            r.copy_from_slice(entry);
            started = true;
        }
        for _ in 0..zeros {
            ring.square(r);
        }
    }
}

/// r := r^exponent, for an exponent > 0 that is public.
pub(crate) fn power_vartime<R: Ring>(ring: &mut R, r: &mut [R::Digit], exponent: usize) {
    let mut base = Scratch::new(r.len(), ring.zero());
    base.copy_from_slice(r);
    for bit in (0..exponent.ilog2()).rev() {
        ring.square(r);
        if exponent >> bit & 1 == 1 {
            ring.multiply(r, &base);
        }
    }
}
