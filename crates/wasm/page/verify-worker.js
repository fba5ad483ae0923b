// One check, in a thread of its own: the page ends it by ending the worker.

onmessage = ({ data: { wasm, statement, proof, context, required, insecure } }) => {
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
        const { lambda, w, r, v, l, b, bindingBits } = checked;
        say("parameters", { lambda, w, r, v, l, b, bindingBits });
        // A longer file is no proof of this statement.
        const bytes = new Uint8Array(
            new FileReaderSync().readAsArrayBuffer(proof.slice(0, checked.maxProofBytes + 1)),
        );
        try {
            const shown = checked.verify(new TextEncoder().encode(context), bytes, required);
            const seconds = (performance.now() - start) / 1000;
            say("valid", { shown, context, met: required, seconds });
        } catch (error) {
            if (error instanceof WebAssembly.RuntimeError) throw error;
            const { name, message, requirement } = error;
            if (name === "InvalidProof") say("invalid", { reason: message, requirement });
            else say("error", message);
        }
        try {
            say("hash", checked.sha256());
        } catch (error) {
            say("hash", error.message);
        }
    } catch (error) {
        const trapped = error instanceof WebAssembly.RuntimeError;
        say("error", trapped ? "the check needs more memory than a page has" : error.message);
    }
};
