// The page in headless Chromium: `node --test page.test.mjs`, with what chromium.mjs wants, and
// TAUTOCHRONE_PACKAGE, the package that `bundle` wrote.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
    browser, choose, context, drop, evaluate, faint, file, narrow, open, page, peak, press, scheme,
    scratch, set, start, stop, text, tree, verdict,
} from "./chromium.mjs";

const directory = path.resolve(process.env.TAUTOCHRONE_PACKAGE);
const load = (name) => import(pathToFileURL(path.join(directory, name)));
const { initSync, Statement } = await load("tautochrone_wasm.js");
const { bytesSource } = await load("sources.js");
initSync({ module: fs.readFileSync(path.join(directory, "tautochrone_wasm_bg.wasm")) });

before(start);
after(stop);

test("chosen files are checked, in the context that is given", async () => {
    await open();
    await choose("statement", "secure.lzs");
    await verdict(/Now the proof/);
    await choose("proof", "secure.lzp");
    assert.equal(await verdict(/Not valid\n.*another context/), "invalid");
    await context("for you");
    const said = /Valid\n.*context \u201cfor you\u201d.*each of the 4096 columns t.*\d\.\d\d s\.$/;
    assert.equal(await verdict(said), "valid");
    const hash = createHash("sha256").update(fs.readFileSync(file("secure.lzs"))).digest("hex");
    const table = await text("parameters", new RegExp(hash));
    const statement = new Statement(bytesSource(fs.readFileSync(file("secure.lzs"))), false);
    const { r, v, l, w, bindingBits } = statement;
    const shown = [
        `A ${r} x ${v}, S ${v} x ${l}, modulo 2^${w}`,
        `binding has ${bindingBits.toFixed(1)} bits`,
    ];
    for (const text of shown) assert.ok(table.includes(text), `${table} has no ${text}`);
    // A name once, by the browser, and a size by the page.
    const files = await evaluate("document.getElementById('drop').innerText");
    assert.match(files, /Statement\s+8\.89 MB/);
    assert.doesNotMatch(files, /secure/);
});

test("a sample is at hand, by keyboard alone, and is not valid with an altered bit", async () => {
    await open();
    const [order, outlines] = [[], new Set()];
    for (;;) {
        await press("Tab");
        const at = await evaluate("(document.activeElement.id || document.activeElement.localName)");
        if (at === order[0] || at === "body") break;
        order.push(at);
        outlines.add(await evaluate("getComputedStyle(document.activeElement).outlineStyle"));
    }
    const expected = ["a", "statement", "proof", "sample", "altered", "context", "require", "insecure", "summary"];
    assert.deepEqual(order, expected);
    assert.deepEqual([...outlines], ["solid"]);
    await evaluate("document.getElementById('sample').focus()");
    await press("Enter");
    assert.equal(await verdict(/Valid\n.*\u201ca sample\u201d/), "valid");
    assert.equal(await evaluate("document.getElementById('proof').files[0].name"), "sample.lzp");
    assert.equal(await evaluate("document.activeElement.id"), "sample");
    await press("Tab");
    await press(" ");
    assert.equal(await verdict(/Not valid\n/), "invalid");
    await context("");
    await press("Tab");
});

test("every kind of claim is said in words", async () => {
    await open();
    await context("for you");
    await drop(file("exact.lzs"), file("exact.lzp"));
    assert.equal(await verdict(/Valid\n.*exactly: of the last 8 columns, \d+ in front: rows 0 to 1023 in \[0, 1\],.*; a weighted sum .* is 43\n.*range:1024:0:1:8/), "valid");
    await drop(file("keys.lzs"), file("keys.lzp"));
    assert.equal(await verdict(/Valid\n.*exactly: every column is a key with secrets in \[-1, 1\].*exact-keys:1:1/), "valid");
    await drop(file("circuit.lzs"), file("circuit.lzp"));
    assert.equal(await verdict(/No verdict\n.*about a circuit or public keys.*; the programs circuit verify and/), "error");
    await context("");
    await drop(file("toy.lzs"), file("toy.lzp"));
    await evaluate("document.getElementById('insecure').click()");
    await verdict(/Not valid\n/);
});

