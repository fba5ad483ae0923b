// The page in headless Chromium: `node --test page.test.mjs`, with what chromium.mjs wants, and
// TAUTOCHRONE_PACKAGE, the package that `bundle` wrote.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import path from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
    browser, choose, context, drop, evaluate, file, open, peak, scratch, start, stop, verdict,
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
    await verdict(/^Now the proof/);
    await choose("proof", "secure.lzp");
    assert.equal(await verdict(/^Not valid: .*another context/), "invalid");
    await context("for you");
    assert.equal(await verdict(/^Valid \(\d+\.\d\d s\)\.$/), "valid");
    const table = await evaluate("document.getElementById('parameters').innerText");
    const statement = new Statement(bytesSource(fs.readFileSync(file("secure.lzs"))), false);
    const { r, v, l, w, bindingBits } = statement;
    const shown = [
        `A ${r} x ${v}, S ${v} x ${l}, modulo 2^${w}`,
        `binding ${bindingBits.toFixed(1)} bits`,
    ];
    for (const text of shown) assert.ok(table.includes(text), `${table} has no ${text}`);
});

test("dropped files are known by what is in them", async () => {
    await open();
    await context("for you");
    await drop(file("other.lzp"), file("other.lzs"));
    assert.equal(await verdict(/^Valid/), "valid");
    const altered = path.join(scratch, "altered");
    const bytes = fs.readFileSync(file("other.lzp"));
    bytes[bytes.length >> 1] ^= 1;
    fs.writeFileSync(altered, bytes);
    await drop(altered);
    assert.equal(await verdict(/^Not valid: /), "invalid");
});

test("wrong files are refused", async () => {
    await open();
    await choose("statement", "secure.lzp");
    assert.equal(await verdict(/^secure\.lzp is a proof, no statement\.$/), "error");
    await drop(path.resolve(process.env.TAUTOCHRONE_PAGE));
    assert.equal(await verdict(/^verify\.html is neither a statement nor a proof\.$/), "error");
    const cut = path.join(scratch, "cut.lzs");
    fs.writeFileSync(cut, fs.readFileSync(file("secure.lzs")).subarray(0, 1000));
    await drop(cut, file("secure.lzp"));
    assert.equal(await verdict(/^No verdict: statement: file has 1000 bytes/), "error");
});

test("insecure statements are refused, unless they are accepted", async () => {
    await open();
    await context("for you");
    await drop(file("toy.lzs"), file("toy.lzp"));
    assert.equal(await verdict(/^No verdict: insecure parameters/), "error");
    await evaluate("document.getElementById('insecure').click()");
    assert.equal(await verdict(/^Valid/), "valid");
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
    assert.equal(await verdict(/^Valid/), "valid");
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
