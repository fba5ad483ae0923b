// Searches for parameters, in a thread of its own: the page ends them by ending the worker.

onmessage = ({ data: { wasm, kind, fields, columns } }) => {
    wasm_bindgen.initSync({ module: wasm });
    const { Plan } = wasm_bindgen;
    const find = {
        knowledge: (count) => Plan.knowledge(count, fields.bound, fields.whole),
        gaussian: (count) => Plan.gaussian(count, fields.proofs),
        ranges: (count) => Plan.ranges(fields.rows, count, ...fields.range),
        keys: (count) => Plan.keys(count, fields.bound),
        kem: (count) => Plan.mlKem(fields.set, count),
        preset: (count) => Plan.preset(fields.preset, count),
    }[kind];
    for (const count of columns) {
        try {
            const { w, r, v, l, attempts, log2Norm, bindingBits, hidingBits, statementBytes, proofBytes, seconds } = find(count);
            postMessage({ count, plan: { w, r, v, l, attempts, log2Norm, bindingBits, hidingBits, statementBytes, proofBytes, seconds } });
        } catch (error) {
            postMessage({ count, error: error.message });
            if (error instanceof WebAssembly.RuntimeError) return;
        }
    }
    postMessage({});
};
