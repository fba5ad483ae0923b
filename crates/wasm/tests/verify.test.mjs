// The package in node: `node --test verify.test.mjs` with TAUTOCHRONE_PACKAGE, the package that
// `bundle` wrote, and TAUTOCHRONE_FILES, the directory of the program `files`.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const directory = path.resolve(process.env.TAUTOCHRONE_PACKAGE);
const load = (name) => import(pathToFileURL(path.join(directory, name)));
const { initSync, Plan, Statement } = await load("tautochrone_wasm.js");
const { bytesSource, descriptorSource, watched } = await load("sources.js");
const { memory } = initSync({
    module: fs.readFileSync(path.join(directory, "tautochrone_wasm_bg.wasm")),
});

const file = (name) => path.join(process.env.TAUTOCHRONE_FILES, name);
const read = (name) => fs.readFileSync(file(name));
const context = new TextEncoder().encode("for you");

const invalid = (message) => ({ name: "InvalidProof", message });

/** Valid, and the claims that are shown can neither be changed nor be taken for something else. */
function valid(statement, proof) {
    const shown = statement.verify(context, proof);
    const { l: columns, w, log2Norm, bindingBits, hidingBits, secure } = statement;
    const text = "knowledge of a short preimage of every column";
    const rest = { columns, firstColumn: 0, w, log2Norm, bindingBits, hidingBits, secure };
    assert.deepEqual(shown, { kind: "knowledge", text, requirements: [], ...rest });
    assert.ok(Object.isFrozen(shown) && Object.isFrozen(shown.requirements));
}

/** The claim of a proof of another kind, which meets the requirements that it names, and no more. */
function claim(name, more) {
    const statement = new Statement(bytesSource(read(`${name}.lzs`)), false);
    const proof = read(`${name}.lzp`);
    const shown = statement.verify(context, proof);
    assert.deepEqual(statement.verify(context, proof, shown.requirements), shown);
    for (const requirement of more) {
        const message = `it does not show ${requirement}, but ${shown.text}`;
        const refused = { name: "InvalidProof", message, requirement };
        assert.throws(() => statement.verify(context, proof, [requirement]), refused);
    }
    return { shown, statement };
}

test("a proof of T4-128 is valid", () => {
    const start = performance.now();
    const descriptor = fs.openSync(file("secure.lzs"));
    const statement = new Statement(descriptorSource(fs, descriptor), false);
    valid(statement, read("secure.lzp"));
    const seconds = (performance.now() - start) / 1000;
    fs.closeSync(descriptor);
    console.log(`T4-128: ${seconds.toFixed(2)} s`);
    const { lambda, w, r, v, l, b } = statement;
    assert.deepEqual(
        { lambda, w, r, v, l, b },
        { lambda: 128, w: 29, r: 1240, v: 2704, l: 4096, b: 1 },
    );
    assert.ok(statement.bindingBits > 128 && statement.hidingBits > 128);
    assert.ok(statement.log2Norm > 20 && statement.log2Norm < 29);
    statement.free();
});

test("a proof of T1-128 is valid, and none of another statement", () => {
    const statement = new Statement(bytesSource(read("other.lzs")), false);
    valid(statement, read("other.lzp"));
    const elsewhere = () => statement.verify(new Uint8Array(), read("other.lzp"));
    assert.throws(elsewhere, invalid(/another context/));
    assert.throws(() => statement.verify(context, read("secure.lzp")), invalid(/./));
});

test("a proof has to show what is required", () => {
    const statement = new Statement(bytesSource(read("secure.lzs")), false);
    const verify = (require) => statement.verify(context, read("secure.lzp"), require);
    verify([]);
    const message = "it does not show range:8:0:1, but knowledge of a short preimage of every column";
    assert.throws(() => verify(["range:8:0:1"]), { ...invalid(message), requirement: "range:8:0:1" });
    assert.throws(() => verify(["bits"]), { name: "Error", message: /exact-keys/ });
});

test("claims about messages are said in words and as requirements", () => {
    const { shown, statement } = claim("exact", ["range:1025:0:1", "range:8:0:0", "norm:1024+4:19", "exact-keys:1:1"]);
    assert.match(
        shown.text,
        /^of the last 8 columns, \d+ in front: rows 0 to 1023 in \[0, 1\], rows 1028 to 1032 in \[0, 1\], rows 1024 to 1027 of squared norm at most 20; a weighted sum over 8 rows and 2 columns is 43$/,
    );
    assert.deepEqual(shown.requirements, ["range:1024:0:1:8", "range:1028+5:0:1:8", "norm:1024+4:20:8"]);
    assert.deepEqual([shown.kind, shown.columns - shown.firstColumn], ["claims", 8]);
    assert.ok(shown.text.includes(` ${shown.firstColumn} in front`));
    // Messages and pads hide nothing.
    assert.ok(shown.secure && shown.hidingBits >= 128 && shown.hidingBits <= statement.hidingBits);
});

