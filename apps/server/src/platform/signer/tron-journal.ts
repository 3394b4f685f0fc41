import { Decimal } from '@exchange/core/decimal.ts';
import * as z from 'zod';
import { PaymentJournal } from './indexed-journal.ts';
import { readJournalLines } from './journal-lines.ts';
import { RecentAmounts, RecentFees } from './recent-amounts.ts';

const entry = z.strictObject({
  /**
   * Kind of entry: the first transaction of a payment (`pay`, `cold`, `sweep`, `gas`), a further transaction of the
   * same payment (`renew`), or a record that nothing more is signed for it (`void`).
   */
  kind: z.enum(['pay', 'cold', 'sweep', 'gas', 'renew', 'void']),
  /** Kind of the payment's first transaction, also in the entries of its later ones; absent in a `void` entry. */
  of: z.optional(z.enum(['pay', 'cold', 'sweep', 'gas'])),
  origin: z.string(),
  /** Hash of the payment's details; empty in a `void` entry. */
  details: z.string(),
  asset: z.string(),
  /** Amount in coins as decimal text, e.g. `30` for 30 USDT. */
  amount: z.string(),
  /** Serial number of the payment, by which the exchange sorts payments; 0 if nothing was signed. */
  serial: z.int(),
  /** Derivation index of the deposit address that pays; absent if the hot wallet pays. */
  index: z.optional(z.int()),
  /** Number of the block to which the transaction refers. */
  refBlock: z.int(),
  expiration: z.int(),
  /** Time in the transaction, in milliseconds UTC. No two transactions have the same time. */
  timestamp: z.int(),
  at: z.int(),
  /** The signed transaction in hex; empty in a `void` entry. */
  raw: z.string(),
  /** Sun that the transaction can burn at most; absent in entries of versions without limits of fees. */
  fee: z.optional(z.string().regex(/^\d+$/)),
});
export type TronEntry = z.output<typeof entry>;

/** Name of the journal file of a signer of TRON. */
export const TRON_JOURNAL = 'tron.jsonl';
const LINE_BYTES_MAX = 16 * 1024;

/** The journal of the signer of TRON. */
export class TronJournal extends PaymentJournal<TronEntry> {
  private readonly recent = new RecentAmounts<Decimal>();
  /**
   * The network fees that transactions of at least the last 25 hours have added, in sun, for the limit of 24
   * hours.
   */
  readonly fees = new RecentFees();
  private serial = 0;
  private newestTimestamp = 0;
  private size = 0;

  /** Opens the journal in a folder. Throws if a line cannot be read. */
  constructor(folder: string) {
    super(folder, {
      fileName: TRON_JOURNAL,
      lineBytesMax: LINE_BYTES_MAX,
      entry,
    });
    this.readAll();
  }

  /** The highest serial number of a payment in the journal, plus one; 1 if there is none. */
  get nextSerial(): number {
    return this.serial + 1;
  }

  /**
   * Returns the creation time of the next transaction, in milliseconds UTC: `now`, or 1 ms after the newest
   * transaction if `now` is not later than that.
   */
  timestampAt(now: number): number {
    return Math.max(now, this.newestTimestamp + 1);
  }

  /** Number of payments and transfers in the journal. A payment that was signed several times counts once. */
  get count(): number {
    return this.size;
  }

  /**
   * Returns the sum, in coins, of the payments of an asset (or with `gas` as the name, of the gas sent to
   * deposit addresses) that were signed after `since`. `since` is in milliseconds UTC and at most 25 hours
   * ago. A payment that was signed again counts again, because the signer cannot determine which of its
   * transactions are in a block.
   */
  signedSince(name: string, since: number): Decimal {
    return this.recent.since(name, since).reduce((total, amount) => total.plus(amount), Decimal.zero);
  }

  protected override remember(added: TronEntry, offset: number): void {
    const { kind, of, origin, asset, amount, serial, timestamp, at, raw, fee } = added;
    this.addName(origin, offset);
    this.fees.add(fee, at);
    this.serial = Math.max(this.serial, serial);
    this.newestTimestamp = Math.max(this.newestTimestamp, timestamp);
    if (raw === '') return;
    if (kind !== 'renew') this.size += 1;
    if (of !== 'pay' && of !== 'gas') return;
    this.recent.add({ name: of === 'gas' ? 'gas' : asset, amount: Decimal.parse(amount), at });
  }
}

/**
 * Reads the entries of a TRON signer's journal, oldest first, without changing the file (see
 * `readJournalLines`). Throws if the file or an entry cannot be read.
 */
export async function* readTronEntries(folder: string): AsyncGenerator<TronEntry, void> {
  for await (const line of readJournalLines(folder, TRON_JOURNAL)) yield entry.parse(JSON.parse(line));
}
