import * as z from 'zod';
import { PaymentJournal } from './indexed-journal.ts';
import { readJournalLines } from './journal-lines.ts';
import { RecentAmounts, RecentFees } from './recent-amounts.ts';

const entry = z.strictObject({
  /**
   * Kind of entry: the first transaction of a payment (`pay`, `cold`), a further one of the same payment
   * (`renew`), or one without effect that uses up the payment's sequence number (`void`). A `void` entry with
   * an empty `raw` only records that nothing was signed for the payment and nothing will be.
   */
  kind: z.enum(['pay', 'cold', 'renew', 'void']),
  origin: z.string(),
  /** Hash of the payment's details; empty if the payment was voided before it was signed. */
  details: z.string(),
  drops: z.string(),
  /** Sequence number of the transaction; 0 if nothing was signed. */
  sequence: z.int(),
  lastLedger: z.int(),
  at: z.int(),
  /** The signed transaction in hex; empty if nothing was signed. */
  raw: z.string(),
  /**
   * By how many drops the fee of the transaction exceeds that of earlier ones of the payment; absent if it does not, and
   * in entries of versions without limits of fees.
   */
  fee: z.optional(z.string().regex(/^\d+$/)),
});
export type XrpEntry = z.output<typeof entry>;

/** Name of the journal file of a signer of the XRP Ledger. */
export const XRP_JOURNAL = 'xrp.jsonl';
const LINE_BYTES_MAX = 64 * 1024;

/** The journal of the signer of the XRP Ledger. */
export class XrpJournal extends PaymentJournal<XrpEntry> {
  private readonly recent = new RecentAmounts<bigint>();
  /**
   * The network fees that transactions of at least the last 25 hours have added, in drops, for the limit of
   * 24 hours.
   */
  readonly fees = new RecentFees();
  private next = 0;
  private size = 0;

  /** Opens the journal in a folder. Throws if a line cannot be read. */
  constructor(folder: string) {
    super(folder, {
      fileName: XRP_JOURNAL,
      lineBytesMax: LINE_BYTES_MAX,
      entry,
    });
    this.readAll();
  }

  /** The highest sequence number of a signed transaction in the journal, plus one; 0 if there is none. */
  get nextSequence(): number {
    return this.next;
  }

  /**
   * Number of payments in the journal, including transfers to the cold wallet. A payment that was signed
   * several times counts once.
   */
  get count(): number {
    return this.size;
  }

  /**
   * Returns the sum in drops of the payments to the outside that were signed after `since` (milliseconds
   * UTC), which may be at most 25 hours ago.
   */
  paidSince(since: number): bigint {
    return this.recent.since('drops', since).reduce((total, drops) => total + drops, 0n);
  }

  protected override remember(added: XrpEntry, offset: number): void {
    const { kind, origin, sequence, at, fee } = added;
    this.addName(origin, offset);
    this.fees.add(fee, at);
    this.next = Math.max(this.next, sequence === 0 ? 0 : sequence + 1);
    if (kind !== 'pay' && kind !== 'cold') return;
    this.size += 1;
    if (kind === 'cold') return;
    this.recent.add({ name: 'drops', amount: BigInt(added.drops), at });
  }
}

/**
 * Reads the entries of an XRP signer's journal, oldest first, without changing the file (see
 * `readJournalLines`). Throws if the file or an entry cannot be read.
 */
export async function* readXrpEntries(folder: string): AsyncGenerator<XrpEntry, void> {
  for await (const line of readJournalLines(folder, XRP_JOURNAL)) yield entry.parse(JSON.parse(line));
}
