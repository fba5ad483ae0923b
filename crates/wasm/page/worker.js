// One check, in a thread of its own: the page ends it by ending the worker.

onmessage = ({ data: { wasm, statement, proof, context, insecure } }) => {
    const say = (kind, value) => postMessage({ kind, value });
    try {
        wasm_bindgen.initSync({ module: wasm });
        const total = wasm_bindgen.Statement.bytesRead(statement.size, 1);
        let said = 0;
        const source = watched(fileSource(statement), (bytes) => {
            if (bytes - said > total / 100) {
                said = bytes;
                say("progress", bytes / total);
            }
        });
        const start = performance.now();
        const checked = new wasm_bindgen.Statement(source, insecure);
        const { lambda, w, r, v, l, b, log2Norm, bindingBits, hidingBits } = checked;
        say("parameters", { lambda, w, r, v, l, b, log2Norm, bindingBits, hidingBits });
        // A longer file is no proof of this statement, whatever follows.
        const bytes = new Uint8Array(
            new FileReaderSync().readAsArrayBuffer(proof.slice(0, checked.maxProofBytes + 1)),
        );
        checked.verify(new TextEncoder().encode(context), bytes); // throws unless it is valid
        say("valid", performance.now() - start);
    } catch (error) {
        if (error.name === "InvalidProof") {
            say("invalid", error.message);
            return;
        }
        const trapped = error instanceof WebAssembly.RuntimeError;
        say("error", trapped ? "the check needs more memory than a page has" : error.message);
    }
};
