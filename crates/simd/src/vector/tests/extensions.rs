//! The further traits, against the emulation.

use super::*;

/// Words that are numbers, of absolute value below 2^50.
fn numbers(input: &[u64]) -> Vec<u64> {
    let number = |word: &u64| (word.cast_signed() >> 13) as f64 / 2_f64.powi((word & 63) as i32);
    input.iter().map(|word| number(word).to_bits()).collect()
}

#[inline(always)]
fn all<V>(token: V::Token, input: &[u64]) -> Vec<u64>
where
    V: Compare + Compress + Float + Logic + LookUp,
{
    let [x, y, z] = operands::<V, 3>(token, input);
    let mut out = lanes(&[
        x.blend_lt_32(y, y, z),
        x.low_halves(y),
        x.high_halves(y),
        V::lut3::<0x00>(x, y, z),
        V::lut3::<0x1b>(x, y, z),
        V::lut3::<0x69>(x, y, z),
        V::lut3::<0xca>(x, y, z),
        V::lut3::<0xff>(x, y, z),
    ]);
    out.push(V::of_mask(token, x.lt(y)).sign().bits().into());
    let record = V::record(token);
    out.push(record.noted(z).bits().into());
    out.push(record.note(x, z).noted(z).bits().into());
    out.push(record.note(x, z).note(y, z).noted(z).bits().into());

    let entries = [0_u32, 1, 2, 3, 4, 5, 6, 7].map(|i| i.wrapping_mul(0x9e37_79b9));
    let narrow: [u32; 32] = core::array::from_fn(|i| entries[i % 8] ^ i as u32);
    let wide: [u64; 16] = core::array::from_fn(|i| u64::from(entries[i % 8]) << 31 | i as u64);
    let (narrow, wide) = (V::table_32(token, &narrow), V::table_64(token, &wide));
    let (first, second) = x.look_up_64_twice(y, &wide);
    out.extend(lanes(&[x.look_up_32(&narrow), z.look_up_64(&wide), first, second]));

    let [a, b, c] = operands::<V, 3>(token, &numbers(input));
    let integers = a.floor_f64();
    let positive = c.and(V::splat(token, u64::MAX >> 1));
    out.extend(lanes(&[
        V::splat_f64(token, 0.1),
        a.add_f64(b),
        a.sub_f64(b),
        a.mul_f64(b),
        a.mul_add_f64(b, c),
        integers,
        integers.to_i64(),
        positive.mul_f64(V::splat_f64(token, 0.125)).beyond_sixteenth(),
        x.shr::<12>().to_f64(),
        positive.to_u64(),
        positive.mul_f64(positive).to_u64(),
    ]));

    let selected = input[0] as u32 & ((1_u64 << V::LANES) - 1) as u32;
    let count = selected.count_ones() as usize;
    let (mut words, mut halves) = ([0; 16], [0; 16]);
    x.compress_store(selected, &mut words[..V::LANES]);
    x.compress_store_32(selected, &mut halves[..V::LANES]);
    out.extend_from_slice(&words[..count]);
    out.extend(halves[..count].iter().map(|&half| u64::from(half)));
    out
}

#[inline(always)]
fn products<V: Product>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V, 3>(token, input);
    let factor = y.shr::<32>();
    let (high, low) = x.product_52(factor);
    lanes(&[high, low, x.add_product(z.and(V::splat(token, 0xf_ffff)), factor)])
}

#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
#[allow(unsafe_code)]
#[inline(always)]
fn gathered<V: Gather>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    let rows: [[u64; 2]; 16] = core::array::from_fn(|i| [i as u64, !(i as u64) << 40]);
    // SAFETY: indices below 16.
    let (first, second) = unsafe { x.and(V::splat(token, 15)).gather_rows(&rows) };
    let (even, odd) = x.unzip(y);
    lanes(&[even, odd, first, second])
}

#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
#[inline(always)]
fn dots<V: Dot>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V, 3>(token, input);
    lanes(&[x.add_dot(y, z)])
}

/// The definitions themselves, against results that are written down here.
#[test]
fn the_emulation_is_what_its_traits_say() {
    let x = Emulated::<2>([5, u64::MAX]);
    let y = Emulated::<2>([1 << 63, 7 << 32]);
    assert_eq!(x.blend_lt_32(y, x, y).0, [0, 7 << 32]);
    assert_eq!(y.blend_lt_32(x, x, y).0, [(1 << 63) | 5, u64::MAX]);
    assert_eq!(x.low_halves(y).0, [5, u64::from(u32::MAX)]);
    assert_eq!(x.high_halves(y).0, [1 << 63, 7 << 32 | u64::from(u32::MAX)]);
    assert_eq!(Emulated::lut3::<0x96>(x, y, x).0, y.0);
    assert_eq!(x.unzip(y), (Emulated([5, 1 << 63]), Emulated([u64::MAX, 7 << 32])));
    assert_eq!(x.product_52(Emulated([3; 2])).0.0, [0, 2]);
    assert_eq!(x.product_52(Emulated([3; 2])).1.0, [15, (1 << 52) - 3]);
    assert_eq!(x.add_product(Emulated([4, 1]), Emulated([6, 2])).0, [29, 1]);
    // 2 + (-1) 3 + 4 (-5) = -21, and 7 + 2^30 + 2^30.
    let dot = Emulated::<2>([2, 7])
        .add_dot(Emulated([0x0004_ffff, 0x8000_8000]), Emulated([0xfffb_0003, 0x8000_8000]));
    assert_eq!(dot.0, [u64::from(u32::MAX) - 20, (1 << 31) + 7]);
    let limit = Emulated([6; 2]);
    assert_eq!(Emulated::record(()).noted(limit).bits(), 0);
    assert_eq!(Emulated::record(()).note(x, limit).noted(limit).bits(), 0b01);
    assert_eq!(Emulated::of_mask((), x.lt(limit)).sign().bits(), 0b01);
    let table = Emulated::<2>::table_64((), &core::array::from_fn(|i| 100 + i as u64));
    assert_eq!(x.look_up_64(&table).0, [105, 115]);
    let table = Emulated::<2>::table_32((), &core::array::from_fn(|i| 100 + i as u32));
    assert_eq!(x.look_up_32(&table).0, [0x64_0000_0069, 0x83_0000_0083]);
    let mut words = [0; 2];
    x.compress_store(0b10, &mut words);
    assert_eq!(words[0], u64::MAX);

    let x = Emulated::<2>([2.5, -2.5].map(f64::to_bits));
    let two = Emulated::<2>::splat_f64((), 2.0);
    assert_eq!(x.floor_f64().to_i64().0, [2, (-3_i64).cast_unsigned()]);
    assert_eq!(two.to_u64().to_f64(), two);
    assert_eq!(x.mul_add_f64(two, two).0.map(f64::from_bits), [7.0, -3.0]);
    assert_eq!(Emulated::<2>::splat_f64((), 1e300).to_u64().0, [u64::MAX; 2]);
}

