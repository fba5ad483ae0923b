//! Every backend against the alias table, and the samplers against each other and the exact
//! distribution.

use tautochrone_ctr::{KeySize, Label, Seed, Stream};
use tautochrone_simd::Isa;

use super::alias::AliasTable;
use super::bytes::Bytes;
use super::lanes::{BLOCK, Scratch};
use super::*;
use crate::error::Error;
use crate::source::Source;

fn stream(index: u64) -> Stream {
    Seed::from_bytes([42; 32]).stream(Label::new("bitslice test"), index)
}

/// Distributions of every shape: each width of slot, index, alias and raw lane, sums, half
/// distributions, circuits and bytes.
fn configurations() -> Vec<Builder> {
    let sigma = |s: f64| Bitslice::builder().sigma(s);
    let mut all = Vec::new();
    for preset in Preset::ALL {
        all.push(sigma(preset.sigma()).precision(preset.precision()).form(Form::Planes));
        all.push(sigma(preset.sigma()).precision(preset.precision()).form(Form::Bytes));
    }
    // Folded halves have the circuit of the full distribution.
    all.push(sigma(2.0).kind(Kind::FoldedHalf));
    for kind in [Kind::FoldedHalf, Kind::UnfoldedHalf, Kind::Bimodal] {
        all.extend([0.5, 2.0, 12.0, 215.0].map(|s| sigma(s).kind(kind).form(Form::Bytes)));
    }
    all.extend([10.0, 34.0].map(sigma));
    for (s, precision) in [(0.5, 32), (1.5, 62), (17.0, 100), (60.0, 128)] {
        all.push(sigma(s).precision(precision));
        all.push(sigma(s).precision(precision.min(64)).direct());
    }
    all.extend([
        sigma(215.0),
        sigma(215.0).direct(),
        sigma(215.0).precision(128),
        sigma(1000.0),
        sigma(3e4),
    ]);
    all
}

/// Circuits where there is generated code for the distribution, bytes elsewhere.
#[test]
fn the_default_form_follows_from_the_distribution() {
    for (sigma, form) in
        [(2.0, Form::Planes), (3.19, Form::Planes), (2.5, Form::Bytes), (34.0, Form::Bytes)]
    {
        assert_eq!(Bitslice::new(sigma).unwrap().form(), form, "sigma {sigma}");
    }
}

/// What a lane draws.
struct Draw {
    slot: usize,
    r: u128,
    b: bool,
}

/// The definition of a form: the table that draws select from, and where their bits lie in a block.
struct Layout<'a> {
    sampler: &'a Bitslice,
    table: AliasTable,
}

impl<'a> Layout<'a> {
    fn of(sampler: &'a Bitslice) -> Self {
        let pmf = sampler.pmf();
        let table = if sampler.form() == Form::Planes {
            Preset::find(pmf).unwrap().table()
        } else {
            let (slot_bits, _) = Bytes::shape(pmf.masses().len(), pmf.precision());
            AliasTable::identity(pmf, slot_bits)
        };
        Self { sampler, table }
    }

    /// Draws of so many blocks. In the odd ones r is at the slot's threshold, a neighbour of it, or
    /// agrees with it in a random number of high bits.
    fn draws(&self, blocks: usize) -> Vec<Draw> {
        let (slots, bits) = (self.table.slots(), self.table.threshold_bits());
        let mut stream = stream(0);
        let draw = |i: usize| {
            let mut words = [0; 4];
            stream.fill_u64(&mut words);
            let (slot, b) = (words[0] as usize % slots.len(), words[1] & 1 == 1);
            let random = u128::from(words[2]) << 64 | u128::from(words[3]);
            let t = slots[slot].threshold;
            let free = (1 << (i as u32 % BLOCK as u32 % bits)) - 1;
            let r = match (i / BLOCK % 2, i / 8 % 4) {
                (0, _) => random,
                (_, 0) => t,
                (_, 1) => t.wrapping_sub(1),
                (_, 2) => t + 1,
                _ => t & !free | random & free,
            };
            Draw { slot, r: r & u128::MAX >> (128 - bits), b }
        };
        (0..blocks * BLOCK).map(draw).collect()
    }

