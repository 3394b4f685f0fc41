import { Decimal } from '@exchange/core/decimal.ts';
import * as z from 'zod';
import { PaymentJournal } from './indexed-journal.ts';
import { readJournalLines } from './journal-lines.ts';
import { RecentAmounts } from './recent-amounts.ts';

const entry = z.strictObject({
  /**
   * Kind of entry: the first transaction of a payment (`pay`, `cold`, `sweep`, `gas`), the same payment once more, or the end of
   * all signing for it.
   */
  kind: z.enum(['pay', 'cold', 'sweep', 'gas', 'renew', 'void']),
  /** Kind of the payment's first transaction; absent if nothing was signed. */
  of: z.optional(z.enum(['pay', 'cold', 'sweep', 'gas'])),
  origin: z.string(),
  /** Hash of the payment's details; empty if nothing was signed. */
  details: z.string(),
  asset: z.string(),
  /** Amount in units of the asset. */
  amount: z.string(),
  /** Number of the payment; 0 if nothing was signed. */
  serial: z.int(),
  /** Derivation index of the deposit address that pays; absent if the hot wallet pays. */
  index: z.optional(z.int()),
  /** Number of the named block. */
  refBlock: z.int(),
  expiration: z.int(),
  /** Time in the transaction, in milliseconds UTC; no two transactions have the same. */
  timestamp: z.int(),
  at: z.int(),
  /** The signed transaction; empty if nothing was signed. */
  raw: z.string(),
});
export type TronEntry = z.output<typeof entry>;

/** Name of the journal file of a signer of TRON. */
export const TRON_JOURNAL = 'tron.jsonl';
const LINE_BYTES_MAX = 16 * 1024;

/** The record of payments of the signer of TRON, by payment. */
export class TronJournal extends PaymentJournal<TronEntry> {
  private readonly recent = new RecentAmounts<Decimal>();
  private serial = 0;
  private newestTimestamp = 0;
  private size = 0;

  /** Opens the TRON signer's journal in a folder. Throws when a line cannot be read. */
  constructor(folder: string) {
    super(folder, {
      fileName: TRON_JOURNAL,
      lineBytesMax: LINE_BYTES_MAX,
      entry,
    });
    this.readAll();
  }

  /** One more than the highest number of a payment. */
  get nextSerial(): number {
    return this.serial + 1;
  }

  /** A time for the next transaction: `now`, or later if a transaction has it already. */
  timestampAt(now: number): number {
    return Math.max(now, this.newestTimestamp + 1);
  }

  /** Number of payments and transfers ever signed; one that was signed again counts once. */
  get count(): number {
    return this.size;
  }

  /**
   * Sum of the amounts of an asset (or of `gas`) that were signed after `since` (milliseconds UTC), at most 25 hours back. A
   * payment that was signed again counts again, because only the chain knows which of its transactions were paid.
   */
  signedSince(name: string, since: number): Decimal {
    return this.recent.since(name, since).reduce((total, amount) => total.plus(amount), Decimal.zero);
  }

  protected override remember(added: TronEntry, offset: number): void {
    const { kind, of, origin, asset, amount, serial, timestamp, at, raw } = added;
    this.addName(origin, offset);
    this.serial = Math.max(this.serial, serial);
    this.newestTimestamp = Math.max(this.newestTimestamp, timestamp);
    if (raw === '') return;
    if (kind !== 'renew') this.size += 1;
    if (of !== 'pay' && of !== 'gas') return;
    this.recent.add({ name: of === 'gas' ? 'gas' : asset, amount: Decimal.parse(amount), at });
  }
}

/** Reads the entries of the journal of a signer of TRON, as `readJournalLines` does. Throws when an entry cannot be read. */
export async function* readTronEntries(folder: string): AsyncGenerator<TronEntry, void> {
  for await (const line of readJournalLines(folder, TRON_JOURNAL)) yield entry.parse(JSON.parse(line));
}
