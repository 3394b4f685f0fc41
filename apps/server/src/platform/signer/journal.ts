import type { writeSync } from 'node:fs';
import * as z from 'zod';
import { PaymentJournal } from './indexed-journal.ts';
import { readJournalLines } from './journal-lines.ts';
import { RecentAmounts, RecentFees } from './recent-amounts.ts';

const entry = z.strictObject({
  origin: z.string(),
  /**
   * Hash of the payment's details, e.g. chain, asset, address and amount. A request with other details under the same
   * id is refused.
   */
  digest: z.string(),
  asset: z.string(),
  amount: z.string(),
  nonce: z.int(),
  at: z.int(),
  raw: z.string(),
  /**
   * Kind of a journal entry; absent for the first transaction of a payment:
   * - `replace`: the same payment with higher fees;
   * - `void`: a transfer of nothing with the payment's nonce, or, with an empty `raw` and the nonce -1, a record that
   *   nothing was signed for the payment and nothing will be;
   * - `cold`: the first transaction of a transfer to the cold wallet;
   * - `sweep`, `gas`: the first transaction of a transfer from a deposit address into the hot wallet, or of gas in
   *   the other direction;
   * - `intent`, `coldIntent`, `gasIntent`: a first transaction before a key in another process has signed it.
   */
  kind: z.enum(['replace', 'void', 'cold', 'sweep', 'gas', 'intent', 'coldIntent', 'gasIntent']).optional(),
  /** Derivation index of the deposit address that pays; absent if the hot wallet pays. */
  index: z.int().optional(),
  /**
   * By how many wei the greatest fee of the transaction exceeds that of earlier ones of the payment; absent if it does
   * not, and in entries of versions without limits of fees.
   */
  fee: z.string().regex(/^\d+$/).optional(),
});
export type Signed = z.output<typeof entry>;

/**
 * Maximum length in bytes of a journal entry. A request has at most 16 KiB, and a signed transfer a few hundred bytes.
 */
const LINE_BYTES_MAX = 64 * 1024;
/** Name of the journal file of a signer of an EVM chain. */
export const EVM_JOURNAL = 'signed.jsonl';
const ENTRY_START = '{"origin":';

/**
 * The journal of an EVM chain's signer. The amounts of at least the last 25 hours are also stored in memory,
 * for the limits of 24 hours.
 */
export class SigningJournal extends PaymentJournal<Signed> {
  /**
   * Signed amounts in coins, by asset. Gas for deposit addresses has a limit of its own and is counted under
   * the name `gas`.
   */
  private readonly recent = new RecentAmounts<string>();
  /**
   * The network fees that transactions of at least the last 25 hours have added, in wei, for the limit of 24
   * hours.
   */
  readonly fees = new RecentFees();
  private next = 0;
  private size = 0;

  /**
   * Opens the journal in a folder. An incomplete entry before a complete one on the same line, which older versions
   * could leave, is skipped. Throws if an entry cannot be read.
   */
  constructor(folder: string, write?: typeof writeSync) {
    super(folder, { fileName: EVM_JOURNAL, lineBytesMax: LINE_BYTES_MAX, entry, entryIn, write });
    this.readAll();
  }

  /** The highest nonce that the hot wallet has used in the journal, plus one; 0 if it has used none. */
  get nextNonce(): number {
    return this.next;
  }

  /**
   * Returns the highest nonce that the deposit address with this derivation index has used in the journal,
   * plus one; 0 if the address has used none.
   */
  nextNonceOf(index: number): number {
    const used = this.entriesNamed(accountOf(index)).filter((signed) => signed.index === index);
    return Math.max(0, ...used.map(({ nonce }) => nonce + 1));
  }

  /**
   * Returns the amounts, in coins, of the payments of an asset to the outside that were signed after `since`
   * (milliseconds UTC), which may be at most 25 hours ago. The asset `gas` stands for gas that was sent to
   * deposit addresses.
   */
  amountsSince(asset: string, since: number): string[] {
    return this.recent.since(asset, since);
  }

  /**
   * Number of signed withdrawals and returns in the journal, without replacements, voids, and transfers between own
   * accounts.
   */
  get count(): number {
    return this.size;
  }

  protected override remember(signed: Signed, offset: number): void {
    const { origin, asset, amount, at, nonce, kind, index, fee } = signed;
    const wasIntended = this.mayHave(origin);
    this.addName(origin, offset);
    this.fees.add(fee, at);
    if (index === undefined) this.next = Math.max(this.next, nonce + 1);
    // Only the first transaction of a sweep is indexed by address. Replacements and voids have the same nonce.
    else if (kind === 'sweep') this.addName(accountOf(index), offset);
    const isPayment = kind === undefined || kind === 'intent';
    const isGas = kind === 'gas' || kind === 'gasIntent';
    // Replacements and voids pay nothing more than the first transaction, and transfers between the exchange's own
    // accounts pay nothing to the outside, so they do not count towards limits. Gas has a limit of its own.
    if (!isPayment && !isGas) return;
    if (kind === undefined) this.size += 1;
    // The payment counts towards the limits from the time at which its intent was recorded.
    if ((kind === undefined || kind === 'gas') && wasIntended) return;
    this.recent.add({ name: isGas ? 'gas' : asset, amount, at });
  }
}

/**
 * Reads the entries of an EVM signer's journal, oldest first, without changing the file (see
 * `readJournalLines`). Throws if the file or an entry cannot be read.
 */
export async function* readSigned(folder: string): AsyncGenerator<Signed, void> {
  for await (const line of readJournalLines(folder, EVM_JOURNAL))
    yield entry.parse(JSON.parse(entryIn(line)));
}

/**
 * Returns the complete entry in a line, without an incomplete entry before it, which older versions could
 * leave.
 */
function entryIn(line: string): string {
  return line.slice(Math.max(0, line.lastIndexOf(ENTRY_START)));
}

/**
 * Returns the name of a deposit address in the journal's index. It differs from every payment id, because it
 * contains a slash.
 */
function accountOf(index: number): string {
  return `deposit address/${index}`;
}