    /// Byte of a block and bit in it of bit i of (slot, r, b) of a lane.
    fn place(&self, lane: usize, i: usize) -> (usize, usize) {
        let (a, p) = (self.table.slot_bits() as usize, self.table.precision() as usize);
        if self.sampler.form() == Form::Planes {
            return (i * BLOCK / 8 + lane / 8, lane % 8);
        }
        let index = 8 * (a + usize::from(self.sampler.kind().is_signed())).div_ceil(8);
        let surplus = (p - a).next_multiple_of(8) - (p - a);
        let at = if i < a {
            i
        } else if i < p {
            index + surplus + i - a
        } else {
            index - 1
        };
        (at / 8 * BLOCK + lane, at % 8)
    }

    /// The random bytes of these draws; bits that belong to none of them are random as well.
    fn bytes(&self, draws: &[Draw]) -> Vec<u8> {
        let (a, p) = (self.table.slot_bits() as usize, self.table.precision() as usize);
        let block = self.sampler.kernel.block_bytes();
        let mut bytes = vec![0; draws.len() / BLOCK * block];
        stream(3).fill(&mut bytes);
        for (i, draw) in draws.iter().enumerate() {
            let bytes = &mut bytes[i / BLOCK * block..];
            for j in 0..p + usize::from(self.sampler.kind().is_signed()) {
                let bit = match j {
                    _ if j < a => draw.slot >> j & 1 == 1,
                    _ if j < p => draw.r >> (j - a) & 1 == 1,
                    _ => draw.b,
                };
                let (byte, at) = self.place(i % BLOCK, j);
                bytes[byte] = bytes[byte] & !(1 << at) | u8::from(bit) << at;
            }
        }
        bytes
    }

    /// The samples of these draws, by the definitions alone.
    fn samples(&self, draws: &[Draw]) -> Vec<i64> {
        let sample = |draw: &Draw| {
            let z = i64::from(self.table.value_vartime(draw.slot, draw.r));
            match (self.sampler.kind(), draw.b) {
                (Kind::Full, true) | (Kind::Bimodal, false) => -z,
                (Kind::Bimodal, true) => z + 1,
                _ => z,
            }
        };
        let drawn: Vec<i64> = draws.iter().map(sample).collect();
        let Some(k) = self.sampler.factor() else { return drawn };
        let sum = |pair: &[i64]| {
            let (x1, x2) = pair.split_at(BLOCK);
            x1.iter().zip(x2).map(|(x1, x2)| x1 + i64::from(k) * x2).collect::<Vec<_>>()
        };
        drawn.chunks_exact(2 * BLOCK).flat_map(sum).collect()
    }
}

/// A source of given bytes.
struct Random<'a>(&'a [u8]);

impl Source for Random<'_> {
    fn fill(&mut self, out: &mut [u8]) {
        let (bytes, rest) = self.0.split_at(out.len());
        out.copy_from_slice(bytes);
        self.0 = rest;
    }
}

/// Eight blocks, of which the odd ones have ties: exact agreement on every instruction set.
#[test]
fn every_backend_computes_the_alias_table() {
    for builder in configurations() {
        let sampler = builder.build().unwrap();
        let layout = Layout::of(&sampler);
        let draws = layout.draws(8);
        let (random, want) = (layout.bytes(&draws), layout.samples(&draws));
        for isa in Isa::all() {
            let mut got = vec![0_i64; want.len()];
            let on = builder.clone().isa(isa).build().unwrap();
            on.fill_with(&mut Random(&random), &mut Scratch::new(), &mut got);
            let wrong = got.iter().zip(&want).position(|(g, w)| g != w);
            assert!(wrong.is_none(), "{isa} {builder:?}: lane {wrong:?}");
        }
    }
}

/// The comparison above has the power to see any two lanes of a block swapped: no two have the same
/// samples in all blocks.
#[test]
fn swapped_lanes_are_seen() {
    let sampler = Bitslice::builder().sigma(215.0).direct().build().unwrap();
    let layout = Layout::of(&sampler);
    let samples = layout.samples(&layout.draws(8));
    let lane = |lane| samples.iter().skip(lane).step_by(BLOCK).collect::<Vec<_>>();
    let mut lanes: Vec<_> = (0..BLOCK).map(lane).collect();
    lanes.sort();
    lanes.dedup();
    assert_eq!(lanes.len(), BLOCK);
}