test("a proof has to show what is required", async () => {
    await open();
    await context("for you");
    await drop(file("exact.lzs"), file("exact.lzp"));
    await verdict(/Valid\n.*so it meets, if required: range:1024:0:1:8/);
    await set("require", "range");
    assert.equal(await verdict(/Valid\n.*all that is required: range:8:0:1\n/), "valid");
    const field = (index, value) => evaluate(`{
        const input = document.querySelectorAll("#fields input")[${index}];
        input.value = "${value}";
        input.dispatchEvent(new Event("change", { bubbles: true }));
    }`);
    await field(0, "1025");
    assert.equal(await verdict(/Not enough\n.*does not show range:1025:0:1, but of the last/), "invalid");
    await set("require", "exact-keys");
    assert.equal(await verdict(/Not enough\n.*exact-keys:1:1/), "invalid");
    await evaluate(`{
        const list = document.getElementById("require");
        list.selectedIndex = list.length - 1;
        list.dispatchEvent(new Event("change"));
    }`);
    await field(0, "norm:1024+4:20 range:8:-1:1");
    assert.equal(await verdict(/Valid\n.*all that is required: norm:1024\+4:20, range:8:-1:1/), "valid");
    await field(0, "bits");
    assert.equal(await verdict(/No verdict\n.*exact-keys/), "error");
});

test("verdicts differ to the eye, and all text can be read, in the light and in the dark", async () => {
    const look = () => evaluate(`{
        const style = getComputedStyle(document.getElementById("verdict"));
        const sign = document.querySelector("#verdict [aria-hidden]").textContent;
        [style.borderTopColor, style.borderTopStyle + style.borderTopWidth, sign].join(";");
    }`);
    for (const value of ["light", "dark"]) {
        await scheme(value);
        await open();
        assert.equal(await faint(), "", value);
        await evaluate(`{
            const faint = document.createElement("p");
            faint.append("faint");
            faint.style.color = "${value === "light" ? "#999" : "#555"}";
            document.querySelector("main").append(faint);
        }`);
        assert.match(await faint(), /^faint: \d\.\d\d$/, "the control");
        await evaluate("document.querySelector('main').lastChild.remove()");
        const looks = [];
        for (const [name, pattern] of [["sample", /Valid/], ["altered", /Not valid/]]) {
            await evaluate(`document.getElementById("${name}").click()`);
            await verdict(pattern);
            looks.push((await look()).split(";"));
            assert.equal(await faint(), "", `${value}, ${name}`);
        }
        await drop(page("verify.html"));
        await verdict(/No verdict/);
        looks.push((await look()).split(";"));
        assert.equal(await faint(), "", `${value}, no verdict`);
        for (const part of [0, 1, 2]) {
            assert.equal(new Set(looks.map((look) => look[part])).size, 3, JSON.stringify(looks));
        }
    }
    await scheme("light");
});

test("a screen reader is told of everything", async () => {
    await open();
    await set("require", "norm");
    const before = await tree();
    const roles = ["textbox", "checkbox", "combobox", "button", "link", "group", "DisclosureTriangle"];
    for (const role of roles) {
        const nodes = before.filter((node) => node.role === role);
        assert.ok(nodes.length > 0 || role === "group", `there is no ${role}`);
        for (const node of nodes) assert.ok(node.name || role === "group", `a ${role} has no name`);
    }
    assert.ok(before.some(({ role, level }) => role === "heading" && level === 1));
    assert.ok(before.some(({ role, live }) => role === "status" && live === "polite"));
    assert.ok(before.some(({ role, name }) => role === "button" && name.startsWith("Statement")));
    assert.ok(before.some(({ role, name }) => role === "textbox" && name.startsWith("Squared norm")));
    await set("require", "");
    await evaluate("document.getElementById('sample').click()");
    await verdict(/Valid/);
    assert.ok(await narrow());
    const after = await tree();
    assert.ok(after.some(({ role, name }) => role === "rowheader" && name === "matrices"));
});

