const KINDS = element("kind");
/** Columns of the curves. */
const COLUMNS = [4, 6, 8, 10, 12, 14, 16, 18, 20].map((power) => 2 ** power);
/** The drawing's edges. */
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 520, 20, 290];
const [SERIES, SERIES_NAMES] = [["statementBytes", "proofBytes"], ["statement", "proof"]];
let worker = null;

const drawn = (tag, attributes, text) => make(tag, text, attributes, "http://www.w3.org/2000/svg");

function time(seconds) {
    if (seconds >= 1) return `${seconds.toPrecision(2)} s`;
    return `${Number((1e3 * seconds).toPrecision(2))} ms`;
}

const number = (id) => Number(element(id).value);

/** The form. */
function asked() {
    const fields = {
        bound: number("bound"),
        whole: element("whole").checked,
        proofs: number("proofs"),
        rows: number("rows"),
        range: element("range").value.split(" ").map(Number),
        set: number("set"),
        preset: element("preset").value,
    };
    return { kind: KINDS.value, fields, count: number("columns") };
}

/** What the program `estimate` is asked for the same, if it can be. */
function command({ kind, fields, count }) {
    if (kind === "knowledge") return `estimate --optimise ${fields.whole ? "--whole " : ""}--b ${fields.bound} --l ${count}`;
    if (kind === "gaussian") return `estimate --optimise --l ${count} --masks narrow --proofs ${2 ** fields.proofs}`;
    return kind === "preset" ? `estimate --preset ${fields.preset}` : null;
}

function showPlan(question, plan) {
    const { count } = question;
    const each = (bytes) => `${size(bytes)}, ${Math.ceil(bytes / count)} bytes each`;
    const bits = (bits) => `${bits.toFixed(1)} bits`;
    const rows = [
        ["binding, hiding", `${bits(plan.bindingBits)}, ${bits(plan.hidingBits)} (classical core-SVP)`],
        ["statement", each(plan.statementBytes)],
        ["proof", each(plan.proofBytes)],
        ["norm that is shown", `at most 2^${plan.log2Norm.toFixed(1)}`],
        ["matrices", `A ${plan.r} x ${plan.v}, S ${plan.v} x ${plan.l}, modulo 2^${plan.w}`],
    ];
    if (plan.seconds) {
        const [commit, prove, check] = plan.seconds;
        const stages = [["commit", commit], ["prove", prove], ["check", check]].filter(([, seconds]) => seconds > 0);
        rows.push(["time", stages.map(([name, seconds]) => `${name} ${time(seconds)}`).join(", ") + ` (mean: ${plan.attempts} attempts)`]);
    } else {
        rows.push(["time", "not measured"]);
    }
    const same = command(question);
    if (same) rows.push(["the same by", same]);
    fill(element("result"), rows);
    const least = Math.floor(Math.min(plan.bindingBits, plan.hidingBits));
    element("summary").textContent = `Statement ${size(plan.statementBytes)}, proof ${size(plan.proofBytes)}, ${least} bits of security.`;
}

/** Bytes of statement and proof by columns, both on logarithmic scales. */
function draw(points, here) {
    const bytes = points.flatMap(({ plan }) => SERIES.map((name) => plan[name]));
    const parts = [];
    const line = (x1, y1, x2, y2, kind) => parts.push(drawn("line", { x1, y1, x2, y2, class: kind }));
    const text = (x, y, anchor, content) => parts.push(drawn("text", { x, y, "text-anchor": anchor }, content));
    const [low, high] = [Math.min(...bytes), Math.max(...bytes)].map(Math.log10);
    const [first, last] = [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
    const x = (count) => LEFT + ((RIGHT - LEFT) * (Math.log2(count) - 4)) / 16;
    const y = (value) => BOTTOM - ((BOTTOM - TOP) * (Math.log10(value) - first)) / (last - first);
    for (let power = first; power <= last; power++) {
        line(LEFT, y(10 ** power), RIGHT, y(10 ** power), "axis");
        text(LEFT - 8, y(10 ** power) + 4, "end", size(10 ** power).replace(/\.0+/, ""));
    }
    for (const count of COLUMNS) {
        line(x(count), BOTTOM, x(count), BOTTOM + 5, "axis");
        text(x(count), BOTTOM + 20, "middle", count < 1024 ? count : `${count / 1024} Ki`);
    }
    text((LEFT + RIGHT) / 2, BOTTOM + 42, "middle", "columns, or keys");
    if (here >= COLUMNS[0] && here <= COLUMNS.at(-1)) line(x(here), TOP, x(here), BOTTOM, "here");
    for (const [index, name] of SERIES.entries()) {
        const at = points.map(({ count, plan }) => [x(count), y(plan[name])]);
        parts.push(drawn("polyline", { points: at.join(" "), class: ["first", "second"][index] }));
        const [end, height] = at.at(-1);
        // The two ends may meet.
        const other = y(points.at(-1).plan[SERIES[1 - index]]);
        const above = height < other || (height === other && index === 0);
        text(end + 8, height + (Math.abs(height - other) < 16 ? (above ? -4 : 12) : 4), "start", SERIES_NAMES[index]);
    }
    element("drawing").replaceChildren(...parts);
    element("points").tBodies[0].replaceChildren(
        ...points.map(({ count, plan }) => {
            const [, prove, check] = (plan.seconds ?? []).length ? [...plan.seconds].map(time) : ["", "", ""];
            const row = document.createElement("tr");
            row.append(make("th", count, { scope: "row" }));
            row.append(...[size(plan.statementBytes), size(plan.proofBytes), prove, check].map((cell) => make("td", cell)));
            return row;
        }),
    );
}

async function find() {
    worker?.terminate();
    const question = asked();
    for (const label of document.querySelectorAll("[data-for]")) {
        label.hidden = !label.dataset.for.split(" ").includes(question.kind);
    }
    element("bound").max = question.kind === "keys" ? 8 : 127;
    const wrong = [...document.querySelectorAll("input")].find((input) => input.closest("label:not([hidden])") && !input.checkValidity());
    element("result").hidden = true;
    element("drawing").replaceChildren();
    element("points").tBodies[0].replaceChildren();
    if (wrong) {
        element("summary").textContent = `${wrong.closest("label").textContent.trim()}: a number from ${wrong.min} to ${wrong.max}.`;
        return;
    }
    element("summary").textContent = "Searching ...";
    const started = new Worker(script);
    worker = started;
    const points = [];
    started.onmessage = ({ data: { count, plan, error } }) => {
        if (worker !== started) return;
        if (count === undefined) {
            element("curves").dataset.done = "true";
            return;
        }
        const asking = count === question.count && element("summary").textContent === "Searching ...";
        if (asking && error) element("summary").textContent = `There are no parameters: ${error}.`;
        if (asking && plan) showPlan(question, plan);
        if (plan && COLUMNS.includes(count) && !points.some((point) => point.count === count)) {
            points.push({ count, plan });
            points.sort((a, b) => a.count - b.count);
            draw(points, question.count);
        }
    };
    const module = await wasm;
    if (worker !== started) return;
    delete element("curves").dataset.done;
    const columns = [question.count, ...COLUMNS.filter((count) => count !== question.count)];
    started.postMessage({ wasm: module, kind: question.kind, fields: question.fields, columns });
}

// A preset is for as many thousand columns as its name says.
for (const id of ["kind", "preset"]) {
    element(id).addEventListener("change", () => {
        if (KINDS.value !== "preset") return;
        element("columns").value = 1024 * /\d+/.exec(element("preset").value)[0];
    });
}
document.querySelector("form").addEventListener("change", find);
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
find();
