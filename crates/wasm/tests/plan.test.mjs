// The estimates of the explorer, against real files and records: `node --test plan.test.mjs`, with the
// variables of verify.test.mjs.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const directory = path.resolve(process.env.TAUTOCHRONE_PACKAGE);
const load = (name) => import(pathToFileURL(path.join(directory, name)));
const { initSync, Plan } = await load("tautochrone_wasm.js");
initSync({ module: fs.readFileSync(path.join(directory, "tautochrone_wasm_bg.wasm")) });

const bytes = (name) => fs.statSync(path.join(process.env.TAUTOCHRONE_FILES, name)).size;
const record = (name) => fs.readFileSync(new URL(`../../../benches/record/${name}`, import.meta.url), "utf8");

function near(got, expected, part, what) {
    assert.ok(Math.abs(got / expected - 1) < part, `${what}: ${got}, not ${expected}`);
}

/** As long as the files that were made with these parameters. */
function measured(plan, name) {
    near(plan.statementBytes, bytes(`${name}.lzs`), 1e-9, name);
    near(plan.proofBytes, bytes(`${name}.lzp`), 0.01, name);
    assert.ok(plan.bindingBits >= 128 && plan.hidingBits >= 128);
}

test("sizes are those of files", () => {
    measured(Plan.preset("T4-128"), "secure");
    measured(Plan.preset("T4-128", 4096), "secure");
    measured(Plan.preset("T1-128"), "other");
    measured(Plan.keys(8, 1), "keys");
    // The preset is the optimum, or nearly.
    near(Plan.knowledge(4096, 1, false).proofBytes, bytes("secure.lzp"), 0.01, "4096 columns");
    // `prove --exact 1024:0:1 --columns 4096`.
    const [, proof, statement] = /the proof has [\d ]+ bytes before, ([\d ]+) now; T\s+[\d ]+ and ([\d ]+);/.exec(record("2026-11-26-zen4-claims.md"));
    const number = (text) => Number(text.replaceAll(" ", ""));
    const plan = Plan.ranges(1024, 4096, 0, 1);
    near(plan.statementBytes, number(statement), 1e-9, "T of ranges");
    near(plan.proofBytes, number(proof), 0.01, "ranges");
    assert.equal(plan.l, 4124);
    assert.equal(Plan.ranges(64, 64, -8, 8).seconds, undefined);
});

test("sizes of proofs about ML-KEM keys are those of the record", () => {
    const rows = record("2026-11-27-zen4-kems.md").matchAll(/\| ML-KEM-(\d+) x (\d+) \| ([\d ]+) \|/g);
    let count = 0;
    for (const [, set, keys, all] of rows) {
        const plan = Plan.mlKem(Number(set), Number(keys));
        const what = `ML-KEM-${set} x ${keys}`;
        near(plan.statementBytes + plan.proofBytes, Number(all.replaceAll(" ", "")), 0.01, what);
        count += 1;
    }
    assert.equal(count, 5);
});

test("times of ML-KEM keys are those of the record's last table", () => {
    const rows = record("2026-11-27-zen4-kems.md").matchAll(/\| ML-KEM-(\d+) x (\d+) \| ([\d.]+) \| [\d.]+ \|[^|]*\| ([\d.]+) \|/g);
    let count = 0;
    for (const [, set, keys, prove, check] of rows) {
        const [commit, proving, checking] = Plan.mlKem(Number(set), Number(keys)).seconds;
        const what = `ML-KEM-${set} x ${keys}`;
        assert.equal(commit, 0);
        near(proving, Number(prove), 0.25, `${what}, prove`);
        near(checking, Number(check), 0.5, `${what}, check`);
        count += 1;
    }
    assert.equal(count, 5);
});

test("times are those of the records", () => {
    const all = record("2026-11-26-zen4.md");
    const recorded = (id) => Number(new RegExp(`\\| ${id}/T4-128/avx512 \\| ([\\d.]+)`).exec(all)[1]) / 1e9;
    const wide = Plan.preset("T4-128");
    ["commit", "prove", "verify-loaded"].forEach((id, at) => near(wide.seconds[at], recorded(id), 0.2, id));
    const rows = record("2026-11-27-zen4-narrow.md").matchAll(/^\| (commit|prove|check) \| ([\d.]+) \| [\d.]+ \|/gm);
    const narrow = Plan.preset("H4-128");
    // The last table is of a quiet machine; the first has ratios alone.
    const times = [...rows].slice(-3).map(([, , milliseconds]) => Number(milliseconds) / 1e3);
    times.forEach((seconds, at) => near(narrow.seconds[at], seconds, 0.2, `H4-128, ${at}`));
    // `prove --exact 1024:0:1 --columns 4096` took 111.4 ms with 11.4 ns an entry, which are 6.3 now.
    const bits = Plan.ranges(1024, 4096, 0, 1);
    near(bits.seconds[1] - wideAttempt(bits), 0.1114 - 5.1e-9 * 1024 * 4096, 0.2, "bits");
});

/** The second of two attempts: the record's proof took one. */
function wideAttempt(plan) {
    return (plan.attempts - 1) * (plan.r * (plan.v - plan.r) * 130) / 48.7e9;
}

test("narrow masks are shorter, and more proofs cost more", () => {
    const [once, often] = [0, 10].map((proofs) => Plan.gaussian(4096, proofs));
    near(often.proofBytes, 174.4 * 1024, 0.01, "H4-128");
    assert.ok(once.proofBytes < often.proofBytes);
    assert.ok(often.proofBytes < 0.4 * Plan.knowledge(4096, 1, false).proofBytes);
});

test("what cannot be is an error", () => {
    for (const columns of [0, -1, 0.5, NaN, Infinity, 2 ** 60]) {
        assert.throws(() => Plan.knowledge(columns, 1, false), /columns: expected a whole number/);
    }
    assert.throws(() => Plan.knowledge(2 ** 40, 1, false), { name: "Error" });
    assert.throws(() => Plan.keys(64, 9), /1 to 8/);
    assert.throws(() => Plan.ranges(0, 64, 0, 1), { name: "Error" });
    assert.throws(() => Plan.ranges(8, 64, 1, 2), { name: "Error" });
    assert.throws(() => Plan.ranges(8, 64, -100, 100), { name: "Error" });
    assert.throws(() => Plan.mlKem(640, 1), /expected 512, 768 or 1024/);
    assert.throws(() => Plan.mlKem(512, 2 ** 21), /at most 2\^20/);
    assert.throws(() => Plan.preset("T5-128"), /T4-128/);
    assert.throws(() => Plan.preset("seed"), { name: "Error" });
});
