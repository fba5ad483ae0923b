//! The products that are compared.

use tautochrone::matmul::{
    Error, Matrix, MatrixMut, Multiplier, Operand, Product, Ternary, Width, Word, Workspace,
};
use tautochrone::zk::{Params, Preset, Security};

use crate::case::Case;
use crate::entries::entries;

type Size = (usize, usize, usize);

/// X by Y, both read as they are: whole words of some type by entries of some bits.
fn views<W: Word, Y: Operand>(
    multiplier: Multiplier,
    name: &str,
    (m, k, n): Size,
    (x, y): (&[W], &[Y]),
    y_bits: u32,
    f: &mut impl FnMut(Case<'_>),
) {
    let x = Matrix::row_major(&x[..m * k], m, k).expect("shape");
    let y = Matrix::column_major(&y[..k * n], k, n).expect("shape").with_bits(y_bits);
    let form = |product: Product<'_, W>, z: MatrixMut<'_, W>| product.write_to(z);
    let name = format!("{name} w{} {m}x{k}x{n}", W::BITS);
    f(unpacked(multiplier, name, (m, n), form, |by| by.product(x, y)));
}

/// X, column-major, by a public ternary Y, as a verifier multiplies T.
fn public<W: Word>(
    multiplier: Multiplier,
    name: &str,
    (m, k, n): Size,
    (x, y): (&[W], &[i8]),
    f: &mut impl FnMut(Case<'_>),
) {
    let x = Matrix::column_major(&x[..m * k], m, k).expect("shape");
    let y = Matrix::column_major(&y[..k * n], k, n).expect("shape");
    let y = Ternary::public_vartime(y).expect("ternary");
    let form = |product: Product<'_, W>, z: MatrixMut<'_, W>| product.add_to(z);
    let name = format!("{name} w{} {m}x{k}x{n}", W::BITS);
    f(unpacked(multiplier, name, (m, n), form, |by| by.product(x, y)));
}

/// Every way of a product of which nothing is packed before, and what is done with its result.
fn unpacked<'a, W: Word>(
    multiplier: Multiplier,
    name: String,
    (m, n): (usize, usize),
    form: fn(Product<'_, W>, MatrixMut<'_, W>) -> Result<(), Error>,
    of: impl Fn(Multiplier) -> Product<'a, W> + Copy + 'a,
) -> Case<'a> {
    let product = of(multiplier);
    let ways = product.ways();
    let chosen = ways.iter().position(|&way| way == product.way()).expect("one of them");
    let ways = ways.into_iter().map(|way| {
        let (mut workspace, mut z) = (Workspace::new(), vec![W::default(); m * n]);
        let run = move || {
            let z = MatrixMut::column_major(&mut z, m, n).expect("shape");
            let product = of(multiplier.by(way)).in_workspace(&mut workspace);
            form(product, z).expect("shapes agree");
        };
        (format!("{way:?}"), Box::new(run) as Box<dyn FnMut()>)
    });
    Case { name, ways: ways.collect(), chosen }
}

