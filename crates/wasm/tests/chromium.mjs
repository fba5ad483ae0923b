// The page in headless Chromium, for tests and for its picture: CHROMIUM is a command;
// TAUTOCHRONE_PAGE, verify.html; TAUTOCHRONE_FILES, the directory of the example `files`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const page = pathToFileURL(process.env.TAUTOCHRONE_PAGE).href;
export const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "tautochrone-page-"));
/** A file of the example `files`. */
export const file = (name) => path.resolve(process.env.TAUTOCHRONE_FILES, name);
export let browser;
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

export const call = (method, params) => browser.send(method, params, session);

export async function evaluate(expression) {
    const { result, exceptionDetails } = await call("Runtime.evaluate", { expression });
    assert.equal(exceptionDetails, undefined, expression);
    return result.value;
}

/** Starts Chromium. */
export async function start() {
    browser = new Browser(process.env.CHROMIUM);
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    ({ sessionId: session } = await browser.send("Target.attachToTarget", { targetId, flatten: true }));
    await call("Network.enable");
}

/** Ends it. */
export async function stop() {
    const ended = new Promise((resolve) => browser.process.on("exit", resolve));
    browser.send("Browser.close").catch(() => {});
    await ended;
    fs.rmSync(scratch, { recursive: true, force: true });
}

/** A fresh page. */
export async function open() {
    await call("Page.navigate", { url: page });
    for (;;) {
        const ready = "document.readyState === 'complete' && location.protocol === 'file:'";
        if (await evaluate(ready)) return;
        await sleep(20);
    }
}

export async function choose(id, name) {
    const { root } = await call("DOM.getDocument");
    const { nodeId } = await call("DOM.querySelector", { nodeId: root.nodeId, selector: `#${id}` });
    await call("DOM.setFileInputFiles", { nodeId, files: [file(name)] });
}

export async function drop(...files) {
    for (const type of ["dragEnter", "dragOver", "drop"]) {
        const data = { items: [], files, dragOperationsMask: 1 };
        await call("Input.dispatchDragEvent", { type, x: 100, y: 100, data });
    }
}

/** The verdict, once it is one that `pattern` describes. */
export async function verdict(pattern) {
    let text = "";
    for (let tries = 0; tries < 6000; tries++) {
        text = await evaluate("document.getElementById('verdict').textContent");
        if (pattern.test(text)) return evaluate("document.getElementById('verdict').className");
        await sleep(20);
    }
    assert.fail(`the page says "${text}", not ${pattern}`);
}

export async function context(text) {
    const input = "document.getElementById('context')";
    await evaluate(`${input}.value = ${JSON.stringify(text)}; ${input}.dispatchEvent(new Event("change"))`);
}

/** The most memory, in bytes, that a process of a page has had; on Linux. */
export async function peak() {
    const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
    const pages = processInfo.filter(({ type }) => type === "renderer");
    const kibibytes = ({ id }) => /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${id}/status`, "utf8"))[1];
    return Math.max(...pages.map((page) => 1024 * Number(kibibytes(page))));
}
