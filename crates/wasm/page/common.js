"use strict";
const element = (id) => document.getElementById(id);
const bytesIn = (id) => Uint8Array.from(atob(element(id).textContent), (char) => char.charCodeAt(0));

// The same module serves every worker.
const wasm = WebAssembly.compile(bytesIn("wasm"));
const script = URL.createObjectURL(
    new Blob([element("worker").textContent], { type: "text/javascript" }),
);

/** An element of a page or a picture; 2^29 in its text is shown as a power, and read as it stands. */
function make(tag, text = "", attributes = {}, namespace = "http://www.w3.org/1999/xhtml") {
    const made = document.createElementNS(namespace, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    for (const [index, part] of String(text).split(/\^(\d+(?:\.\d+)?)/).entries()) {
        if (index % 2 === 0) {
            made.append(part);
            continue;
        }
        const power = document.createElement("sup");
        power.append(make("span", "", { class: "unseen" }), part);
        power.firstChild.textContent = "^";
        made.append(power);
    }
    return made;
}

/** Rows of two cells each, the first of which says what the second is. */
function fill(table, rows) {
    table.tBodies[0].replaceChildren(
        ...rows.map(([name, value, attributes]) => {
            const row = document.createElement("tr");
            row.append(make("th", name, { scope: "row" }), make("td", value, attributes));
            return row;
        }),
    );
    table.hidden = false;
}

function size(bytes) {
    const [unit, name] =
        bytes < 999500 ? [1e3, "KB"] : bytes < 999.5e6 ? [1e6, "MB"] : [1e9, "GB"];
    const number = bytes / unit;
    return `${number >= 100 ? number.toFixed(0) : number.toPrecision(3)} ${name}`;
}
