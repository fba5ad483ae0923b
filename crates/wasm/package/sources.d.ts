import type { Source } from "./tautochrone_wasm.js";

/** A File or Blob, by slices; in a worker only, as nothing else reads without waiting. */
export function fileSource(file: Blob): Source;
/** Bytes in memory. */
export function bytesSource(bytes: Uint8Array): Source;
/** An open file of node: `fs` is the module node:fs, and `descriptor` from fs.openSync. */
export function descriptorSource(
    fs: {
        fstatSync(descriptor: number): { size: number };
        readSync(
            descriptor: number,
            buffer: Uint8Array,
            offset: number,
            length: number,
            position: number,
        ): number;
    },
    descriptor: number,
): Source;
/** The same source, which calls `progress(bytes)` with all that was read so far. */
export function watched(source: Source, progress: (bytes: number) => void): Source;
