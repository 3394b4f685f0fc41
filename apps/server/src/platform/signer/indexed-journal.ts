import { createHash } from 'node:crypto';
import type { writeSync } from 'node:fs';
import { JournalFile } from './journal-file.ts';
import { OffsetIndex } from './offset-index.ts';

interface Options<Entry> {
  /** Name of the file in its folder. */
  readonly fileName: string;
  /** The greatest length of a line. */
  readonly lineBytesMax: number;
  /** Parses a line. Throws for one that is no entry. */
  readonly entryOf: (line: string) => Entry;
  /** Writes to the file; only tests replace it. */
  readonly write?: typeof writeSync | undefined;
}

/**
 * A signer's record of what it signed, on disk before a signature is returned, so that it depends on no database. The file
 * is the only full copy; memory holds 16 bytes for each name of an entry. Subclasses call `readAll` when they are
 * constructed.
 */
export abstract class IndexedJournal<Entry> {
  readonly #file: JournalFile;
  readonly #index = new OffsetIndex();
  readonly #entryOf: (line: string) => Entry;

  constructor(folder: string, { fileName, lineBytesMax, entryOf, write }: Options<Entry>) {
    this.#file = new JournalFile(
      folder,
      fileName,
      write === undefined ? { lineBytesMax } : { lineBytesMax, write },
    );
    this.#entryOf = entryOf;
  }

  /**
   * Appends an entry; it is on disk when this returns. When the disk fails, throws and removes the incomplete line. Throws
   * without a change when another process has written to the file: it may have signed what this journal does not know.
   */
  add(entry: Entry): void {
    this.remember(entry, this.#file.append(JSON.stringify(entry)));
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Reads the file. An incomplete line at its end, left by a crash or a full disk, was never answered and is removed. Throws
   * when an entry cannot be read.
   */
  protected readAll(): void {
    this.#file.readAll((line, offset) => this.remember(this.#entryOf(line), offset));
  }

  /** Takes what memory holds of an entry: calls `addName` for each of its names. */
  protected abstract remember(entry: Entry, offset: number): void;

  protected addName(name: string, offset: number): void {
    this.#index.add(hashOf(name), offset);
  }

  /** Whether an entry may have this name; false if none has. */
  protected mayHave(name: string): boolean {
    return this.#index.offsetsOf(hashOf(name)).next().done === false;
  }

  /** The entries with a name, oldest first. Entries with another name can be among them: compare it. */
  protected entriesNamed(name: string): Entry[] {
    return [...this.#index.offsetsOf(hashOf(name))]
      .toSorted((left, right) => left - right)
      .map((offset) => this.#entryOf(this.#file.lineAt(offset)));
  }
}

/** 48 bits of a SHA-256. */
function hashOf(name: string): number {
  return createHash('sha256').update(name).digest().readUIntBE(0, 6);
}
