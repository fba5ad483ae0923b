// The explorer of parameters in headless Chromium: `node --test explorer.test.mjs`, with the
// variables of page.test.mjs.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import path from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { evaluate, faint, narrow, open, scheme, set, start, stop, text, tree } from "./chromium.mjs";

const directory = path.resolve(process.env.TAUTOCHRONE_PACKAGE);
const load = (name) => import(pathToFileURL(path.join(directory, name)));
const { initSync, Plan } = await load("tautochrone_wasm.js");
initSync({ module: fs.readFileSync(path.join(directory, "tautochrone_wasm_bg.wasm")) });

before(start);
after(stop);

const PRICE = /^Statement .* [MK]B, proof .* [MK]B, 1\d\d bits of security\.$/;

/** Waits for the curves. */
async function drawn() {
    await evaluate(`new Promise((resolve) => {
        const wait = () => (document.getElementById("curves").dataset.done ? resolve() : setTimeout(wait, 20));
        wait();
    })`);
    await evaluate("document.querySelector('details').open = true");
    return evaluate("[...document.querySelectorAll('#points tbody tr')].map((row) => row.innerText).join('\\n')");
}

test("prices are those of the estimator, and curves have a table", async () => {
    await open("explorer.html");
    await text("summary", PRICE);
    const plan = Plan.knowledge(4096, 1, false);
    const result = await text("result", /\n/);
    for (const part of [
        `${plan.bindingBits.toFixed(1)} bits, ${plan.hidingBits.toFixed(1)} bits`,
        `A ${plan.r} x ${plan.v}, S ${plan.v} x 4096, modulo 2^${plan.w}`,
        `at most 2^${plan.log2Norm.toFixed(1)}`,
        `${Math.ceil(plan.proofBytes / 4096)} bytes each`,
        "mean: 2 attempts",
        "estimate --optimise --b 1 --l 4096",
    ]) {
        assert.ok(result.includes(part), `${result} has no ${part}`);
    }
    const rows = (await drawn()).split("\n");
    assert.equal(rows.length, 9);
    assert.match(rows[4], /^4096\t8\.\d\d MB\t5\d\d KB\t\d+ ms\t\d+ ms$/);
    assert.equal(await evaluate("document.querySelectorAll('#drawing polyline').length"), 2);
    const points = await evaluate("document.querySelector('#drawing polyline').getAttribute('points')");
    assert.equal(points.split(" ").length, 9);
    // Both series have a name, next to their ends.
    assert.match(await evaluate("document.getElementById('drawing').textContent"), /statement.*proof|proof.*statement/);
});

test("every kind has a price", async () => {
    await open("explorer.html");
    for (const [kind, pattern, field] of [
        ["gaussian", /estimate --optimise --l 4096 --masks narrow --proofs 1024/, "proofs"],
        ["ranges", /prove 1?\d\d ms/, "rows"],
        ["keys", /not measured/, "bound"],
        ["kem", /S \d+ x \d+.*\n.*prove 1\.\d s/, "set"],
        ["preset", /estimate --preset T1-128/, "preset"],
    ]) {
        await set("kind", kind);
        await text("summary", PRICE);
        await text("result", pattern);
        assert.ok(await evaluate(`document.getElementById("${field}").checkVisibility()`), kind);
        assert.ok(!(await evaluate("document.getElementById('whole').checkVisibility()")), kind);
    }
    await set("preset", "H4-128");
    await text("result", /estimate --preset H4-128/);
    assert.equal(await evaluate("document.getElementById('columns').value"), "4096");
});

test("what cannot be is said", async () => {
    await open("explorer.html");
    await set("columns", "0");
    await text("summary", /^Columns, or keys: a number from 1 to 1048576\.$/);
    await set("columns", "4096");
    await set("kind", "keys");
    await set("bound", "9");
    await text("summary", /^Entries up to: a number from 1 to 8\.$/);
    await set("bound", "1");
    await text("summary", PRICE);
    await set("kind", "preset");
    await set("preset", "T1-128");
    await text("summary", PRICE);
    await set("columns", "1048576");
    await text("summary", /^There are no parameters: /);
});

test("all text can be read, and is read out, in the light and in the dark", async () => {
    for (const value of ["light", "dark"]) {
        await scheme(value);
        await open("explorer.html");
        await text("summary", PRICE);
        await drawn();
        assert.equal(await faint(), "", value);
    }
    await scheme("light");
    const nodes = await tree();
    for (const role of ["combobox", "spinbutton", "checkbox", "link", "image"]) {
        const named = nodes.filter((node) => node.role === role);
        assert.ok(named.length > 0 && named.every(({ name }) => name), `${role}: ${JSON.stringify(named)}`);
    }
    assert.ok(nodes.some(({ role, live }) => role === "status" && live === "polite"));
    assert.ok(nodes.some(({ role, name }) => role === "columnheader" && name === "Proof"));
    assert.ok(await narrow());
    // No more of the picture than its name and that there is a table.
    assert.ok(!nodes.some(({ role }) => role === "SvgRoot"));
});

test("the picture in the docs is of this page", async () => {
    await open("explorer.html");
    const said = await text("summary", PRICE);
    const docs = fs.readFileSync(new URL("../../../docs/browser.md", import.meta.url), "utf8");
    const [, alt] = /alt="([^"]+)" src="pictures\/explorer\.png"/.exec(docs.replaceAll(/\n\s*/g, " "));
    assert.equal(alt, `4096 columns: ${said}`);
});
