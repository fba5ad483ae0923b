// The pages in headless Chromium, for tests and for their pictures: CHROMIUM is a command;
// TAUTOCHRONE_PAGES, the directory of both; TAUTOCHRONE_FILES, the directory of the example
// `files`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

export const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "tautochrone-page-"));
/** A page. */
export const page = (name) => path.resolve(process.env.TAUTOCHRONE_PAGES, name);
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
    const asked = { expression, awaitPromise: true };
    const { result, exceptionDetails } = await call("Runtime.evaluate", asked);
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
export async function open(name = "verify.html") {
    await call("Page.navigate", { url: pathToFileURL(page(name)).href });
    for (;;) {
        const ready = "document.readyState + location.pathname";
        if ((await evaluate(ready)) === `complete${page(name)}`) return;
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

/** The text of an element, once it is one that `pattern` describes. */
export async function text(id, pattern) {
    let found = "";
    for (let tries = 0; tries < 6000; tries++) {
        found = (await evaluate(`document.getElementById("${id}").innerText`)).replace(/\n+/g, "\n");
        if (pattern.test(found)) return found;
        await sleep(20);
    }
    return assert.fail(`the page says "${found}", not ${pattern}`);
}

/** The kind of a verdict, once its text, behind a sign, is one that `pattern` describes. */
export async function verdict(pattern) {
    await text("verdict", new RegExp(`^(?:[\u2713\u2717?!] )?(?:${pattern.source})`, "s"));
    return evaluate("document.getElementById('verdict').className");
}

/** Chooses an option or writes into a field, as a person would. */
export async function set(id, value) {
    const field = `document.getElementById("${id}")`;
    await evaluate(`${field}.value = ${JSON.stringify(value)}; ${field}.dispatchEvent(new Event("change", { bubbles: true }))`);
}

/** Presses a key. */
export async function press(key) {
    const code = { Tab: 9, Enter: 13, " ": 32 }[key];
    const event = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: code };
    if (key !== "Tab") event.text = key === "Enter" ? "\r" : key;
    await call("Input.dispatchKeyEvent", { type: "keyDown", ...event });
    await call("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}

/** "light" or "dark". */
export const scheme = (value) =>
    call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });

/** Whether nothing is wider than a phone's screen. */
export async function narrow() {
    const metrics = { width: 360, height: 700, deviceScaleFactor: 1, mobile: false };
    await call("Emulation.setDeviceMetricsOverride", metrics);
    const width = await evaluate("document.documentElement.scrollWidth");
    await call("Emulation.clearDeviceMetricsOverride");
    return width <= 360;
}

/** What a screen reader is told: a role, a name and properties of each element. */
export async function tree() {
    await call("Accessibility.enable");
    const { nodes } = await call("Accessibility.getFullAXTree");
    const shown = nodes.filter(({ ignored, role }) => !ignored && role);
    return shown.map(({ role, name, properties = [] }) => ({
        role: role.value,
        name: name?.value ?? "",
        ...Object.fromEntries(properties.map(({ name, value }) => [name, value.value])),
    }));
}

/** Elements with text whose colour has too little contrast with the background: 4.5 is the least of
 * WCAG 2.2, AA. */
export const faint = () =>
    evaluate(`(() => {
        const channels = (color) => color.match(/[\\d.]+/g).map(Number);
        const light = (color) => {
            const [r, g, b] = channels(color).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const behind = (element) => {
            for (let at = element; at; at = at.parentElement) {
                const color = getComputedStyle(at).backgroundColor;
                if ((channels(color)[3] ?? 1) > 0) return color;
            }
            return "rgb(255, 255, 255)";
        };
        const found = [];
        for (const element of document.querySelectorAll("main *")) {
            const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (!own || !element.checkVisibility()) continue;
            const style = getComputedStyle(element);
            const color = element.ownerSVGElement ? style.fill : style.color;
            const [a, b] = [light(color), light(behind(element))];
            const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (contrast < 4.5) found.push(element.textContent + ": " + contrast.toFixed(2));
        }
        return found.join("; ");
    })()`);

export const context = (text) => set("context", text);

/** The most memory, in bytes, that a process of a page has had; on Linux. */
export async function peak() {
    const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
    const pages = processInfo.filter(({ type }) => type === "renderer");
    const kibibytes = ({ id }) => /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${id}/status`, "utf8"))[1];
    return Math.max(...pages.map((page) => 1024 * Number(kibibytes(page))));
}
