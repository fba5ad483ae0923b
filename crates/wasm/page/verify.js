const files = { statement: null, proof: null };
let worker = null;

/** Fields of a requirement, with a value to begin with. */
const FIELDS = {
    range: [["Rows, as 8 or FIRST+ROWS", "8"], ["Least", "0"], ["Largest", "1"]],
    norm: [["Rows, as 8 or FIRST+ROWS", "8"], ["Squared norm, at most", "8"]],
    "exact-keys": [["Secrets up to", "1"], ["Errors up to", "1"]],
};

/** A verdict: its kind, a sign and a title, and what belongs to it. */
function show(kind, title, ...parts) {
    const signs = { valid: "\u2713", invalid: "\u2717", error: "?", weak: "!" };
    const head = make("p", title);
    if (signs[kind]) head.prepend(make("span", `${signs[kind]} `, { "aria-hidden": "true" }));
    element("verdict").className = kind;
    element("verdict").replaceChildren(head, ...parts);
    element("progress").hidden = kind !== "busy";
}

const none = (reason) => show("error", "No verdict", make("p", `${reason}.`));

/** "statement", "proof" or null, by a file's first eight bytes. */
async function kindOf(file) {
    const start = new TextDecoder("latin1").decode(await file.slice(0, 8).arrayBuffer());
    if (start === "TCZKstmt") return "statement";
    return /^TCZK(prf|clm|key)\0$/.test(start) ? "proof" : null;
}

/** The requirements that are chosen. */
function required() {
    const values = [...element("fields").querySelectorAll("input")].map(({ value }) => value.trim());
    const kind = element("require").value;
    return kind ? [[kind, ...values].join(":")] : values.join(" ").split(/\s+/).filter(Boolean);
}

function showParameters(p) {
    fill(element("parameters"), [
        ["SHA-256 of its file", "being computed", { id: "hash" }],
        ["matrices", `A ${p.r} x ${p.v}, S ${p.v} x ${p.l}, modulo 2^${p.w}`],
        ["security", `${p.lambda} bits are claimed for hash and challenge; binding has ${p.bindingBits.toFixed(1)} bits (classical core-SVP)`],
        ["an honest S has", `entries up to ${p.b} in absolute value`],
    ]);
}

function showValid({ shown, context, met, seconds }) {
    const bits = (number) => `${number.toFixed(1)} bits`;
    const items = [
        `its author knew, for each of the ${shown.columns} columns t of T, an integer vector s with A s = t modulo 2^${shown.w} and a norm of at most 2^${shown.log2Norm.toFixed(1)}`,
    ];
    if (shown.kind !== "knowledge") items.push(`exactly: ${shown.text}`);
    if (met.length > 0) items.push(`all that is required: ${met.join(", ")}`);
    else if (shown.requirements.length > 0) items.push(`so it meets, if required: ${shown.requirements.join(", ")}`);
    items.push(`security: binding ${bits(shown.bindingBits)}; hiding ${bits(shown.hidingBits)} if the rest of S is secret and honest`);
    const list = document.createElement("ul");
    list.append(...items.map((text) => make("li", text)));
    const [kind, title] = shown.secure
        ? ["valid", "Valid"]
        : ["weak", "Valid, but the parameters are insecure: this shows little or nothing"];
    const of = context ? `In the context \u201c${context}\u201d` : "Without a context, that is for any purpose,";
    show(kind, title, make("p", `${of} the proof shows:`), list, make("p", `Checked in ${seconds.toFixed(2)} s.`));
}

function showInvalid({ reason, requirement }) {
    if (requirement) {
        const less = make("p", `The proof is valid, but shows less than is required: ${reason}.`);
        show("invalid", "Not enough", less);
        return;
    }
    const hint = reason.includes("another context") ? " Is the context the one that it was made for?" : "";
    show("invalid", "Not valid", make("p", `The proof shows nothing here: ${reason}.${hint}`));
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
    const act = {
        progress: (value) => (element("progress").value = value),
        parameters: showParameters,
        hash: (value) => (element("hash").textContent = value),
        valid: showValid,
        invalid: showInvalid,
        error: (reason) => none(/circuit or public keys/.test(reason) ? `${reason}; the programs circuit verify and keys verify do that` : reason),
    };
    started.onmessage = ({ data: { kind, value } }) => {
        if (worker === started) act[kind](value);
    };
    started.onerror = (event) => {
        if (worker === started) none(event.message);
    };
    const module = await wasm;
    if (worker !== started) return;
    started.postMessage({
        wasm: module,
        statement,
        proof,
        context: element("context").value,
        required: required(),
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
            none(`${file.name} cannot be read`);
            return;
        }
        if (kind === null || (wanted && kind !== wanted)) {
            const what = kind === null ? "neither a statement nor a proof" : `a ${kind}, no ${wanted}`;
            none(`${file.name} is ${what}`);
            return;
        }
        files[kind] = file;
        // The browser shows the name.
        const chosen = new DataTransfer();
        chosen.items.add(file);
        element(kind).files = chosen.files;
        element(`${kind}-size`).textContent = size(file.size);
    }
    await check();
}

/** The files of the page, with one bit of the proof altered, or none. */
function takeSample(altered) {
    const proof = bytesIn("sample-proof");
    proof[proof.length >> 1] ^= altered ? 1 : 0;
    element("context").value = element("sample-proof").dataset.context;
    take([
        new File([bytesIn("sample-statement")], "sample.lzs"),
        new File([proof], altered ? "altered.lzp" : "sample.lzp"),
    ]);
}

const checkAgain = () => { if (files.statement && files.proof) check(); };
for (const kind of ["statement", "proof"]) {
    element(kind).addEventListener("change", (event) => take(event.target.files, kind));
}
for (const id of ["context", "insecure", "fields"]) element(id).addEventListener("change", checkAgain);
element("require").addEventListener("change", ({ target }) => {
    const other = target.selectedIndex === target.length - 1 ? [["Requirements, with spaces between", ""]] : [];
    const fields = (FIELDS[target.value] ?? other).map(([name, value]) => {
        const label = make("label", `${name} `, { class: target.value ? "inline" : "" });
        const input = make("input", "", { type: "text" });
        input.value = value;
        label.append(input);
        return label;
    });
    element("fields").replaceChildren(...fields);
    checkAgain();
});
element("sample").addEventListener("click", () => takeSample(false));
element("altered").addEventListener("click", () => takeSample(true));
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("dragover", (event) => {
    event.preventDefault();
    element("drop").classList.add("over");
});
document.addEventListener("dragleave", () => element("drop").classList.remove("over"));
document.addEventListener("drop", (event) => {
    event.preventDefault();
    element("drop").classList.remove("over");
    take([...event.dataTransfer.files]);
});
