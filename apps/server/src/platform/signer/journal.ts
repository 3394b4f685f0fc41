import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { OffsetIndex } from './offset-index.ts';

const entry = z.strictObject({
  origin: z.string(),
  /** Hash over everything that is paid: chain, asset, address, amount. */
  digest: z.string(),
  asset: z.string(),
  amount: z.string(),
  nonce: z.int(),
  at: z.int(),
  raw: z.string(),
});
export type Signed = z.output<typeof entry>;

interface RecentPayment {
  readonly asset: string;
  readonly amount: string;
  readonly at: number;
}

const READ_BYTES = 1 << 20;
/** No entry is longer: a request is 16 KiB at most, and a signed transfer a few hundred bytes. */
const LINE_BYTES_MAX = 64 * 1024;
const LINE_END = 0x0a;
/** Amounts are remembered for as long as a daily limit looks back, plus an hour for clocks that were set back. */
const RECENT_MS = 25 * 3_600_000;
const ENTRY_START = '{"origin":';

/**
 * What the signer signed, on disk before anybody receives it; no database can contradict it. The file is the only full
 * copy: memory holds 16 bytes per payment (where its line begins) and the amounts of the last day.
 */
export class SigningJournal {
  private readonly file: number;
  private readonly write: typeof writeSync;
  private readonly index = new OffsetIndex();
  private recent: RecentPayment[] = [];
  private end = 0;
  private next = 0;
  private size = 0;

  /**
   * Opens the journal in a folder. Half a line, as a crash or a full disk leaves it, was never answered and is removed:
   * at the end of the file, and before a whole entry on the same line. Throws where an entry itself cannot be read.
   */
  constructor(folder: string, write: typeof writeSync = writeSync) {
    const path = join(folder, 'signed.jsonl');
    this.write = write;
    this.file = openSync(path, 'a+', 0o600);
    syncFolder(dirname(path));
    this.readAll();
    if (fstatSync(this.file).size > this.end) ftruncateSync(this.file, this.end);
  }

  /** What was signed under this name. */
  find(origin: string): Signed | undefined {
    for (const offset of this.index.offsetsOf(hashOf(origin))) {
      const found = entryOf(this.lineAt(offset));
      if (found.origin === origin) return found;
    }
    return undefined;
  }

  /** One more than the greatest nonce that was ever used. */
  get nextNonce(): number {
    return this.next;
  }

  /** The amounts of an asset that were signed after `since` (milliseconds UTC); 25 hours back at most. */
  amountsSince(asset: string, since: number): string[] {
    return this.recent
      .filter((payment) => payment.asset === asset && payment.at > since)
      .map(({ amount }) => amount);
  }

  /** How many payments were ever signed. */
  get count(): number {
    return this.size;
  }

  /** Stores what was signed; it is on disk on return. Throws, and leaves no part of it behind, where the disk refuses. */
  add(signed: Signed): void {
    const line = Buffer.from(`${JSON.stringify(signed)}\n`);
    try {
      for (let written = 0; written < line.length;)
        written += this.write(this.file, line, written, line.length - written);
      fsyncSync(this.file);
    } catch (failure) {
      ftruncateSync(this.file, this.end);
      throw failure;
    }
    this.remember(signed, this.end);
    this.end += line.length;
  }

  close(): void {
    closeSync(this.file);
  }

  /** Reads the file piece by piece; afterwards `end` is behind the last whole line. */
  private readAll(): void {
    const piece = Buffer.alloc(READ_BYTES);
    let unfinished: Buffer = Buffer.alloc(0);
    for (let position = 0; ;) {
      const length = readSync(this.file, piece, 0, READ_BYTES, position);
      if (length === 0) return;
      position += length;
      unfinished = this.readLines(Buffer.concat([unfinished, piece.subarray(0, length)]));
    }
  }

  /** Remembers each whole line of a piece that begins at `end`; returns the bytes behind the last one. */
  private readLines(bytes: Buffer): Buffer {
    let from = 0;
    for (let to = bytes.indexOf(LINE_END); to >= 0; to = bytes.indexOf(LINE_END, from)) {
      if (to > from) this.remember(entryOf(bytes.subarray(from, to).toString()), this.end);
      this.end += to + 1 - from;
      from = to + 1;
    }
    return bytes.subarray(from);
  }

  private remember(signed: Signed, offset: number): void {
    const { origin, asset, amount, at, nonce } = signed;
    this.index.add(hashOf(origin), offset);
    this.next = Math.max(this.next, nonce + 1);
    this.size += 1;
    this.recent.push({ asset, amount, at });
    const oldest = this.recent[0];
    if (oldest !== undefined && oldest.at < at - 2 * RECENT_MS)
      this.recent = this.recent.filter((payment) => payment.at >= at - RECENT_MS);
  }

  private lineAt(offset: number): string {
    const bytes = Buffer.alloc(Math.min(LINE_BYTES_MAX, this.end - offset));
    readSync(this.file, bytes, 0, bytes.length, offset);
    return bytes.subarray(0, bytes.indexOf(LINE_END)).toString();
  }
}

/** The entry of a line. Half an entry before it, which an older version could leave there, is passed over. */
function entryOf(line: string): Signed {
  const start = line.lastIndexOf(ENTRY_START);
  return entry.parse(JSON.parse(start > 0 ? line.slice(start) : line));
}

/** 53 bits of a digest: which payment is meant is decided by its name, which the line holds. */
function hashOf(origin: string): number {
  return createHash('sha256').update(origin).digest().readUIntBE(0, 6);
}

/** A file that was just created is found after a power failure only when its folder was stored too. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