/// Where fills begin: on a block, within one, and so that the low half of the counter wraps in a
/// long fill, but not in a short one.
fn streams(isa: Isa) -> [Stream; 4] {
    let stream = |start, skip| {
        let mut stream = Stream::new_on(isa, KeySize::Aes128, &[7; 16], start);
        stream.fill(&mut vec![0; skip]);
        stream
    };
    [stream(9, 0), stream(1 << 70, 48), stream(9, 7), stream((1 << 64) - 4000, 0)]
}

/// One seed, one stream: on every instruction set, which may interleave encryption with its work,
/// the samples and the place in the stream are the same.
#[test]
fn one_seed_gives_one_stream() {
    const LENGTHS: [usize; 8] =
        [1, 64, BLOCK + 1, 3 * BLOCK, 4 * BLOCK - 1, 8 * BLOCK, 9 * BLOCK + 1, 30 * BLOCK];
    for builder in configurations() {
        let drawn = |isa| {
            let sampler = builder.clone().isa(isa).build().unwrap();
            let fill = |(stream, len): (&mut Stream, usize)| {
                let mut out = vec![0_i32; len];
                sampler.fill(stream, &mut out);
                (out, stream.position())
            };
            streams(isa).map(|mut stream| LENGTHS.map(|len| fill((&mut stream, len))))
        };
        let want = drawn(Isa::PORTABLE);
        for isa in Isa::all().skip(1) {
            for (got, want) in drawn(isa).iter().flatten().zip(want.iter().flatten()) {
                assert!(got == want, "{isa}, {} samples of {builder:?}", want.0.len());
            }
        }
    }
}

/// A fill begins as a longer one does, for every type of samples.
#[test]
fn short_fills_are_the_beginnings_of_long_ones() {
    for builder in configurations() {
        let sampler = builder.build().unwrap();
        let mut want = vec![0_i64; 5 * BLOCK];
        sampler.fill(&mut stream(1), &mut want);
        for len in [0, 1, 63, 64, 65, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 4 * BLOCK + 7] {
            let (mut words, mut ints) = (vec![0_i16; len], vec![0_i32; len]);
            if sampler.try_fill(&mut stream(1), &mut words).is_ok() {
                assert!(words.iter().zip(&want).all(|(&x, &y)| i64::from(x) == y), "{builder:?}");
            }
            sampler.fill(&mut stream(1), &mut ints);
            assert!(ints.iter().zip(&want).all(|(&x, &y)| i64::from(x) == y), "{builder:?}");
        }
    }
}

/// Impossible parameters are refused with an error that says what would work, and that works.
#[test]
fn impossible_requests_say_what_would_work() {
    let sigma = |s: f64| Bitslice::builder().sigma(s);
    for s in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-300, 1e300, 1e9] {
        assert!(matches!(sigma(s).build(), Err(Error::Sigma { .. })), "sigma {s}");
    }
    assert!(matches!(Bitslice::builder().build(), Err(Error::Sigma { .. })), "no sigma given");
    for precision in [0, 1, 31, 129, u32::MAX] {
        assert!(matches!(sigma(2.0).precision(precision).build(), Err(Error::Precision { .. })));
    }
    let Err(Error::Bits { needed, .. }) = sigma(215.0).direct().bits(10).build() else {
        panic!("sigma 215 does not fit 10 bits")
    };
    assert_eq!(needed, 11);
    sigma(215.0).direct().bits(11).build().unwrap();
    sigma(2.0).bits(5).build().unwrap();
    let Err(Error::Tail { needed, .. }) = sigma(10.0).tail(12.0).build() else {
        panic!("64 bits do not reach 12 sigma")
    };
    sigma(10.0).precision(needed as u32).tail(12.0).build().unwrap();
    assert!(matches!(sigma(10.0).tail(f64::NAN).build(), Err(Error::Tail { .. })));
    for s in [0.01, 1e9] {
        let Err(Error::Sigma { least, limit, .. }) = sigma(s).build() else { panic!("sigma {s}") };
        sigma(least).build().unwrap();
        sigma(limit - 1.0).build().unwrap();
    }
    // Circuits exist for the folded half of a few widths at their own precision.
    for planes in [
        sigma(2.5),
        sigma(2.0).precision(65),
        sigma(2.0).kind(Kind::Bimodal),
        sigma(2.0).kind(Kind::UnfoldedHalf),
        sigma(215.0).direct(),
        sigma(215.0),
    ] {
        let refused = planes.clone().form(Form::Planes).build();
        assert!(matches!(refused, Err(Error::NoCircuit { .. })), "{planes:?}");
        planes.form(Form::Bytes).build().unwrap();
    }
    let wide = Bitslice::new(215.0).unwrap();
    assert!(matches!(wide.try_fill(&mut stream(2), &mut [0_i8; 3]), Err(Error::Output { .. })));
}

