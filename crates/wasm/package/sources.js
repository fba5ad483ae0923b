// Statements that Statement can read: files and bytes.

/** A File or Blob, by slices; in a worker only, as nothing else reads without waiting. */
export function fileSource(file) {
    const reader = new FileReaderSync();
    return {
        size: file.size,
        read(offset, buffer) {
            const slice = file.slice(offset, offset + buffer.length);
            buffer.set(new Uint8Array(reader.readAsArrayBuffer(slice)));
        },
    };
}

/** Bytes in memory. */
export function bytesSource(bytes) {
    return {
        size: bytes.length,
        read(offset, buffer) {
            buffer.set(bytes.subarray(offset, offset + buffer.length));
        },
    };
}

/** An open file of node: `fs` is the module node:fs, and `descriptor` from fs.openSync. */
export function descriptorSource(fs, descriptor) {
    return {
        size: fs.fstatSync(descriptor).size,
        read(offset, buffer) {
            for (let done = 0; done < buffer.length; ) {
                const got = fs.readSync(descriptor, buffer, done, buffer.length - done, offset + done);
                if (got === 0) throw new Error("the file has become shorter");
                done += got;
            }
        },
    };
}

/** The same source, which calls `progress(bytes)` with all that was read so far. */
export function watched(source, progress) {
    let bytes = 0;
    return {
        size: source.size,
        read(offset, buffer) {
            source.read(offset, buffer);
            bytes += buffer.length;
            progress(bytes);
        },
    };
}
