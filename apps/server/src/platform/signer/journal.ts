import type { writeSync } from 'node:fs';
import * as z from 'zod';
import { PaymentJournal } from './indexed-journal.ts';
import { readJournalLines } from './journal-lines.ts';
import { RecentAmounts } from './recent-amounts.ts';

const entry = z.strictObject({
  origin: z.string(),
  /** Hash of all payment details: chain, asset, address, amount. */
  digest: z.string(),
  asset: z.string(),
  amount: z.string(),
  nonce: z.int(),
  at: z.int(),
  raw: z.string(),
  /**
   * Kind of a journal entry; absent for the first transaction of a payment. `replace`: the same
   * payment with higher fees. `void`: a transfer of nothing with the nonce of the payment, or, with
   * an empty `raw` and the nonce -1, the note that nothing was signed and nothing will be. `cold`:
   * the first transaction of a transfer to the cold wallet. `sweep` and `gas`: the first
   * transaction of a transfer from a deposit address into the hot wallet, or of gas in the other
   * direction. `intent`, `coldIntent` and `gasIntent`: such a first transaction without its
   * signature, which a key in another process is about to make.
   */
  kind: z.enum(['replace', 'void', 'cold', 'sweep', 'gas', 'intent', 'coldIntent', 'gasIntent']).optional(),
  /** Derivation index of the deposit address that pays; absent if the hot wallet pays. */
  index: z.int().optional(),
});
export type Signed = z.output<typeof entry>;

/**
 * Maximum length in bytes of a journal entry: a request has at most 16 KiB and a signed transfer a
 * few hundred bytes.
 */
const LINE_BYTES_MAX = 64 * 1024;
/** Name of the journal file of a signer of an EVM chain. */
export const EVM_JOURNAL = 'signed.jsonl';
const ENTRY_START = '{"origin":';

/**
 * The record of payments of the signer of an EVM chain. In addition to the names, memory holds the amounts of the last day.
 */
export class SigningJournal extends PaymentJournal<Signed> {
  /** Amounts by asset; `gas` for gas on deposit addresses, which has a limit of its own. */
  private readonly recent = new RecentAmounts<string>();
  private next = 0;
  private size = 0;

  /**
   * Opens the signer's journal in a folder. An incomplete line before a complete entry on the same
   * line, which older versions could leave, is skipped. Throws when an entry cannot be read.
   */
  constructor(folder: string, write?: typeof writeSync) {
    super(folder, { fileName: EVM_JOURNAL, lineBytesMax: LINE_BYTES_MAX, entry, entryIn, write });
    this.readAll();
  }

  /** One more than the highest nonce that the hot wallet ever used. */
  get nextNonce(): number {
    return this.next;
  }

  /** One more than the highest nonce that the deposit address with this derivation index ever used. */
  nextNonceOf(index: number): number {
    const used = this.entriesNamed(accountOf(index)).filter((signed) => signed.index === index);
    return Math.max(0, ...used.map(({ nonce }) => nonce + 1));
  }

  /**
   * The amounts of an asset signed after `since` (milliseconds UTC), at most 25 hours back. `gas` stands for gas on deposit
   * addresses.
   */
  amountsSince(asset: string, since: number): string[] {
    return this.recent.since(asset, since);
  }

  /** Number of payments to users ever signed, without replacements, voids, and transfers between own accounts. */
  get count(): number {
    return this.size;
  }

  protected override remember(signed: Signed, offset: number): void {
    const { origin, asset, amount, at, nonce, kind, index } = signed;
    const wasIntended = this.mayHave(origin);
    this.addName(origin, offset);
    if (index === undefined) this.next = Math.max(this.next, nonce + 1);
    // Replacements and voids of a sweep use the nonce of the first transaction.
    else if (kind === 'sweep') this.addName(accountOf(index), offset);
    const isPayment = kind === undefined || kind === 'intent';
    const isGas = kind === 'gas' || kind === 'gasIntent';
    // Replacements and voids pay nothing in addition to the first transaction. Transfers between the exchange's own
    // accounts do not leave the exchange.
    if (!isPayment && !isGas) return;
    if (kind === undefined) this.size += 1;
    // The limits count a payment once, from its intent on.
    if ((kind === undefined || kind === 'gas') && wasIntended) return;
    this.recent.add({ name: isGas ? 'gas' : asset, amount, at });
  }
}

/** Reads the entries of the journal of a signer of an EVM chain, as `readJournalLines` does. Throws when an entry cannot be read. */
export async function* readSigned(folder: string): AsyncGenerator<Signed, void> {
  for await (const line of readJournalLines(folder, EVM_JOURNAL))
    yield entry.parse(JSON.parse(entryIn(line)));
}

/** The entry of a line, without an incomplete entry before it, which older versions could leave. */
function entryIn(line: string): string {
  return line.slice(Math.max(0, line.lastIndexOf(ENTRY_START)));
}

/** The name of a deposit address in the journal's index; it differs from every payment's name. */
function accountOf(index: number): string {
  return `deposit address/${index}`;
}
