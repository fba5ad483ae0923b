"use strict";
const element = (id) => document.getElementById(id);
const files = { statement: null, proof: null };
let worker = null;

// The same module serves every worker.
const wasm = WebAssembly.compile(
    Uint8Array.from(atob(element("wasm").textContent), (char) => char.charCodeAt(0)),
);
const script = URL.createObjectURL(
    new Blob([element("worker").textContent], { type: "text/javascript" }),
);

function show(kind, text) {
    element("verdict").className = kind;
    element("verdict").textContent = text;
    element("progress").hidden = kind !== "busy";
}

/** "statement", "proof" or null, by a file's first eight bytes. */
async function kindOf(file) {
    const start = new TextDecoder("latin1").decode(await file.slice(0, 8).arrayBuffer());
    return { TCZKstmt: "statement", "TCZKprf\0": "proof" }[start] ?? null;
}

function showParameters(p) {
    const rows = [
        ["matrices", `A ${p.r} x ${p.v}, S ${p.v} x ${p.l}, modulo 2^${p.w}`],
        ["security", `${p.lambda} bits are claimed: binding ${p.bindingBits.toFixed(1)} bits, hiding ${p.hidingBits.toFixed(1)} bits if all rows of S are secret and honest (classical core-SVP)`],
        ["a valid proof shows", `for every column t of T, an integer vector s with A s = t modulo 2^${p.w} and a norm of at most 2^${p.log2Norm.toFixed(1)}`],
        ["an honest S has", `entries up to ${p.b} in absolute value`],
    ];
    const body = element("parameters").tBodies[0];
    body.replaceChildren(
        ...rows.map((cells) => {
            const row = document.createElement("tr");
            row.append(...cells.map((text) => {
                const cell = document.createElement("td");
                cell.textContent = text;
                return cell;
            }));
            return row;
        }),
    );
    element("parameters").hidden = false;
}

function showInvalid(reason) {
    const hint = reason.includes("another context") ? " Is the context the one that it was made for?" : "";
    show("invalid", `Not valid: ${reason}.${hint}`);
}

/** Ends a check that runs. */
function stop() {
    worker?.terminate();
    worker = null;
}

async function check() {
    stop();
    element("parameters").hidden = true;
    const { statement, proof } = files;
    if (!statement || !proof) {
        show("", `Now the ${statement ? "proof" : "statement"}.`);
        return;
    }
    show("busy", "Checking ...");
    element("progress").value = 0;
    const started = new Worker(script);
    worker = started;
    const finish = (act) => {
        started.terminate();
        if (worker === started) {
            worker = null;
            act();
        }
    };
    started.onmessage = ({ data: { kind, value } }) => {
        if (worker !== started) return;
        if (kind === "progress") element("progress").value = value;
        else if (kind === "parameters") showParameters(value);
        else if (kind === "valid") finish(() => show("valid", `Valid (${(value / 1000).toFixed(2)} s).`));
        else if (kind === "invalid") finish(() => showInvalid(value));
        else finish(() => show("error", `No verdict: ${value}.`));
    };
    started.onerror = (event) => finish(() => show("error", `No verdict: ${event.message}.`));
    const module = await wasm;
    if (worker !== started) return;
    started.postMessage({
        wasm: module,
        statement,
        proof,
        context: element("context").value,
        insecure: element("insecure").checked,
    });
}

/** Takes files, each as what it is, or refuses them. */
async function take(list, wanted) {
    stop();
    for (const file of list) {
        let kind;
        try {
            kind = await kindOf(file);
        } catch {
            show("error", `${file.name} cannot be read.`);
            return;
        }
        if (kind === null || (wanted && kind !== wanted)) {
            const what = kind === null ? "neither a statement nor a proof" : `a ${kind}, no ${wanted}`;
            show("error", `${file.name} is ${what}.`);
            return;
        }
        files[kind] = file;
        element(`${kind}-name`).textContent = `${file.name}, ${file.size} bytes`;
    }
    await check();
}

for (const kind of ["statement", "proof"]) {
    element(kind).addEventListener("change", (event) => take(event.target.files, kind));
}
for (const id of ["context", "insecure"]) {
    element(id).addEventListener("change", () => { if (files.statement && files.proof) check(); });
}
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
});
document.addEventListener("dragleave", () => document.body.classList.remove("over"));
document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("over");
    take([...event.dataTransfer.files]);
});
