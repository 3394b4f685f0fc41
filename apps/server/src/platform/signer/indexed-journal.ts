import { createHash } from 'node:crypto';
import type { writeSync } from 'node:fs';
import { JournalFile } from './journal-file.ts';
import { OffsetIndex } from './offset-index.ts';

interface Options<Entry> {
  /** Name of the signer's journal file in its folder. */
  readonly fileName: string;
  /** Maximum length in bytes of a line of the journal. */
  readonly lineBytesMax: number;
  /** Checks the parsed JSON of a line in the journal and returns it as an entry; throws if it is invalid. */
  readonly entry: { readonly parse: (value: unknown) => Entry };
  /** Returns the part of a line that is the entry; if absent, the whole line is the entry. */
  readonly entryIn?: (line: string) => string;
  /** Writes to the journal file; only tests replace it. */
  readonly write?: typeof writeSync | undefined;
}

/**
 * A signer's record of what it has signed. An entry is on disk before the signature is returned, so that the signer
 * needs no database. An entry is found by its names, e.g. the id of its payment. Memory contains only a hash and a file
 * offset for each name. A subclass must call `readAll` in its constructor.
 */
export abstract class IndexedJournal<Entry> {
  readonly #file: JournalFile;
  readonly #index = new OffsetIndex();
  readonly #entryOf: (line: string) => Entry;

  constructor(folder: string, { fileName, lineBytesMax, entry, entryIn, write }: Options<Entry>) {
    this.#file = new JournalFile(
      folder,
      fileName,
      write === undefined ? { lineBytesMax } : { lineBytesMax, write },
    );
    this.#entryOf = (line) => entry.parse(JSON.parse(entryIn?.(line) ?? line));
  }

  /**
   * Appends an entry to the journal. The entry is on disk when this method returns. If the disk fails, removes the
   * incomplete line and throws. Throws if another process has written to the file, because that process may have signed
   * payments that this one does not know.
   */
  add(entry: Entry): void {
    this.remember(entry, this.#file.append(JSON.stringify(entry)));
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Reads the journal file. An incomplete line at its end, left by a crash or a full disk, is removed; the signature in
   * it was never returned. Throws if an entry cannot be read.
   */
  protected readAll(): void {
    this.#file.readAll((line, offset) => this.remember(this.#entryOf(line), offset));
  }

  /** Indexes a journal entry in memory: calls `addName` for each of its names. */
  protected abstract remember(entry: Entry, offset: number): void;

  protected addName(name: string, offset: number): void {
    this.#index.add(hashOf(name), offset);
  }

  /** Returns whether an entry may have this name; false if certainly no entry has it. */
  protected mayHave(name: string): boolean {
    return this.#index.offsetsOf(hashOf(name)).next().done === false;
  }

  /**
   * Returns the entries whose names have the same hash as `name`, oldest first. The caller must compare the
   * names.
   */
  protected entriesNamed(name: string): Entry[] {
    return [...this.#index.offsetsOf(hashOf(name))]
      .toSorted((left, right) => left - right)
      .map((offset) => this.#entryOf(this.#file.lineAt(offset)));
  }
}

/** A signer's record in which each entry belongs to one payment and is found by the payment's id. */
export abstract class PaymentJournal<
  Entry extends { readonly origin: string },
> extends IndexedJournal<Entry> {
  /** Returns all journal entries of the payment with this id, oldest first. */
  find(origin: string): Entry[] {
    return this.entriesNamed(origin).filter((signed) => signed.origin === origin);
  }
}

/** Returns the hash of a name in the journal's index: the first 48 bits of its SHA-256. */
function hashOf(name: string): number {
  return createHash('sha256').update(name).digest().readUIntBE(0, 6);
}
