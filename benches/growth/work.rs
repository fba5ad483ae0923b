//! What the products of commitments, attempts and checks execute, and the cycles in which the CPU's
//! ports, or its tile unit, can multiply: from shapes. Look-ups can take fewer than these.

use tautochrone::matmul::{Matrix, Multiplier, Ternary, Threads, Width, Word, Work};
use tautochrone::simd::Isa;
use tautochrone::zk::{Params, Preset, Security};

/// Columns of S and of T that are multiplied together.
const GROUP: usize = 1024;
/// Bits of an entry of C, and of S where b = 1.
const TERNARY: u32 = 2;

/// A product, so many times.
struct Product {
    name: &'static str,
    way: String,
    work: Option<Work>,
    times: u64,
}

/// Prints all of them, and sums for each stage.
pub(crate) fn print(preset: Preset, tier: &str) {
    let params = preset.params(Security::Waived).expect("a preset");
    assert!(
        params.w() <= 32 && params.b() == 1 && params.w() - params.round_t() <= 16,
        "a preset T"
    );
    let isa = Isa::named(tier).expect("a tier of this CPU");
    let [a_s, a_y, s_c, t_c] =
        products(&params, Multiplier::new_on(isa).with_threads(Threads::One));
    for Product { name, way, work, times } in [&a_s, &a_y, &s_c, &t_c] {
        let work = work.map_or_else(
            || "no multiplications".into(),
            |Work { multiplications, cycles }| {
                format!("{multiplications} multiplications, {cycles:.0} cycles at least")
            },
        );
        println!("{preset} {tier} {name}, {times} times, {way}: {work}");
    }
    for (stage, products) in [
        ("commit", &[&a_s][..]),
        ("attempt", &[&a_y, &s_c]),
        ("accepted attempt besides", &[&a_y, &t_c]),
        ("verify", &[&a_y, &t_c]),
    ] {
        let sum = |f: &dyn Fn(&Work) -> f64| {
            let each = products.iter().filter_map(|p| Some(f(p.work.as_ref()?) * p.times as f64));
            each.sum::<f64>()
        };
        let (count, cycles) = (sum(&|work| work.multiplications as f64), sum(&|work| work.cycles));
        println!(
            "{preset} {tier} {stage}: {count:.0} multiplications, {cycles:.0} cycles at least"
        );
    }
}

/// A' S, A' Y (A' Z_1 is the same), S C, T C.
fn products(params: &Params, multiplier: Multiplier) -> [Product; 4] {
    let (r, v, n) = (params.r() as usize, params.v() as usize, params.n() as usize);
    let k = params.z_rows() as usize;
    let groups = params.l().div_ceil(GROUP as u64);
    let ternary = Width::signed(TERNARY);
    let response = Width::signed(u64::BITS - params.entry_bound().leading_zeros() + 1);
    let lookups = multiplier.prefers_lookups::<u32>([r, k, GROUP]);
    let narrow = multiplier.prefers_narrow(params.b(), n);
    let (t, c) = (vec![0_u16; r * GROUP], vec![0; GROUP * n]);
    let t = Matrix::column_major(&t, r, GROUP).expect("shape");
    let c = Matrix::column_major(&c, GROUP, n).expect("shape");
    let of_t = multiplier.product::<u16>(t, Ternary::public_vartime(c).expect("ternary")).way();
    [
        product::<u32>(multiplier, "A' S", (Width::of::<u32>(), ternary), [r, k, GROUP], groups)
            .unless(lookups, "look-ups"),
        product::<u32>(multiplier, "A' Y", (Width::of::<u32>(), response), [r, k, n], 1),
        product::<u32>(multiplier, "S C", (ternary, ternary), [v, GROUP, n], groups)
            .unless(narrow, "look-ups of bytes"),
        product::<u16>(multiplier, "T C", (Width::of::<u16>(), ternary), [r, GROUP, n], groups)
            .unless(!of_t.multiplies(), "tables"),
    ]
}

/// A product by the way for which operands are packed.
fn product<W: Word>(
    multiplier: Multiplier,
    name: &'static str,
    widths: (Width, Width),
    size: [usize; 3],
    times: u64,
) -> Product {
    let way = multiplier.packs_for::<W>(widths.0, widths.1);
    let work = multiplier.work::<W>(way, widths, size);
    Product { name, way: format!("{way:?}"), work, times }
}

impl Product {
    /// The same without multiplications, if it is formed in another way; cycles stay those of what
    /// would be multiplied.
    fn unless(self, other: bool, way: &str) -> Self {
        let none = |work| Work { multiplications: 0, ..work };
        if other { Self { way: way.into(), work: self.work.map(none), ..self } } else { self }
    }
}
