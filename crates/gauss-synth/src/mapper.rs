//! [`Mapper`]: truth tables with don't-cares to LUT3 nodes.
//!
//! Over the five lowest slot bits a function is one 32-bit word. It is, in this order: a signal
//! already in the pool (or its complement), one LUT3 of two or three pool signals found by
//! exhaustion, or a Shannon split whose other half is don't-care. Most threshold bits become one
//! LUT3. Higher slot bits are split off first.

use std::collections::BTreeMap;

use crate::circuit::Circuit;
use crate::network::{MUX, Network, Signal, XOR};

/// Variables of a leaf function.
const LEAF: usize = 5;
/// Truth tables of the leaf variables.
const VARIABLE: [u32; LEAF] = [0xaaaa_aaaa, 0xcccc_cccc, 0xf0f0_f0f0, 0xff00_ff00, 0xffff_0000];
/// Signals in the pool: the search is cubic in it.
const POOL: usize = 256;

pub(crate) struct Mapper {
    net: Network,
    slot_bits: usize,
    /// Leaf functions (truth table, id) that later ones may build on.
    pool: Vec<(u32, u32)>,
    known: BTreeMap<(u32, u32), Signal>,
}

/// Whether f is constant where c cares.
const fn constant(f: u32, c: u32) -> bool {
    f & c == 0 || f & c == c
}

/// The four cells of two functions within `care`: index 2u + v.
const fn cells(care: u32, u: u32, v: u32) -> [u32; 4] {
    [care & !u & !v, care & !u & v, care & u & !v, care & u & v]
}

impl Mapper {
    /// Over `inputs` inputs; the first `slot_bits` are the slot.
    pub(crate) fn new(inputs: usize, slot_bits: usize) -> Self {
        let pool = (0..slot_bits.min(LEAF)).map(|k| (VARIABLE[k], k as u32 + 1)).collect();
        Self { net: Network::new(inputs), slot_bits, pool, known: BTreeMap::new() }
    }

    pub(crate) fn input(&self, i: usize) -> Signal {
        self.net.input(i)
    }

    pub(crate) fn lut(&mut self, imm: u8, operands: [Signal; 3]) -> Signal {
        self.net.lut(imm, operands)
    }

    pub(crate) fn into_circuit(self, outputs: &[Signal]) -> Circuit {
        Circuit::from_network(&self.net, outputs)
    }

    /// The function of the slot that `f` gives; `None` is don't-care.
    pub(crate) fn function(&mut self, f: impl Fn(usize) -> Option<bool>) -> Signal {
        let words = (1_usize << self.slot_bits).div_ceil(32);
        let (mut table, mut care) = (vec![0_u32; words], vec![0_u32; words]);
        for slot in 0..1_usize << self.slot_bits {
            if let Some(bit) = f(slot) {
                care[slot / 32] |= 1 << (slot % 32);
                table[slot / 32] |= u32::from(bit) << (slot % 32);
            }
        }
        self.split_high(&table, &care)
    }

    /// Shannon splits on the slot bits above the leaf variables.
    fn split_high(&mut self, table: &[u32], care: &[u32]) -> Signal {
        if let ([t], [c]) = (table, care) {
            return self.leaf(*t, *c);
        }
        let half = table.len() / 2;
        let ((t0, t1), (c0, c1)) = (table.split_at(half), care.split_at(half));
        if c0.iter().all(|&c| c == 0) {
            return self.split_high(t1, c1);
        }
        if c1.iter().all(|&c| c == 0) {
            return self.split_high(t0, c0);
        }
        let variable = self.input(LEAF + half.ilog2() as usize);
        // Both halves agree, or are complements, wherever both care: one function serves.
        for flip in [0, u32::MAX] {
            if (0..half).all(|i| (t0[i] ^ t1[i] ^ flip) & c0[i] & c1[i] == 0) {
                let table: Vec<u32> =
                    (0..half).map(|i| t0[i] & c0[i] | (t1[i] ^ flip) & c1[i]).collect();
                let care: Vec<u32> = (0..half).map(|i| c0[i] | c1[i]).collect();
                let common = self.split_high(&table, &care);
                return if flip == 0 {
                    common
                } else {
                    self.lut(XOR, [variable, common, Signal::FALSE])
                };
            }
        }
        let low = self.split_high(t0, c0);
        let high = self.split_high(t1, c1);
        self.lut(MUX, [variable, high, low])
    }

