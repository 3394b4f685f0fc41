import { createHash } from 'node:crypto';
import type { writeSync } from 'node:fs';
import { JournalFile } from './journal-file.ts';
import { OffsetIndex } from './offset-index.ts';

interface Options<Entry> {
  /** Name of the signer's journal file in its folder. */
  readonly fileName: string;
  /** The greatest length in bytes of a line of the journal. */
  readonly lineBytesMax: number;
  /** Parses a line of the signer's journal. Throws for a line that is no entry. */
  readonly entryOf: (line: string) => Entry;
  /** Writes to the journal file; replaced only by tests. */
  readonly write?: typeof writeSync | undefined;
}

/**
 * A signer's record of what it signed, on disk before a signature is returned, so that it depends on no database. The file
 * is the only full copy; memory holds a hash and an offset for each name of an entry. Subclasses call `readAll` when they
 * are constructed.
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
   * Appends an entry to the signer's journal; it is on disk when this returns. When the disk fails, throws and
   * removes the incomplete line. Throws when another process has written to the file: it may have signed what this
   * journal does not know.
   */
  add(entry: Entry): void {
    this.remember(entry, this.#file.append(JSON.stringify(entry)));
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Reads the signer's journal file. An incomplete line at its end, left by a crash or a full disk,
   * was never answered and is removed. Throws when an entry cannot be read.
   */
  protected readAll(): void {
    this.#file.readAll((line, offset) => this.remember(this.#entryOf(line), offset));
  }

  /** Indexes a journal entry in memory: calls `addName` for each of its names. */
  protected abstract remember(entry: Entry, offset: number): void;

  protected addName(name: string, offset: number): void {
    this.#index.add(hashOf(name), offset);
  }

  /** Whether a journal entry may have this name; false if certainly none has. */
  protected mayHave(name: string): boolean {
    return this.#index.offsetsOf(hashOf(name)).next().done === false;
  }

  /**
   * The journal entries with a name, oldest first. Entries with another name can be among them, so
   * callers compare it.
   */
  protected entriesNamed(name: string): Entry[] {
    return [...this.#index.offsetsOf(hashOf(name))]
      .toSorted((left, right) => left - right)
      .map((offset) => this.#entryOf(this.#file.lineAt(offset)));
  }
}

/** The first 48 bits of the SHA-256 of a name. */
function hashOf(name: string): number {
  return createHash('sha256').update(name).digest().readUIntBE(0, 6);
}
