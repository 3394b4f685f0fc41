import * as z from 'zod';
import { IndexedJournal } from './indexed-journal.ts';
import { readJournalLines } from './journal-lines.ts';
import { RecentAmounts, RecentFees } from './recent-amounts.ts';
import { batchInput, batchPayment } from './utxo-protocol.ts';

const units = z.string().regex(/^\d{1,18}$/);

const entry = z.discriminatedUnion('kind', [
  /**
   * The first transaction of a batch of payments, or of a child: a batch without payments that spends the change of
   * another batch to raise its fee (child pays for parent).
   */
  z.strictObject({
    kind: z.literal('batch'),
    batch: z.string(),
    /** Id of the batch whose change a child spends; absent for a batch of payments. */
    parent: z.optional(z.string()),
    at: z.int(),
    inputs: z.array(batchInput),
    payments: z.array(batchPayment),
    fee: units,
    raw: z.string(),
  }),
  /** A further transaction of a batch, with a higher fee and possibly without some of its payments. */
  z.strictObject({
    kind: z.literal('replace'),
    batch: z.string(),
    at: z.int(),
    fee: units,
    /**
     * By how much, in the smallest unit, the fee exceeds that of the batch's transaction before; absent in
     * entries of versions without limits of fees.
     */
    raise: z.optional(units),
    without: z.array(z.string()),
    raw: z.string(),
  }),
  /** A record that a payment, which is in no batch, must never be signed. */
  z.strictObject({ kind: z.literal('forbid'), origin: z.string(), at: z.int() }),
]);
export type UtxoEntry = z.output<typeof entry>;
export type BatchEntry = Extract<UtxoEntry, { kind: 'batch' }>;
type ReplaceEntry = Extract<UtxoEntry, { kind: 'replace' }>;

/** Name of the journal file of a signer of a chain of the Bitcoin family. */
export const UTXO_JOURNAL = 'batches.jsonl';
/**
 * Maximum length in bytes of a journal line. A batch has at most 100 payments and 200 inputs of about 300 characters
 * each, and a transaction of about 70,000 characters.
 */
const LINE_BYTES_MAX = 1 << 20;

/**
 * The journal of a Bitcoin-family signer. It finds batches by batch id, payment id, spent output and, for
 * child batches, the parent's id.
 */
export class UtxoJournal extends IndexedJournal<UtxoEntry> {
  private readonly recent = new RecentAmounts<bigint>();
  /**
   * The network fees that transactions of at least the last 25 hours have added, in the smallest unit, for
   * the limit of 24 hours.
   */
  readonly fees = new RecentFees();
  private size = 0;

  /** Opens the journal in a folder. Throws if a line cannot be read. */
  constructor(folder: string) {
    super(folder, {
      fileName: UTXO_JOURNAL,
      lineBytesMax: LINE_BYTES_MAX,
      entry,
    });
    this.readAll();
  }

  /**
   * Number of batches in the journal, including child batches (child pays for parent). A batch with replacements counts
   * once.
   */
  get count(): number {
    return this.size;
  }

  /**
   * Returns the first entry of a batch, and its replacements, oldest first; undefined for an unknown batch.
   */
  find(
    batch: string,
  ): { readonly first: BatchEntry; readonly replacements: readonly ReplaceEntry[] } | undefined {
    const entries = this.entriesNamed(`batch ${batch}`);
    const first = entries.find((each) => each.kind === 'batch' && each.batch === batch);
    if (first?.kind !== 'batch') return undefined;
    const replacements = entries.flatMap((each) =>
      each.kind === 'replace' && each.batch === batch ? [each] : [],
    );
    return { first, replacements };
  }

  /** Returns the id of the batch that contains the payment with this id; undefined if none does. */
  batchOf(origin: string): string | undefined {
    return this.entriesNamed(`origin ${origin}`)
      .flatMap((each) =>
        each.kind === 'batch' && each.payments.some((payment) => payment.origin === origin)
          ? [each.batch]
          : [],
      )
      .at(0);
  }

  /**
   * Returns the ids of the child batches that spend the change of one of a batch's transactions (child pays
   * for parent), oldest first.
   */
  childrenOf(parent: string): string[] {
    return this.entriesNamed(`parent ${parent}`).flatMap((each) =>
      each.kind === 'batch' && each.parent === parent ? [each.batch] : [],
    );
  }

  isForbidden(origin: string): boolean {
    return this.entriesNamed(`origin ${origin}`).some(
      (each) => each.kind === 'forbid' && each.origin === origin,
    );
  }

  /** Returns the id of the batch that spends an output; undefined if none does. */
  spenderOf(txid: string, vout: number): string | undefined {
    return this.entriesNamed(`output ${txid}:${vout}`)
      .flatMap((each) =>
        each.kind === 'batch' && each.inputs.some((input) => input.txid === txid && input.vout === vout)
          ? [each.batch]
          : [],
      )
      .at(0);
  }

  /**
   * Returns the sum of the payments to the outside that were signed after `since` (milliseconds UTC), which
   * may be at most 25 hours ago, in the smallest unit.
   */
  paidSince(since: number): bigint {
    return this.recent.since('units', since).reduce((total, paid) => total + paid, 0n);
  }

  protected override remember(added: UtxoEntry, offset: number): void {
    const add = (name: string) => this.addName(name, offset);
    if (added.kind === 'forbid') {
      add(`origin ${added.origin}`);
      return;
    }
    add(`batch ${added.batch}`);
    this.fees.add(added.kind === 'replace' ? added.raise : added.fee, added.at);
    if (added.kind === 'replace') return;
    if (added.parent !== undefined) add(`parent ${added.parent}`);
    for (const { txid, vout } of added.inputs) add(`output ${txid}:${vout}`);
    for (const { origin } of added.payments) add(`origin ${origin}`);
    this.size += 1;
    const { at } = added;
    const paid = added.payments.reduce(
      (total, payment) => (payment.kind === 'pay' ? total + BigInt(payment.units) : total),
      0n,
    );
    this.recent.add({ name: 'units', amount: paid, at });
  }
}

/**
 * Reads the entries of a Bitcoin-family signer's journal, oldest first, without changing the file (see
 * `readJournalLines`). Throws if the file or an entry cannot be read.
 */
export async function* readUtxoEntries(folder: string): AsyncGenerator<UtxoEntry, void> {
  for await (const line of readJournalLines(folder, UTXO_JOURNAL)) yield entry.parse(JSON.parse(line));
}
