//! The results that the README's table and the picture of throughput show.

use Unit::{Bytes, Macs, Million, Milliseconds, MillisecondsEach};

/// How a figure is printed.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Milliseconds an iteration.
    Milliseconds,
    /// Milliseconds each, of that many in an iteration.
    MillisecondsEach(u32),
    /// Million elements a second.
    Million,
    /// 10^9 multiply-and-adds a second.
    Macs,
    /// GB/s or MB/s.
    Bytes,
}

/// A row of the table.
pub struct Row {
    pub what: &'static str,
    pub unit: Unit,
    /// `{best}` stands for the instruction set.
    pub id: &'static str,
    /// A peer, and its id.
    pub peer: Option<(&'static str, &'static str)>,
    /// The name that it has in the picture, if it is there.
    pub drawn: Option<&'static str>,
}

const fn row(what: &'static str, unit: Unit, id: &'static str) -> Row {
    Row { what, unit, id, peer: None, drawn: None }
}

impl Row {
    const fn beside(self, peer: &'static str, id: &'static str) -> Self {
        Self { peer: Some((peer, id)), ..self }
    }

    const fn drawn(self, name: &'static str) -> Self {
        Self { drawn: Some(name), ..self }
    }
}

const NORMAL: &str = "rand_distr Normal rounded, which is no discrete Gaussian";
pub const ROWS: &[Row] = &[
    row("proof of 4096 preimages (T4-128), mean attempts", Milliseconds, "prove/T4-128/{best}"),
    row("its check, T in memory", Milliseconds, "verify-loaded/T4-128/{best}"),
    row("its check, T read from a file", Milliseconds, "verify/T4-128/{best}"),
    row("its check, one of a batch of 16", MillisecondsEach(16), "verify-16/T4-128/{best}"),
    row("commitment T = A S for it", Milliseconds, "commit/T4-128/{best}"),
    row("FACCT, sigma = 215 (or any other)", Million, "facct/sigma=215/{best}")
        .beside(NORMAL, "rand/sigma=1e6/peer: rand_distr Normal + round, ChaCha12")
        .drawn("FACCT / rounded Normal"),
    row("bit-sliced, sigma = 2, 64 bits", Million, "bitslice/sigma 2 p64 planes/{best}")
        .beside(NORMAL, "bitslice/rand_distr Normal rounded, sigma 2/any")
        .drawn("bit-sliced / rounded Normal"),
    row("Ziggurat, sigma = 215 (variable time)", Million, "ziggurat/sigma=215,m=512/{best}")
        .beside(NORMAL, "ziggurat/sigma=215/peer: rand_distr Normal + round, ChaCha12")
        .drawn("Ziggurat / rounded Normal"),
    row("AES-128-CTR", Bytes, "keystream/AES-128/{best}")
        .beside("the bare block function", "keystream/AES-128/peer: aes encrypt_blocks alone")
        .drawn("AES-CTR / block function"),
    row("product modulo 2^8, 1024^3", Macs, "square/w8-1024/{best}")
        .beside("nalgebra", "square/w8-1024/nalgebra"),
    row("product modulo 2^32, 1024^3", Macs, "square/w32-1024/{best}")
        .beside("nalgebra", "square/w32-1024/nalgebra")
        .drawn("product mod 2^32 / nalgebra"),
    row("product modulo 2^64, 1024^3", Macs, "square/w64-1024/{best}")
        .beside("nalgebra", "square/w64-1024/nalgebra")
        .drawn("product mod 2^64 / nalgebra"),
    row("Thin-ICE, 64 KiB, constant time", Bytes, "encrypt/0-8192/{best}")
        .beside("icefast (tables)", "encrypt/0-8192/icefast"),
    row("ICE, 64 KiB, constant time", Bytes, "encrypt/1-8192/{best}")
        .beside("icefast (tables)", "encrypt/1-8192/icefast")
        .drawn("ICE / icefast"),
    row("exponentiation of 2048 bits, odd modulus", Milliseconds, "modexp-odd/2048/{best}")
        .beside("crypto-bigint", "modexp-odd/2048/crypto-bigint")
        .drawn("modexp, 2048 bits / crypto-bigint"),
    row(
        "exponentiation of 2048 bits, odd modulus, AVX2 alone",
        Milliseconds,
        "modexp-odd/2048/avx2",
    )
    .beside("crypto-bigint", "modexp-odd/2048/crypto-bigint"),
    row("exponentiation of 2048 bits, even modulus", Milliseconds, "modexp-even/2048/{best}")
        .beside("num-bigint (variable time)", "modexp-even/2048/num-bigint"),
    row(
        "exponentiation of 2048 bits, any modulus, one of eight at once",
        MillisecondsEach(8),
        "modexp-even/2048/ifma-8-lanes",
    )
    .beside("num-bigint (variable time)", "modexp-even/2048/num-bigint"),
];
