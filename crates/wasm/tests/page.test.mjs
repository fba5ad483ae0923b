// The page in headless Chromium: `node --test page.test.mjs` with CHROMIUM, a command;
// TAUTOCHRONE_PAGE, verify.html; TAUTOCHRONE_FILES, the directory of the example `files`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const page = pathToFileURL(process.env.TAUTOCHRONE_PAGE).href;
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "tautochrone-page-"));
const file = (name) => path.resolve(process.env.TAUTOCHRONE_FILES, name);
let browser;
let session;

/** Chromium, spoken to in the DevTools protocol: JSON between NUL bytes, through two pipes. */
class Browser {
    constructor(command) {
        const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"];
        flags.push(`--user-data-dir=${path.join(scratch, "profile")}`, "about:blank");
        const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
        this.process = spawn(command, flags, { stdio });
        this.waiting = new Map();
        this.requests = [];
        this.count = 0;
        let rest = "";
        this.process.stdio[4].setEncoding("utf8").on("data", (text) => {
            const parts = (rest + text).split("\0");
            rest = parts.pop();
            for (const part of parts) this.receive(JSON.parse(part));
        });
        this.process.on("exit", (code) => {
            for (const { reject } of this.waiting.values()) reject(new Error(`Chromium ended: ${code}`));
        });
    }

    receive({ id, result, error, method, params }) {
        if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
        const waiting = this.waiting.get(id);
        if (!waiting) return;
        this.waiting.delete(id);
        if (error) waiting.reject(new Error(error.message));
        else waiting.resolve(result);
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.count;
        this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }
}

const call = (method, params) => browser.send(method, params, session);

async function evaluate(expression) {
    const { result, exceptionDetails } = await call("Runtime.evaluate", { expression });
    assert.equal(exceptionDetails, undefined, expression);
    return result.value;
}

before(async () => {
    browser = new Browser(process.env.CHROMIUM);
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    ({ sessionId: session } = await browser.send("Target.attachToTarget", { targetId, flatten: true }));
    await call("Network.enable");
});

after(async () => {
    const ended = new Promise((resolve) => browser.process.on("exit", resolve));
    browser.send("Browser.close").catch(() => {});
    await ended;
    fs.rmSync(scratch, { recursive: true, force: true });
});

/** A fresh page. */
async function open() {
    await call("Page.navigate", { url: page });
    for (;;) {
        const ready = "document.readyState === 'complete' && location.protocol === 'file:'";
        if (await evaluate(ready)) return;
        await sleep(20);
    }
}

async function choose(id, name) {
    const { root } = await call("DOM.getDocument");
    const { nodeId } = await call("DOM.querySelector", { nodeId: root.nodeId, selector: `#${id}` });
    await call("DOM.setFileInputFiles", { nodeId, files: [file(name)] });
}

async function drop(...files) {
    for (const type of ["dragEnter", "dragOver", "drop"]) {
        const data = { items: [], files, dragOperationsMask: 1 };
        await call("Input.dispatchDragEvent", { type, x: 100, y: 100, data });
    }
}

/** The verdict, once it is one that `pattern` describes. */
async function verdict(pattern) {
    let text = "";
    for (let tries = 0; tries < 1000; tries++) {
        text = await evaluate("document.getElementById('verdict').textContent");
        if (pattern.test(text)) return evaluate("document.getElementById('verdict').className");
        await sleep(20);
    }
    assert.fail(`the page says "${text}", not ${pattern}`);
}

async function context(text) {
    const input = "document.getElementById('context')";
    await evaluate(`${input}.value = ${JSON.stringify(text)}; ${input}.dispatchEvent(new Event("change"))`);
}

test("chosen files are checked, in the context that is given", async () => {
    await open();
    await choose("statement", "secure.lzs");
    await verdict(/^Now the proof/);
    await choose("proof", "secure.lzp");
    assert.equal(await verdict(/^Not valid: .*another context/), "invalid");
    await context("for you");
    assert.equal(await verdict(/^Valid \(\d+\.\d\d s\)\.$/), "valid");
    const table = await evaluate("document.getElementById('parameters').innerText");
    assert.match(table, /A 1176 x 2632, S 2632 x 4096, modulo 2\^29/);
    assert.match(table, /binding 129\.4 bits/);
});

test("dropped files are known by what is in them", async () => {
    await open();
    await context("for you");
    await drop(file("version-one.lzp"), file("version-one.lzs"));
    assert.equal(await verdict(/^Valid/), "valid");
    const altered = path.join(scratch, "altered");
    const bytes = fs.readFileSync(file("version-one.lzp"));
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

test("a long statement is streamed, with its progress shown", async () => {
    await open();
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
