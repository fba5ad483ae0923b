//! The constants of the S-boxes, derived from the cipher's definition when the crate is compiled.
//!
//! S-box s takes ten bits: the outer two choose a row, the inner eight a column, and its value is
//! (column ^ [`OFFSETS`]`[s][row]`)^7 in GF(2)[t] / m, m = [`MODULI`]`[s][row]`. All sixteen fields
//! have 256 elements, so each is isomorphic to the one field F that the circuit computes in, by the
//! linear map T: t^n -> beta^n, beta a root of m in F. Hence S(column) = T^-1 (T(column) ^
//! T(offset))^7, and only linear maps depend on the row.
//!
//! F has two representations ([`Field`]): a tower, K[w] / (w^2 + w + LAMBDA) over K = GF(2)[a] /
//! (a^4 + a + 1), an element h w + l with bits 16 h + l, for the circuit; and the one that GFNI
//! instructions multiply in.

use crate::array::array;

/// The reduction polynomial of each S-box and row (Kwan 1997, section 3.5).
pub(crate) const MODULI: [[u16; 4]; 4] =
    [[333, 313, 505, 369], [379, 375, 319, 391], [361, 445, 451, 397], [397, 425, 395, 505]];

/// The constant that is added to the column.
pub(crate) const OFFSETS: [[u8; 4]; 4] = [
    [0x83, 0x85, 0x9b, 0xcd],
    [0xcc, 0xa7, 0xad, 0x41],
    [0x4b, 0x2e, 0xd4, 0x33],
    [0xea, 0xcb, 0x2e, 0x04],
];

/// Where the P-box sends each bit of the S-boxes' output (S-box s gives bits 24 - 8 s and up), as
/// the number of the bit.
pub(crate) const PBOX: [u8; 32] = [
    0, 7, 10, 13, 19, 21, 24, 30, 3, 5, 8, 14, 16, 23, 26, 29, 2, 4, 9, 15, 17, 22, 27, 28, 1, 6,
    11, 12, 18, 20, 25, 31,
];

/// a b modulo the polynomial m of degree 8.
pub(crate) const fn multiply(a: u8, b: u8, m: u16) -> u8 {
    let (mut a, mut product, mut i) = (a as u16, 0, 0);
    while i < 8 {
        product ^= a & (b as u16 >> i & 1).wrapping_neg();
        a <<= 1;
        a ^= m & (a >> 8 & 1).wrapping_neg();
        i += 1;
    }
    product as u8
}

/// a b in K.
const fn multiply_k(a: u8, b: u8) -> u8 {
    let (mut a, mut product, mut i) = (a, 0, 0);
    while i < 4 {
        product ^= a & (b >> i & 1).wrapping_neg();
        a <<= 1;
        a ^= 0x13 & (a >> 4 & 1).wrapping_neg();
        i += 1;
    }
    product
}

/// The least element of K for which w^2 + w + it has no root in K.
pub(crate) const LAMBDA: u8 = {
    let mut lambda = 1;
    'next: loop {
        let mut x = 0;
        while x < 16 {
            if multiply_k(x, x) ^ x == lambda {
                lambda += 1;
                continue 'next;
            }
            x += 1;
        }
        break lambda;
    }
};

/// a b in F.
pub(crate) const fn multiply_f(a: u8, b: u8) -> u8 {
    let low = multiply_k(a & 15, b & 15);
    let high = multiply_k(a >> 4, b >> 4);
    let sum = multiply_k(a >> 4 ^ a & 15, b >> 4 ^ b & 15);
    (sum ^ low) << 4 | low ^ multiply_k(high, LAMBDA)
}

/// How elements of F are written as bytes.
#[derive(Clone, Copy)]
pub(crate) enum Field {
    /// The tower.
    Tower,
    /// Polynomials modulo t^8 + t^4 + t^3 + t + 1, as in AES and in GFNI.
    Rijndael,
}

impl Field {
    /// a b.
    pub(crate) const fn multiply(self, a: u8, b: u8) -> u8 {
        match self {
            Self::Tower => multiply_f(a, b),
            Self::Rijndael => multiply(a, b, 0x11b),
        }
    }
}

/// A linear map of eight bits by the images of the unit vectors.
pub(crate) type Columns = [u8; 8];

pub(crate) const fn apply(map: Columns, x: u8) -> u8 {
    let (mut image, mut n) = (0, 0);
    while n < 8 {
        image ^= map[n] & (x >> n & 1).wrapping_neg();
        n += 1;
    }
    image
}