test("the picture in the docs is of this page", async () => {
    await open();
    await context("for you");
    await drop(file("exact.lzs"), file("exact.lzp"));
    const said = await text("verdict", /Checked in/);
    const exactly = said.split("\n").find((line) => line.startsWith("exactly"));
    const docs = fs.readFileSync(new URL("../../../docs/browser.md", import.meta.url), "utf8");
    const [, alt] = /alt="([^"]+)" src="pictures\/page\.png"/.exec(docs.replaceAll(/\n\s*/g, " "));
    assert.equal(alt, `Valid, ${exactly}`);
});

test("dropped files are known by what is in them", async () => {
    await open();
    await context("for you");
    await drop(file("other.lzp"), file("other.lzs"));
    assert.equal(await verdict(/Valid/), "valid");
    const altered = path.join(scratch, "altered");
    const bytes = fs.readFileSync(file("other.lzp"));
    bytes[bytes.length >> 1] ^= 1;
    fs.writeFileSync(altered, bytes);
    await drop(altered);
    assert.equal(await verdict(/Not valid/), "invalid");
});

test("wrong files are refused", async () => {
    await open();
    await choose("statement", "secure.lzp");
    assert.equal(await verdict(/No verdict\nsecure\.lzp is a proof, no statement\.$/), "error");
    await drop(page("verify.html"));
    assert.equal(await verdict(/No verdict\nverify\.html is neither a statement nor a proof\.$/), "error");
    const cut = path.join(scratch, "cut.lzs");
    fs.writeFileSync(cut, fs.readFileSync(file("secure.lzs")).subarray(0, 1000));
    await drop(cut, file("secure.lzp"));
    assert.equal(await verdict(/No verdict\nstatement: file has 1000 bytes/), "error");
});

test("insecure statements are refused, unless they are accepted", async () => {
    await open();
    await context("for you");
    await drop(file("toy.lzs"), file("toy.lzp"));
    assert.equal(await verdict(/No verdict\ninsecure parameters/), "error");
    await evaluate("document.getElementById('insecure').click()");
    assert.equal(await verdict(/Valid, but the parameters are insecure/), "weak");
});

test("a long statement is streamed, in bounded memory, with its progress shown", async () => {
    assert.ok(fs.statSync(file("long.lzs")).size > 300e6);
    await open();
    const before = await peak();
    await context("for you");
    await evaluate(`
        window.shown = [];
        const bar = document.getElementById("progress");
        new MutationObserver(() => window.shown.push(bar.value)).observe(bar, { attributes: true });
        document.getElementById("insecure").click()`);
    await drop(file("long.lzs"), file("long.lzp"));
    assert.equal(await verdict(/Valid, but/), "weak");
    const shown = await evaluate("shown.length");
    assert.ok(shown > 20, `progress was shown ${shown} times`);
    const grown = (await peak()) - before;
    console.log(`memory grew by ${Math.round(grown / 1e6)} MB`);
    // To hold the statement takes more than 300 MB; slices that are no longer used may lie about.
    assert.ok(grown < 200e6, `memory grew by ${grown} bytes`);
});

test("nothing was asked of the network, and nothing can be", async () => {
    const foreign = browser.requests.filter((url) => !/^(file|blob|about|data):/.test(url));
    assert.deepEqual(foreign, []);
    await open();
    await evaluate(`
        window.refused = [];
        const note = (event) => window.refused.push(event.effectiveDirective);
        document.addEventListener("securitypolicyviolation", note);
        fetch("https://example.invalid/").catch(() => {});
        new Image().src = "https://example.invalid/x.png"`);
    for (let tries = 0; (await evaluate("refused.length")) < 2; tries++) {
        assert.ok(tries < 100, "the policy lets requests through");
        await sleep(20);
    }
    assert.equal(await evaluate("refused.sort().join()"), "connect-src,img-src");
});