/// Published distances of every preset, of two tables of bytes and of the sums: recomputed here.
#[test]
fn distances_of_presets_and_sums() {
    let presets = Preset::ALL.iter().map(|preset| (preset.sigma(), preset.precision()));
    for (sigma, precision) in presets.chain([(10.0, 64), (34.0, 64)]) {
        let s = Bitslice::builder().sigma(sigma).precision(precision).build().unwrap();
        s.distance().assert_acceptable(s.pmf().masses().len(), s.sigma(), s.precision());
    }
    for (sigma, precision, k, statistical) in [(215.0, 64, 11, -60.0), (215.0, 128, 10, -123.0)] {
        let s = Bitslice::builder().sigma(sigma).precision(precision).build().unwrap();
        assert_eq!(s.factor(), Some(k));
        let d = s.distance();
        assert!(d.log2_statistical < statistical, "sigma {sigma} precision {precision}: {d:?}");
        assert!(d.log2_renyi < statistical, "{d:?}");
    }
}

/// The range that an error states does not depend on the side on which sigma is out of range.
#[test]
fn ranges_are_those_of_the_sampler() {
    for precision in [32, 64, 128] {
        for kind in [Kind::Full, Kind::Bimodal] {
            let range = |sigma| {
                let builder = Bitslice::builder().sigma(sigma).precision(precision).kind(kind);
                match builder.build() {
                    Err(Error::Sigma { least, limit, .. }) => (least, limit),
                    other => panic!("sigma {sigma}: {other:?}"),
                }
            };
            assert_eq!(range(0.01), range(1e9), "{kind:?}, {precision} bits");
        }
    }
}

#[test]
fn impossible_adjustments_are_refused() {
    let base = Bitslice::builder().sigma(2.0);
    for sigma in [0.0, 0.1, 2.01, -1.0, f64::NAN, f64::INFINITY] {
        let refused = Adjusted::new(&base, Width::public(sigma));
        assert!(matches!(refused, Err(Error::Adjust { .. })), "{sigma}");
    }
    assert!(Adjusted::new(&base, Width::scaled(0.5, 3.0)).is_err(), "s_min beyond s'");
    // Next to nothing, or nothing at all, would ever be accepted.
    for s_min in [0.0, 1e-300, 1e-30, 0.124, -1.0, f64::NAN] {
        let refused = Adjusted::new(&base, Width::scaled(0.5, s_min));
        assert!(matches!(refused, Err(Error::Adjust { .. })), "{s_min}");
    }
    assert!(Adjusted::new(&base, Width::scaled(0.5, 0.125)).is_ok(), "s / 16");
    let adjusted = Adjusted::new(&base, Width::public(2.0)).unwrap();
    let limit = f64::from(1 << 30);
    let inside = [0.5, limit - 1.0, 1.0 - limit];
    assert!(adjusted.fill_centres(&inside, &mut stream(0), &mut [0_i64; 3]).is_ok());
    for centre in [limit, -limit, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(
            adjusted.fill(centre, &mut stream(0), &mut [0_i32]),
            Err(Error::Centre { .. })
        ));
        let many = adjusted.fill_centres(&[0.0, centre], &mut stream(0), &mut [0_i64; 2]);
        assert!(matches!(many, Err(Error::Centre { .. })));
    }
    let uneven = adjusted.fill_centres(&[0.0], &mut stream(0), &mut [0_i64; 2]);
    assert!(matches!(uneven, Err(Error::Length { .. })));
}