/// first, then second.
pub(crate) const fn compose(second: Columns, first: Columns) -> Columns {
    array!([0; 8], |n| apply(second, first[n]))
}

/// x -> x^(2^k) in F.
pub(crate) const fn frobenius(field: Field, k: u32) -> Columns {
    array!([0; 8], |n| {
        let (mut power, mut i) = (1 << n, 0);
        while i < k {
            power = field.multiply(power, power);
            i += 1;
        }
        power
    })
}

/// T for each S-box and row: beta^n, beta the least root of m in F. Sums of powers of a generator
/// find it, as products in F take the compiler seconds.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(crate) const fn isomorphisms(field: Field) -> [[Columns; 4]; 4] {
    let (powers, logarithms) = powers(field);
    array!([[[0; 8]; 4]; 4], |s| array!([[0; 8]; 4], |row| {
        let mut beta = 2;
        loop {
            let of_beta = array!([0; 9], |n| powers[n * logarithms[beta] % 255]);
            let (mut value, mut n) = (0, 0);
            while n < 9 {
                if MODULI[s][row] >> n & 1 == 1 {
                    value ^= of_beta[n];
                }
                n += 1;
            }
            if value == 0 {
                break array!([0; 8], |n| of_beta[n]);
            }
            beta += 1;
        }
    }))
}

/// The powers of the least generator of F's multiplicative group, and the exponents of its
/// elements.
const fn powers(field: Field) -> ([u8; 255], [usize; 256]) {
    let mut generator = 2;
    loop {
        let (mut powers, mut logarithms, mut power, mut n) = ([0; 255], [0; 256], 1_u8, 0);
        while n == 0 || power != 1 {
            powers[n] = power;
            logarithms[power as usize] = n;
            power = field.multiply(power, generator);
            n += 1;
        }
        if n == 255 {
            return (powers, logarithms);
        }
        generator += 1;
    }
}

pub(crate) const fn inverse(map: Columns) -> Columns {
    let (mut columns, mut x) = ([0; 8], 0_u8);
    loop {
        let image = apply(map, x);
        if image.is_power_of_two() {
            columns[image.trailing_zeros() as usize] = x;
        }
        if x == 255 {
            return columns;
        }
        x += 1;
    }
}

/// A linear map as a circuit wants it: for each output bit the mask of the input bits that it sums;
/// bit 8 stands for 1.
pub(crate) type Rows = [u16; 8];

const fn rows(map: Columns, constant: u8) -> Rows {
    array!([0; 8], |j| {
        let (mut row, mut n) = ((constant as u16 >> j & 1) << 8, 0);
        while n < 8 {
            row |= (map[n] as u16 >> j & 1) << n;
            n += 1;
        }
        row
    })
}

/// Four maps, one a row of an S-box, as the polynomial in the row bits r0, r1 that takes their
/// values: A0 + r0 A1 + r1 (A2 + r0 A3).
pub(crate) type ByRow = [Rows; 4];

const fn polynomial(maps: ByRow) -> ByRow {
    let (mut a, mut j) = (maps, 0);
    while j < 8 {
        a[3][j] = maps[0][j] ^ maps[1][j] ^ maps[2][j] ^ maps[3][j];
        a[1][j] = maps[0][j] ^ maps[1][j];
        a[2][j] = maps[0][j] ^ maps[2][j];
        j += 1;
    }
    a
}

/// T to the tower.
const TOWER: [[Columns; 4]; 4] = isomorphisms(Field::Tower);

/// Column to F: T(column ^ offset).
pub(crate) const INPUT: [ByRow; 4] = array!([[[0; 8]; 4]; 4], |s| {
    polynomial(array!([[0; 8]; 4], |row| {
        rows(TOWER[s][row], apply(TOWER[s][row], OFFSETS[s][row]))
    }))
});

/// F to the value: T^-1.
pub(crate) const OUTPUT: [ByRow; 4] = array!([[[0; 8]; 4]; 4], |s| {
    polynomial(array!([[0; 8]; 4], |row| rows(inverse(TOWER[s][row]), 0)))
});

/// Squaring in F, which is linear.
pub(crate) const SQUARE: Rows = rows(frobenius(Field::Tower, 1), 0);

/// Multiplication of an element of K by [`LAMBDA`].
pub(crate) const BY_LAMBDA: Rows = {
    let [a, b, c, d] = array!([0; 4], |n| multiply_k(1 << n, LAMBDA));
    rows([a, b, c, d, 0, 0, 0, 0], 0)
};
