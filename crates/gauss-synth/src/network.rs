//! [`Network`]: a hash-consed graph of LUT3 nodes with complemented edges.

use std::collections::BTreeMap;

/// A node or input, possibly complemented: 2 id + complement. Id 0 is the constant false,
/// 1..=inputs the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Signal(u32);

impl Signal {
    pub(crate) const FALSE: Self = Self(0);
    pub(crate) const TRUE: Self = Self(1);

    pub(crate) const fn node(id: u32) -> Self {
        Self(id << 1)
    }

    pub(crate) const fn id(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) const fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) const fn complement_if(self, c: bool) -> Self {
        Self(self.0 ^ c as u32)
    }
}

/// A LUT3 and the ids of its three inputs (0 where it does not depend on one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node {
    pub(crate) imm: u8,
    pub(crate) inputs: [u32; 3],
}

#[derive(Debug)]
pub(crate) struct Network {
    inputs: u32,
    nodes: Vec<Node>,
    known: BTreeMap<Node, u32>,
}

// Truth tables of LUT3 nodes: bit 4a + 2b + c, as in the immediate of `vpternlog`.

/// !a & b | !a & c | b & c: the majority of (!a, b, c).
pub(crate) const MAJORITY_NOT_A: u8 = 0b1000_1110;
/// a ? b : c.
pub(crate) const MUX: u8 = 0b1100_1010;
/// a ^ b.
pub(crate) const XOR: u8 = 0b0011_1100;

/// Weight of each operand in the index of the immediate.
const WEIGHT: [u8; 3] = [4, 2, 1];

/// The immediate whose bit i is bit `from(i)` of `imm`.
fn permuted(imm: u8, from: impl Fn(u8) -> u8) -> u8 {
    (0..8).fold(0, |out, i| out | (imm >> from(i) & 1) << i)
}

impl Network {
    pub(crate) fn new(inputs: usize) -> Self {
        Self { inputs: inputs as u32, nodes: Vec::new(), known: BTreeMap::new() }
    }

    pub(crate) fn input(&self, i: usize) -> Signal {
        debug_assert!(i < self.inputs as usize, "input {i} of {}", self.inputs);
        Signal::node(i as u32 + 1)
    }

    pub(crate) fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// The node of that id, if it is neither a constant nor an input.
    pub(crate) fn get(&self, id: u32) -> Option<&Node> {
        self.nodes.get(id.checked_sub(self.inputs + 1)? as usize)
    }

    /// The signal f(a, b, c), with f given by its truth table: reuses constants, inputs and equal
    /// nodes.
    pub(crate) fn lut(&mut self, imm: u8, operands: [Signal; 3]) -> Signal {
        let mut f = imm;
        let mut ids = operands.map(Signal::id);
        for k in 0..3 {
            let w = WEIGHT[k];
            if operands[k].is_complement() {
                f = permuted(f, |i| i ^ w);
            }
            if ids[k] == 0 {
                f = permuted(f, |i| i & !w);
            }
            // An operand that repeats an earlier one follows it.
            for l in 0..k {
                if ids[k] == ids[l] && ids[k] != 0 {
                    f = permuted(f, |i| if i & WEIGHT[l] != 0 { i | w } else { i & !w });
                    ids[k] = 0;
                }
            }
        }
        for k in 0..3 {
            if permuted(f, |i| i ^ WEIGHT[k]) == f {
                ids[k] = 0;
            }
        }
        match f {
            0x00 => return Signal::FALSE,
            0xff => return Signal::TRUE,
            _ => {}
        }
        let complement = f & 1 == 1;
        if let [id] = ids.iter().filter(|&&id| id != 0).collect::<Vec<_>>()[..] {
            return Signal::node(*id).complement_if(complement);
        }
        if complement {
            f = !f;
        }
        // Canonical operand order: ids descending.
        let mut order = [0, 1, 2];
        order.sort_by_key(|&k| core::cmp::Reverse(ids[k]));
        let f = permuted(f, |i| {
            (0..3).fold(0, |j, q| if i & WEIGHT[q] != 0 { j | WEIGHT[order[q]] } else { j })
        });
        let node = Node { imm: f, inputs: order.map(|k| ids[k]) };
        let next = self.inputs + 1 + self.nodes.len() as u32;
        let id = *self.known.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        Signal::node(id).complement_if(complement)
    }
}