/// Floors as integers, and the fractions: exact but for integers that an `f64` cannot hold.
fn floors_are_right<V: Float>(token: V::Token) {
    let mut words = numbers(&words(800));
    let edges = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, -2.5, -1e-20, 1e-300, -1e-300, -5e-324];
    let limit = 2_251_799_813_685_248.0 - 0.5;
    words.extend(edges.map(f64::to_bits));
    words.extend([limit, -limit, 0.999_999_999_999_999_9, -3.7].map(f64::to_bits));
    for input in words.chunks_exact(V::LANES) {
        let (floor, rest) = vectorize!(token, V::load(token, input).floor_parts());
        let (floor, rest) = (lanes(&[floor]), lanes(&[rest]));
        for (lane, &x) in input.iter().enumerate() {
            let (x, rest) = (f64::from_bits(x), f64::from_bits(rest[lane]));
            assert_eq!(floor[lane].cast_signed(), x.floor() as i64, "{x:e}");
            assert!((rest - (x - x.floor())).abs() <= 2_f64.powi(-53), "{x:e}: {rest:e}");
        }
    }
}

#[test]
fn floors_of_pairs_are_right() {
    floors_are_right::<Emulated<8>>(());
    floors_are_right::<Pair<Emulated<4>>>(());
}

#[test]
fn pairs_agree() {
    agree!(all, Pair<Emulated<4>>, 8, ());
    agree!(products, Pair<Emulated<4>>, 8, ());
}

#[test]
fn one_lane_has_the_logic_of_the_emulation() {
    for input in words(600).chunks_exact(3) {
        let [x, y, z] = operands::<U64x1, 3>((), input);
        let [a, b, c] = operands::<Emulated<1>, 3>((), input);
        assert_eq!(lanes(&[U64x1::lut3::<0x2d>(x, y, z)]), Emulated::lut3::<0x2d>(a, b, c).0);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn registers_agree() {
    for isa in Isa::all() {
        if let Some(token) = isa.avx2() {
            agree!(all, U64x4<_>, 4, token);
            agree!(all, Pair<U64x4<_>>, 8, token);
            floors_are_right::<U64x4<_>>(token);
            agree!(products, Pair<U64x4<_>>, 8, token);
            agree!(gathered, U64x4<_>, 4, token);
            agree!(dots, U64x4<_>, 4, token);
        }
        if let Some(token) = isa.avx512() {
            agree!(all, U64x4<_>, 4, token);
            agree!(all, U64x8<_>, 8, token);
            floors_are_right::<U64x8<_>>(token);
            agree!(gathered, U64x8<_>, 8, token);
            agree!(dots, U64x8<_>, 8, token);
        }
        if let Some(token) = isa.vnni() {
            agree!(dots, U64x8<_>, 8, token);
        }
        if let Some(token) = isa.ifma() {
            agree!(products, U64x8<_>, 8, token);
        }
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[test]
fn registers_agree() {
    let token = Isa::detect().neon().expect("NEON is a part of this target");
    agree!(all, U64x2<_>, 2, token);
    agree!(all, Pair<U64x2<_>>, 4, token);
    agree!(all, Pair<Pair<U64x2<_>>>, 8, token);
    floors_are_right::<U64x2<_>>(token);
    agree!(products, U64x2<_>, 2, token);
    agree!(products, Pair<Pair<U64x2<_>>>, 8, token);
    agree!(gathered, U64x2<_>, 2, token);
    agree!(dots, U64x2<_>, 2, token);
}

/// Every truth table, as the gates have it and as it is defined.
#[test]
fn gates_have_their_truth_tables() {
    let [a, b, c] = [0xf0, 0xcc, 0xaa].map(|x| U64x1::splat((), x));
    macro_rules! tables {
        ($($high:literal)*) => {$(
            tables!(@ $high: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        )*};
        (@ $high:literal: $($low:literal)*) => {$(
            let table = 16 * $high + $low;
            let got = U64x1::lut3::<{ 16 * $high + $low }>(a, b, c).and(U64x1::splat((), 0xff));
            assert_eq!(got, U64x1::splat((), table), "{table:#x}");
        )*};
    }
    tables!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}
