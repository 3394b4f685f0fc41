import * as z from 'zod';
import { PaymentJournal } from './indexed-journal.ts';
import { readJournalLines } from './journal-lines.ts';
import { RecentAmounts } from './recent-amounts.ts';

const entry = z.strictObject({
  /**
   * Kind of transaction: the first one of a payment (`pay`, `cold`), the same payment once more, or
   * a transaction of nothing in its place.
   */
  kind: z.enum(['pay', 'cold', 'renew', 'void']),
  origin: z.string(),
  /** Hash of the payment's details; empty if the payment was forbidden before it was signed. */
  details: z.string(),
  drops: z.string(),
  /** Sequence number of the transaction; 0 if nothing was signed. */
  sequence: z.int(),
  lastLedger: z.int(),
  at: z.int(),
  /** The signed transaction; empty if nothing was signed. */
  raw: z.string(),
});
export type XrpEntry = z.output<typeof entry>;

/** Name of the journal file of a signer of the XRP Ledger. */
export const XRP_JOURNAL = 'xrp.jsonl';
const LINE_BYTES_MAX = 64 * 1024;

/** The record of payments of the signer of the XRP Ledger, by payment. */
export class XrpJournal extends PaymentJournal<XrpEntry> {
  private readonly recent = new RecentAmounts<bigint>();
  private next = 0;
  private size = 0;

  /** Opens the XRP signer's journal in a folder. Throws when a line cannot be read. */
  constructor(folder: string) {
    super(folder, {
      fileName: XRP_JOURNAL,
      lineBytesMax: LINE_BYTES_MAX,
      entry,
    });
    this.readAll();
  }

  /**
   * One more than the highest sequence number that a signed transaction ever used; 0 on a new
   * journal.
   */
  get nextSequence(): number {
    return this.next;
  }

  /** Number of payments ever signed. */
  get count(): number {
    return this.size;
  }

  /** Drops of payments to the outside that were signed after `since` (milliseconds UTC), at most 25 hours back. */
  paidSince(since: number): bigint {
    return this.recent.since('drops', since).reduce((total, drops) => total + drops, 0n);
  }

  protected override remember(added: XrpEntry, offset: number): void {
    const { kind, origin, sequence, at } = added;
    this.addName(origin, offset);
    this.next = Math.max(this.next, sequence === 0 ? 0 : sequence + 1);
    if (kind !== 'pay' && kind !== 'cold') return;
    this.size += 1;
    if (kind === 'cold') return;
    this.recent.add({ name: 'drops', amount: BigInt(added.drops), at });
  }
}

/** Reads the entries of the journal of a signer of the XRP Ledger, as `readJournalLines` does. Throws when an entry cannot be read. */
export async function* readXrpEntries(folder: string): AsyncGenerator<XrpEntry, void> {
  for await (const line of readJournalLines(folder, XRP_JOURNAL)) yield entry.parse(JSON.parse(line));
}
