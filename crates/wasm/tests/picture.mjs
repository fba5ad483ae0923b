// A picture of the page with a valid proof: `node picture.mjs OUT.png`, with what chromium.mjs wants.

import * as fs from "node:fs";
import { call, choose, context, open, start, stop, verdict } from "./chromium.mjs";

await start();
try {
    const size = { width: 760, height: 700, deviceScaleFactor: 1, mobile: false };
    await call("Emulation.setDeviceMetricsOverride", size);
    await open();
    await choose("statement", "secure.lzs");
    await choose("proof", "secure.lzp");
    await context("for you");
    await verdict(/^Valid/);
    const { data } = await call("Page.captureScreenshot", { format: "png" });
    fs.writeFileSync(process.argv[2], Buffer.from(data, "base64"));
} finally {
    await stop();
}
