// Pictures of both pages, light and dark: `node picture.mjs DIRECTORY`, with the variables of
// chromium.mjs.

import * as fs from "node:fs";
import path from "node:path";
import { call, context, drop, evaluate, file, open, scheme, start, stop, text, verdict } from "./chromium.mjs";

async function picture(name) {
    const width = 760;
    const view = (height) => ({ width, height, deviceScaleFactor: 1, mobile: false });
    for (const [value, end] of [["light", ""], ["dark", "-dark"]]) {
        await scheme(value);
        await call("Emulation.setDeviceMetricsOverride", view(600));
        const height = await evaluate("Math.ceil(document.querySelector('main').getBoundingClientRect().bottom)");
        await call("Emulation.setDeviceMetricsOverride", view(height));
        const { data } = await call("Page.captureScreenshot", { format: "png" });
        fs.writeFileSync(path.join(process.argv[2], `${name}${end}.png`), Buffer.from(data, "base64"));
    }
}

await start();
try {
    await call("Emulation.setScrollbarsHidden", { hidden: true });
    await open("verify.html");
    await context("for you");
    await drop(file("exact.lzs"), file("exact.lzp"));
    await verdict(/Valid/);
    await text("parameters", /[0-9a-f]{64}/);
    await picture("page");
    await open("explorer.html");
    await text("summary", /bits of security/);
    for (let at = ""; !at; ) at = await evaluate("document.getElementById('curves').dataset.done ?? ''");
    await picture("explorer");
} finally {
    await stop();
}
