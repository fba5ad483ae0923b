// TypeScript accepts this use of the package, and refuses the lines that it must refuse.
import * as fs from "node:fs";
import init, { initSync, Plan, Statement, type Shown, type Source } from "tautochrone-verify";
import { bytesSource, descriptorSource, fileSource, watched } from "tautochrone-verify/sources.js";

export function inNode(path: string, proof: Uint8Array): string {
    initSync({ module: fs.readFileSync("tautochrone_wasm_bg.wasm") });
    const source: Source = watched(descriptorSource(fs, fs.openSync(path, "r")), (bytes: number) => {});
    const statement = new Statement(source, false);
    const bits: number = statement.bindingBits + statement.l;
    const shown: Shown = statement.verify(new Uint8Array(), proof);
    // @ts-expect-error: what is shown cannot be changed
    shown.log2Norm = 1;
    // @ts-expect-error: parameters cannot be set
    statement.lambda = 1;
    // @ts-expect-error: a context is bytes
    statement.verify("for you", proof);
    // @ts-expect-error: nor its requirements
    shown.requirements.push("range:8:0:1");
    const seconds: Float64Array | undefined = Plan.mlKem(512, 64).seconds;
    return `valid, ${bits}, ${shown.text} ${shown.columns} ${shown.w} ${seconds?.[1]} ${statement.sha256()}`;
}

export async function inBrowser(file: File): Promise<Statement> {
    await init();
    // @ts-expect-error: a source can be read
    new Statement({ size: 1 }, false);
    return new Statement(file.size < 100 ? bytesSource(new Uint8Array(1)) : fileSource(file), true);
}
