import { createHash } from 'node:crypto';

/** An entry as it is stored and hashed. Accounts are numbers of `ledger_account`. */
export interface StoredEntry {
  readonly sequence: number;
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  /** Plain decimal notation without trailing zeros. */
  readonly amounts: readonly string[];
}

/** SHA-256 over the hash before (hex) and the entry's canonical text; hex. The first entry follows the empty string. */
export function entryHash(previous: string, entry: StoredEntry): string {
  return createHash('sha256').update(previous).update(canonicalText(entry)).digest('hex');
}

function canonicalText(entry: StoredEntry): string {
  let postings = '';
  for (let index = 0; index < entry.amounts.length; index += 1) {
    postings += `;${entry.sources[index]}>${entry.destinations[index]}=${entry.amounts[index]}`;
  }
  return `${entry.sequence}|${entry.at}|${entry.kind}|${entry.reference ?? ''}${postings}`;
}