/// A' packed before by S (if `ternary`, also by look-ups), Y or Z.
fn of_a<W: Word, Y: Operand>(
    multiplier: Multiplier,
    name: &str,
    (m, k, n): Size,
    (x, y): (&[W], &[Y]),
    (y_bits, ternary): (u32, Option<&[i8]>),
    f: &mut impl FnMut(Case<'_>),
) {
    let x = Matrix::row_major(&x[..m * k], m, k).expect("shape");
    let y = Matrix::column_major(&y[..k * n], k, n).expect("shape").with_bits(y_bits);
    let widths = (Width::of::<W>(), y.width());
    let mut ways: Vec<(String, Box<dyn FnMut()>)> = Vec::new();
    let mut chosen = 0;
    for way in multiplier.product::<W>(x, y).ways() {
        if way == multiplier.packs_for::<W>(widths.0, widths.1) {
            chosen = ways.len();
        }
        let packed = multiplier.by(way).pack_left::<W, W>(x, widths.1).expect("whole words");
        let (mut workspace, mut z) = (Workspace::new(), vec![W::default(); m * n]);
        let run = move || {
            let z = MatrixMut::column_major(&mut z, m, n).expect("shape");
            let product = multiplier.product(&packed, y).in_workspace(&mut workspace);
            product.add_to(z).expect("shapes agree");
        };
        ways.push((format!("{way:?}"), Box::new(run)));
    }
    if let Some(s) = ternary {
        let s = Matrix::column_major(&s[..k * n], k, n).expect("shape");
        let s = Ternary::secret(s).expect("ternary");
        for way in multiplier.product::<W>(x, s).ways() {
            if way.multiplies() {
                continue;
            }
            if multiplier.prefers_lookups::<W>([m, k, n]) {
                chosen = ways.len();
            }
            let mut z = vec![W::default(); m * n];
            let run = move || {
                let z = MatrixMut::column_major(&mut z, m, n).expect("shape");
                multiplier.by(way).product(x, s).add_to(z).expect("shapes agree");
            };
            ways.push((format!("{way:?}"), Box::new(run)));
        }
    }
    f(Case { name: format!("{name} w{} {m}x{k}x{n}", W::BITS), ways, chosen });
}

/// S, |s| <= `bound`, packed before by some rows of C.
fn of_s(
    multiplier: Multiplier,
    name: &str,
    (m, k, n): Size,
    (s, c): (&[i8], &[i8]),
    bound: u32,
    f: &mut impl FnMut(Case<'_>),
) {
    let bits = u32::BITS - bound.leading_zeros() + 1;
    let s = Matrix::column_major(&s[..m * k], m, k).expect("shape").with_bits(bits);
    let c = Matrix::column_major(&c[..k * n], k, n).expect("shape").with_bits(2);
    let mut ways: Vec<(String, Box<dyn FnMut()>)> = Vec::new();
    let mut chosen = 0;
    for way in multiplier.product::<u32>(s, c).ways() {
        if way == multiplier.packs_for::<u32>(s.width(), c.width()) {
            chosen = ways.len();
        }
        let packed = multiplier.by(way).pack_left_compact::<u32, _>(s, c.width());
        let packed = packed.expect("two bits");
        let (mut workspace, mut z) = (Workspace::new(), vec![0; m * n]);
        let run = move || {
            let z = MatrixMut::column_major(&mut z, m, n).expect("shape");
            let product = multiplier.product(&packed, c).in_workspace(&mut workspace);
            product.add_to(z).expect("shapes agree");
        };
        ways.push((format!("{way:?}"), Box::new(run)));
    }
    if let Ok(packed) = multiplier.pack_narrow(s, bound as u8) {
        if multiplier.prefers_narrow(bound, n) {
            chosen = ways.len();
        }
        let c = Ternary::public_vartime(c).expect("ternary");
        let mut z = vec![0; m * n];
        let run = move || {
            let z = MatrixMut::column_major(&mut z, m, n).expect("shape");
            multiplier.product(&packed, c).add_to(z).expect("shapes agree");
        };
        ways.push(("narrow".into(), Box::new(run)));
    }
    f(Case { name: format!("{name} {m}x{k}x{n}"), ways, chosen });
}

/// The products of a proof of a preset, a group of 1024 columns of S and T at a time.
fn proof(multiplier: Multiplier, preset: Preset, wanted: &str, f: &mut impl FnMut(Case<'_>)) {
    let params = preset.params(Security::Waived).expect("a preset");
    if params.w() <= 32 {
        of_words::<u32>(multiplier, preset, &params, wanted, f);
    } else {
        let multiplier = multiplier.with_modulus_bits(params.w());
        of_words::<u64>(multiplier, preset, &params, wanted, f);
    }
}

fn of_words<W: Word>(
    multiplier: Multiplier,
    preset: Preset,
    params: &Params,
    wanted: &str,
    f: &mut impl FnMut(Case<'_>),
) {
    const COLUMNS: usize = 1024;
    let (r, v, n) = (params.r() as usize, params.v() as usize, params.n() as usize);
    let (k, bound) = (params.z_rows() as usize, params.b());
    let a = entries(r * k, 64, |value| W::truncate(value.cast_unsigned()));
    let bits = u64::BITS - params.entry_bound().leading_zeros() + 1;
    let y = entries(v * n, bits, |value| value);
    let ternary = entries(v * COLUMNS, 32, |value| value.rem_euclid(3) as i8 - 1);
    let s_bits = u32::BITS - bound.leading_zeros() + 1;
    let s: Vec<i8> = if bound == 1 {
        ternary.clone()
    } else {
        entries(v * COLUMNS, s_bits - 1, |value| value as i8)
    };
    let is = |name: &str| format!("{preset} {name}").contains(wanted);
    if is("A-S") {
        let lookups = (bound == 1 && W::BITS == 32).then_some(&ternary[..]);
        let name = format!("{preset} A-S");
        of_a(multiplier, &name, (r, k, COLUMNS), (&a, &s), (s_bits, lookups), f);
    }
    if is("A-S") && W::BITS == 32 {
        // The end of T.
        let name = format!("{preset} A-S");
        of_a(multiplier, &name, (r, k, 256), (&a, &s), (s_bits, Some(&ternary)), f);
    }
    if is("A-Y") {
        of_a(multiplier, &format!("{preset} A-Y"), (r, k, n), (&a, &y), (bits, None), f);
    }
    if is("A-ZZ") {
        // Of sixteen proofs together.
        let z = entries(k * 16 * n, bits, |value| value);
        of_a(multiplier, &format!("{preset} A-ZZ"), (r, k, 16 * n), (&a, &z), (bits, None), f);
    }
    if is("S-C") {
        of_s(multiplier, &format!("{preset} S-C"), (v, COLUMNS, n), (&s, &ternary), bound, f);
    }
    if is("T-C") {
        let name = format!("{preset} T-C");
        let width = params.w() - params.round_t();
        let plain = Multiplier::new_on(multiplier.isa());
        let plain = plain.with_threads(tautochrone::matmul::Threads::One);
        if width <= 16 {
            let t = entries(r * COLUMNS, 64, |value| value as u16);
            public(plain, &name, (r, COLUMNS, n), (&t, &ternary), f);
        } else if width <= 32 {
            let t = entries(r * COLUMNS, 64, |value| value as u32);
            public(plain, &name, (r, COLUMNS, n), (&t, &ternary), f);
        } else {
            let t = entries(r * COLUMNS, 64, |value| value as u64);
            public(plain, &name, (r, COLUMNS, n), (&t, &ternary), f);
        }
    }
}

/// Cubes, thin and wide products of whole words.
fn words<W: Word>(multiplier: Multiplier, wanted: &str, f: &mut impl FnMut(Case<'_>)) {
    let word = |value: i64| W::truncate(value.cast_unsigned());
    let (x, y) = (entries(1 << 22, 64, word), entries(1 << 22, 64, word));
    let narrow = entries(1 << 20, 8, |value| value as i8);
    let mut one = |name: &str, size: Size| {
        if format!("{name} w{}", W::BITS).contains(wanted) {
            views(multiplier, name, size, (&x[..], &y[..]), W::BITS, f);
        }
    };
    for side in [8, 16, 32, 64, 128, 256, 512, 1024] {
        one("cube", (side, side, side));
    }
    for (m, k, n) in [
        (1024, 1024, 2),
        (1024, 1024, 4),
        (1024, 1024, 8),
        (1024, 1024, 16),
        (1024, 1024, 32),
        (8, 1024, 1024),
        (32, 1024, 1024),
        (4, 4096, 4),
        (16, 4096, 16),
        (1024, 8, 1024),
        (1024, 32, 1024),
        (16, 16, 4096),
        (4096, 16, 16),
    ] {
        one("thin", (m, k, n));
    }
    for (m, k, n) in [(64, 64, 64), (256, 256, 256), (1024, 1024, 8), (1024, 1024, 142)] {
        if format!("by bytes w{}", W::BITS).contains(wanted) {
            views(multiplier, "by bytes", (m, k, n), (&x[..], &narrow[..]), 8, f);
            views(multiplier, "by signs", (m, k, n), (&x[..], &signs(k * n)[..]), 2, f);
        }
    }
}

fn signs(len: usize) -> Vec<i8> {
    entries(len, 32, |value| value.rem_euclid(3) as i8 - 1)
}

/// Calls `f` with every product whose name contains `wanted`.
pub(crate) fn for_each(multiplier: Multiplier, wanted: &str, mut f: impl FnMut(Case<'_>)) {
    let f = &mut f;
    for preset in [Preset::T4_128, Preset::B4_128, Preset::T64_128, Preset::Seed] {
        proof(multiplier, preset, wanted, f);
    }
    words::<u8>(multiplier, wanted, f);
    words::<u16>(multiplier, wanted, f);
    words::<u32>(multiplier, wanted, f);
    words::<u64>(multiplier, wanted, f);
}