test("well formed keys are said in words and as a requirement", () => {
    const { shown, statement } = claim("keys", ["range:8:-1:1", "norm:8:8"]);
    assert.equal(shown.text, "every column is a key with secrets in [-1, 1] and errors in [-1, 1]");
    assert.deepEqual([shown.kind, shown.requirements], ["keys", ["exact-keys:1:1"]]);
    // With hints, and for the longer vectors of a longer statement.
    assert.ok(shown.secure && shown.hidingBits >= 128 && shown.hidingBits < statement.hidingBits);
    assert.ok(shown.log2Norm > statement.log2Norm);
});

test("a proof about a circuit has no verdict", () => {
    const statement = new Statement(bytesSource(read("circuit.lzs")), false);
    const none = { name: "Error", message: /about a circuit or public keys/ };
    assert.throws(() => statement.verify(context, read("circuit.lzp")), none);
});

test("a statement has the hash of its file", () => {
    for (const name of ["toy.lzs", "secure.lzs"]) {
        const statement = new Statement(bytesSource(read(name)), true);
        const expected = createHash("sha256").update(read(name)).digest("hex");
        assert.equal(statement.sha256(), expected);
    }
});

test("altered proofs and statements are not valid", () => {
    const [statement, proof] = [read("secure.lzs"), read("secure.lzp")];
    const checked = new Statement(bytesSource(statement), false);
    for (const at of [200, proof.length >> 1, proof.length - 20]) {
        proof[at] ^= 4;
        assert.throws(() => checked.verify(context, proof), invalid(/./), `byte ${at}`);
        proof[at] ^= 4;
    }
    valid(checked, proof);
    statement[statement.length >> 1] ^= 1;
    const other = new Statement(bytesSource(statement), false);
    assert.throws(() => other.verify(context, proof), invalid(/another statement/));
});

test("wrong files are errors that say what is wrong", () => {
    const [statement, proof] = [read("secure.lzs"), read("secure.lzp")];
    const open = (bytes) => new Statement(bytesSource(bytes), false);
    assert.throws(() => open(proof), /statement: this file is a proof of knowledge alone/);
    assert.throws(() => open(statement.subarray(0, -1)), /truncated/);
    assert.throws(() => open(new Uint8Array()), /too short/);
    const checked = open(statement);
    const none = (message) => ({ name: "Error", message });
    const refused = (proof, message) =>
        assert.throws(() => checked.verify(context, proof), none(message));
    refused(statement, /proof: this file is a statement/);
    refused(proof.subarray(0, -1), /truncated/);
    refused(new Uint8Array(), /too short/);
    for (const size of [-1, 0.5, NaN, 2 ** 60, "many"]) {
        assert.throws(() => new Statement({ size, read() {} }, false), /no number of bytes/);
    }
});

test("insecure statements are refused, unless they are accepted", () => {
    const source = bytesSource(read("toy.lzs"));
    assert.throws(() => new Statement(source, false), /insecure parameters/);
    valid(new Statement(source, true), read("toy.lzp"));
});

test("a long statement is streamed, in bounded memory, and watched", () => {
    const size = fs.statSync(file("long.lzs")).size;
    assert.ok(size > 300e6);
    const descriptor = fs.openSync(file("long.lzs"));
    let last = 0;
    const source = watched(descriptorSource(fs, descriptor), (bytes) => (last = bytes));
    const before = memory.buffer.byteLength;
    const statement = new Statement(source, true);
    valid(statement, read("long.lzp"));
    const grown = memory.buffer.byteLength - before;
    assert.ok(grown < 24 << 20, `memory grew by ${grown} bytes`);
    // All but the header is read twice.
    const expected = Statement.bytesRead(size, 1);
    assert.ok(Math.abs(last - expected) < 1000, `${last} bytes were read, not ${expected}`);
    fs.closeSync(descriptor);
    assert.throws(() => statement.verify(context, read("long.lzp")), /cannot be read: .*EBADF/);
});

test("a source may use the verifier itself", () => {
    const bytes = read("toy.lzs");
    const inner = bytesSource(bytes);
    const source = watched(inner, () => new Statement(inner, true).free());
    valid(new Statement(source, true), read("toy.lzp"));
});

test("what a source throws is the error, and others go on", () => {
    const bytes = read("toy.lzs");
    const broken = { size: bytes.length, read() { throw new Error("the disk is gone"); } };
    assert.throws(() => new Statement(broken, true), /the disk is gone/);
    valid(new Statement(bytesSource(bytes), true), read("toy.lzp"));
});
