//! What the methods of registers give for some words.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "registers of x86-64 alone have some traits")
)]

use super::*;

/// The result of every method for three registers.
#[inline(always)]
pub(super) fn everything<V: Vector>(token: V::Token, input: &[u64]) -> Vec<u64> {
    assert_eq!(<V::Mask as Mask>::LANES as usize, V::LANES);
    let [x, y, z] = operands::<V, 3>(token, input);
    let mut bytes = [0; 256];
    y.store_bytes(&mut bytes);
    let counts = z.and(V::splat(token, 127));
    let (lt, eq) = (x.lt(y), x.eq(y));
    let mut out = lanes(&[
        V::load_bytes(token, &bytes),
        V::zero(token),
        V::splat(x.token(), input[0]),
        x.and(y),
        x.or(y),
        x.xor(y),
        x.andnot(y),
        x.select(y, z),
        x.xor3(y, z),
        x.xor_masked(y, z),
        x.add(y),
        x.sub(y),
        x.mul_low_32(y),
        x.shl::<0>(),
        x.shl::<63>(),
        x.shr::<1>(),
        x.shr::<32>(),
        x.shl_each(counts),
        x.shr_each(counts),
        x.shl_each(z),
        x.shr_each(z),
        V::blend(lt, x, y),
        V::blend(eq.or(z.sign()), x, y),
        V::blend(lt.and(z.sign()), x, y),
        V::blend(lt.andnot(z.sign()), x, y),
    ]);
    out.extend([lt, eq, x.sign(), lt.or(eq)].map(|mask| u64::from(mask.bits())));
    out
}

#[inline(always)]
pub(super) fn ordered<V: OrderedLogic>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V, 3>(token, input);
    let ordered = [x.select_ordered(y, z), x.xor_masked_ordered(y, z), x.xor3_ordered(y, z)];
    assert_eq!(lanes(&ordered), lanes(&[x.select(y, z), x.xor_masked(y, z), x.xor3(y, z)]));
    let (first, second) = x.before(y);
    assert_eq!(lanes(&[first, second]), lanes(&[x, y]));
    lanes(&ordered)
}

/// Words that are numbers, of absolute value below 2^50.
pub(super) fn numbers(input: &[u64]) -> Vec<u64> {
    let number = |word: &u64| (word.cast_signed() >> 13) as f64 / 2_f64.powi((word & 63) as i32);
    input.iter().map(|word| number(word).to_bits()).collect()
}

/// [`everything`], and the results of the traits that most registers have.
#[inline(always)]
pub(super) fn all<V>(token: V::Token, input: &[u64]) -> Vec<u64>
where
    V: Compare + Compress + Float + Logic + LookUp + OrderedLogic + Widths,
{
    let [x, y, z] = operands::<V, 3>(token, input);
    let mut out = everything::<V>(token, input);
    out.extend(ordered::<V>(token, input));
    out.extend(lanes(&[
        x.add_lanes::<8>(y),
        x.add_lanes::<16>(y),
        x.add_lanes::<32>(y),
        x.add_lanes::<64>(y),
        x.sub_lanes::<8>(y),
        x.sub_lanes::<16>(y),
        x.sub_lanes::<32>(y),
        x.sub_lanes::<64>(y),
        x.blend_lt_32(y, y, z),
        x.low_halves(y),
        x.high_halves(y),
        V::lut3::<0x00>(x, y, z),
        V::lut3::<0x1b>(x, y, z),
        V::lut3::<0x69>(x, y, z),
        V::lut3::<0xca>(x, y, z),
        V::lut3::<0xff>(x, y, z),
    ]));
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
pub(super) fn products<V: Product>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V, 3>(token, input);
    let factor = y.shr::<32>();
    let (high, low) = x.product_52(factor);
    lanes(&[high, low, x.add_product(z.and(V::splat(token, 0xf_ffff)), factor)])
}

/// [`Gather`] and [`Dot`], which pairs have not.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) fn gathered<V: Dot + Gather>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V, 3>(token, input);
    let rows: [[u64; 2]; 16] = core::array::from_fn(|i| [i as u64, !(i as u64) << 40]);
    // SAFETY: indices below 16.
    let (first, second) = unsafe { x.and(V::splat(token, 15)).gather_rows(&rows) };
    let (even, odd) = x.unzip(y);
    lanes(&[even, odd, first, second, x.add_dot(y, z)])
}

#[inline(always)]
pub(super) fn madd52<V: Madd52>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V, 3>(token, input);
    lanes(&[z.madd_low(x, y), z.madd_high(x, y)])
}

#[inline(always)]
pub(super) fn gf2p8<V: Gf2p8>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    lanes(&[x.affine::<0>(y), x.affine::<0xa5>(y), x.inverse_affine(y), x.multiply(y)])
}

/// [`Lanes`] and [`Halves`].
#[inline(always)]
pub(super) fn moved<V: Halves + Lanes>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    let mut out = vec![x.first(), x.sum()];
    let mask = V::mask_from_bits(token, input[0] as u32);
    out.extend(lanes(&[V::splat_element(token, &[x, y], V::LANES + 1), V::blend(mask, x, y)]));
    out.extend(lanes(&[0, 1, 2, 3].map(|i| x.splat_in_halves(i))));
    for n in 0..V::LANES {
        out.extend(lanes(&[x.up(y, n)]));
    }
    for n in 0..V::LANES / 2 {
        out.extend(lanes(&[x.up_in_halves(y, n)]));
    }
    out
}

#[inline(always)]
pub(super) fn bytes<V: Bytes>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    let indices = y.and(V::splat(token, 0x8f0f_0f8f_0f0f_0f0f));
    // An index above 15 selects nothing: 0x80 is the only such index that is defined.
    let high = indices.and(V::splat(token, 0x8080_8080_8080_8080));
    let nothing = high.sub(high.shr::<7>()).or(high);
    let indices = nothing.andnot(indices).or(high);
    lanes(&[
        V::splat_128(token, [input[0], input[1]]),
        x.shuffle_bytes(indices),
        x.even_32(y),
        x.odd_32(y),
        x.interleave_low_32(y),
        x.interleave_high_32(y),
        x.interleave_low_64(y),
        x.interleave_high_64(y),
        x.align_64(y),
        x.swap_64(),
    ])
}

#[inline(always)]
pub(super) fn look_up<V: LookUpBytes>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    lanes(&[x.look_up(y)])
}
