import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const READ_BYTES = 1 << 20;
const LINE_END = 0x0a;

/**
 * An append-only file of lines for a signer's journal. A line is on disk before `append` returns. Callers store the
 * offsets of lines and read the lines from the file.
 */
export class JournalFile {
  private readonly file: number;
  private readonly write: typeof writeSync;
  private readonly lineBytesMax: number;
  private end = 0;

  /**
   * Opens or creates the journal file. `lineBytesMax` is the maximum length of a line in bytes. Call `readAll` next.
   */
  constructor(
    folder: string,
    name: string,
    { lineBytesMax, write = writeSync }: { readonly lineBytesMax: number; readonly write?: typeof writeSync },
  ) {
    this.write = write;
    this.lineBytesMax = lineBytesMax;
    this.file = openSync(join(folder, name), 'a+', 0o600);
    syncFolder(folder);
  }

  /**
   * Calls `onLine` with every complete line of the journal and its offset. An incomplete line at the end, left by a
   * crash or a full disk, is removed; the signature in it was never returned.
   */
  readAll(onLine: (line: string, offset: number) => void): void {
    const block = Buffer.alloc(READ_BYTES);
    let unfinished: Buffer = Buffer.alloc(0);
    for (let position = 0; ;) {
      const length = readSync(this.file, block, 0, READ_BYTES, position);
      if (length === 0) break;
      position += length;
      unfinished = this.readLines(Buffer.concat([unfinished, block.subarray(0, length)]), onLine);
    }
    if (fstatSync(this.file).size > this.end) ftruncateSync(this.file, this.end);
  }

  /**
   * Appends a line to the journal and returns its offset. The line is on disk when this method returns. If the disk
   * fails, removes the incomplete line and throws. Throws if another process has written to the file, before or
   * meanwhile, because that process may have signed payments that this one does not know.
   */
  append(text: string): number {
    const line = Buffer.from(`${text}\n`);
    this.requireAlone(this.end);
    try {
      for (let written = 0; written < line.length;)
        written += this.write(this.file, line, written, line.length - written);
      fsyncSync(this.file);
    } catch (failure) {
      ftruncateSync(this.file, this.end);
      throw failure;
    }
    this.requireAlone(this.end + line.length);
    const offset = this.end;
    this.end += line.length;
    return offset;
  }

  lineAt(offset: number): string {
    const bytes = Buffer.alloc(Math.min(this.lineBytesMax, this.end - offset));
    readSync(this.file, bytes, 0, bytes.length, offset);
    return bytes.subarray(0, bytes.indexOf(LINE_END)).toString();
  }

  close(): void {
    closeSync(this.file);
  }

  private requireAlone(size: number): void {
    if (fstatSync(this.file).size !== size)
      throw new Error(
        'another signer writes to this journal: nothing is signed until this one is started again',
      );
  }

  /**
   * Passes each complete line of a block of the file to `onLine`; the block starts at the offset `end`. Returns the
   * bytes after the last complete line.
   */
  private readLines(bytes: Buffer, onLine: (line: string, offset: number) => void): Buffer {
    let lineStart = 0;
    for (let lineEnd = bytes.indexOf(LINE_END); lineEnd >= 0; lineEnd = bytes.indexOf(LINE_END, lineStart)) {
      if (lineEnd > lineStart) onLine(bytes.subarray(lineStart, lineEnd).toString(), this.end);
      this.end += lineEnd + 1 - lineStart;
      lineStart = lineEnd + 1;
    }
    return bytes.subarray(lineStart);
  }
}

/** Syncs a folder, so that a newly created file in it survives a power failure. */
function syncFolder(folder: string): void {
  const folderFile = openSync(folder, 'r');
  fsyncSync(folderFile);
  closeSync(folderFile);
}