    fn leaf(&mut self, table: u32, care: u32) -> Signal {
        let f = table & care;
        if f == 0 {
            return Signal::FALSE;
        }
        if f == care {
            return Signal::TRUE;
        }
        if let Some(&s) = self.known.get(&(f, care)) {
            return s;
        }
        for &(p, id) in &self.pool {
            if constant(p ^ f, care) {
                return Signal::node(id).complement_if((p ^ f) & care != 0);
            }
        }
        let s = match self.two(f, care).or_else(|| self.three(f, care)) {
            Some(found) => self.combine(f, care, found),
            None => self.split_leaf(f, care),
        };
        if self.pool.len() < POOL && s.id() != 0 && self.pool.iter().all(|&(_, id)| id != s.id()) {
            let table = self.table_of(s.id());
            self.pool.push((table, s.id()));
        }
        self.known.insert((f, care), s);
        s
    }

    /// Pool indices of two signals of which f is a function.
    fn two(&self, f: u32, care: u32) -> Option<[usize; 3]> {
        (1..self.pool.len()).find_map(|i| {
            let u = self.pool[i].0;
            (0..i)
                .find(|&j| cells(care, u, self.pool[j].0).iter().all(|&c| constant(f, c)))
                .map(|j| [i, j, j])
        })
    }

    /// Pool indices of three signals of which f is a function.
    fn three(&self, f: u32, care: u32) -> Option<[usize; 3]> {
        for i in 1..self.pool.len() {
            let u = self.pool[i].0;
            for j in 0..i {
                let mut mixed = [0; 4];
                let mut count = 0;
                for c in cells(care, u, self.pool[j].0) {
                    if !constant(f, c) {
                        mixed[count] = c;
                        count += 1;
                    }
                }
                // In each mixed cell the third signal must be f or its complement: f ^ w is
                // constant there.
                let third = (0..j)
                    .find(|&k| mixed[..count].iter().all(|&c| constant(f ^ self.pool[k].0, c)));
                if let Some(k) = third {
                    return Some([i, j, k]);
                }
            }
        }
        None
    }

    /// f as one LUT3 of three pool signals.
    fn combine(&mut self, f: u32, care: u32, found: [usize; 3]) -> Signal {
        let [u, v, w] = found.map(|i| self.pool[i]);
        let [uv0, uv1, uv2, uv3] = cells(care, u.0, v.0);
        let mut imm = 0;
        for (pair, cell) in [uv0, uv1, uv2, uv3].into_iter().enumerate() {
            for (bit, cell) in [cell & !w.0, cell & w.0].into_iter().enumerate() {
                if cell != 0 && f & cell == cell {
                    imm |= 1 << (2 * pair + bit);
                }
            }
        }
        self.lut(imm, [u, v, w].map(|(_, id)| Signal::node(id)))
    }

    /// Shannon split on the variable that halves the cared-for slots best.
    fn split_leaf(&mut self, f: u32, care: u32) -> Signal {
        let skew = |k: &usize| {
            (care & VARIABLE[*k]).count_ones().abs_diff((care & !VARIABLE[*k]).count_ones())
        };
        let k = (0..self.slot_bits.min(LEAF)).rev().min_by_key(skew).expect("a leaf has variables");
        let low = self.leaf(f, care & !VARIABLE[k]);
        let high = self.leaf(f, care & VARIABLE[k]);
        let variable = self.input(k);
        self.lut(MUX, [variable, high, low])
    }

    /// Truth table of a leaf signal.
    fn table_of(&self, id: u32) -> u32 {
        if let Some(&(table, _)) = self.pool.iter().find(|&&(_, known)| known == id) {
            return table;
        }
        let Some(node) = self.net.get(id) else { return 0 };
        let [a, b, c] = node.inputs.map(|i| self.table_of(i));
        (0..8).filter(|i| node.imm >> i & 1 == 1).fold(0, |out, i: u8| {
            let side = |x: u32, w: u8| if i & w != 0 { x } else { !x };
            out | side(a, 4) & side(b, 2) & side(c, 1)
        })
    }
}
