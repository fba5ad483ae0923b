//! [`Circuit`]: a straight list of LUT3 operations, dead ones removed.

use crate::network::{Network, Signal};

/// One LUT3: value index of each operand (0 false, 1..=inputs the inputs, then one for each earlier
/// operation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// Truth table, bit 4a + 2b + c.
    pub imm: u8,
    /// Operands a, b, c.
    pub operands: [u32; 3],
}

/// A Boolean circuit in evaluation order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuit {
    inputs: usize,
    ops: Vec<Op>,
    /// Value index of each output.
    outputs: Vec<u32>,
}

impl Circuit {
    /// Retains what `outputs` need, in creation order (which runs bit by bit along the comparator).
    pub(crate) fn from_network(net: &Network, outputs: &[Signal]) -> Self {
        let inputs = net.inputs() as u32;
        let mut live: Vec<u32> = Vec::new();
        let mut todo: Vec<u32> = outputs.iter().map(|s| s.id()).collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(id) = todo.pop() {
            if let Some(node) = net.get(id)
                && seen.insert(id)
            {
                live.push(id);
                todo.extend(node.inputs);
            }
        }
        live.sort_unstable();
        let place = |id: u32| match live.binary_search(&id) {
            Ok(at) => inputs + 1 + at as u32,
            Err(_) => id,
        };
        let mut ops: Vec<Op> = live
            .iter()
            .filter_map(|&id| net.get(id))
            .map(|node| {
                // An operand that the function ignores repeats the first, which every node has.
                let [a, b, c] = node.inputs;
                let used = |id| place(if id == 0 { a } else { id });
                Op { imm: node.imm, operands: [place(a), used(b), used(c)] }
            })
            .collect();
        let mut ends = Vec::with_capacity(outputs.len());
        for s in outputs {
            let value = place(s.id());
            if s.is_complement() {
                // !a, as an operation of its own.
                ops.push(Op { imm: 0x0f, operands: [value; 3] });
                ends.push(inputs + ops.len() as u32);
            } else {
                ends.push(value);
            }
        }
        Self { inputs: inputs as usize, ops, outputs: ends }
    }

    /// Number of input bits.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The operations; operation i defines value inputs + 1 + i.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Value index of each output bit, least significant first.
    #[must_use]
    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }

    /// The definition, 64 lanes at a time.
    ///
    /// # Panics
    /// If there is not one word for each input.
    #[must_use]
    pub fn evaluate(&self, inputs: &[u64]) -> Vec<u64> {
        assert_eq!(inputs.len(), self.inputs, "one word for each input");
        let mut values = Vec::with_capacity(1 + self.inputs + self.ops.len());
        values.push(0);
        values.extend_from_slice(inputs);
        for op in &self.ops {
            let [a, b, c] = op.operands.map(|i| values[i as usize]);
            values.push((0..8).filter(|i| op.imm >> i & 1 == 1).fold(0, |out, i: u8| {
                let side = |x: u64, w: u8| if i & w != 0 { x } else { !x };
                out | side(a, 4) & side(b, 2) & side(c, 1)
            }));
        }
        self.outputs.iter().map(|&i| values[i as usize]).collect()
    }
}
