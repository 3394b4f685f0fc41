import { hash } from 'node:crypto';
import type { Reader } from '../../platform/database/database.ts';
import { ENTRIES_PAGE, entriesAfter } from './audit-repository.ts';
import type { AuditProblem, StoredEntry } from './domain.ts';

/**
 * The hash of a stored ledger entry that follows an entry with the hash `previous`; see
 * `chainedHash`.
 */
export function entryHash(previous: string, entry: StoredEntry): string {
  let postings = '';
  for (let index = 0; index < entry.amounts.length; index += 1)
    postings += postingText(entry.sources[index]!, entry.destinations[index]!, entry.amounts[index]!);
  return chainedHash(previous, entry, postings);
}

/**
 * SHA-256 (hex) over the previous hash (hex) and the canonical text of the entry, which ends with the texts
 * of its postings. The previous hash of the first entry is the empty string.
 */
export function chainedHash(
  previous: string,
  { sequence, at, kind, reference }: Pick<StoredEntry, 'sequence' | 'at' | 'kind' | 'reference'>,
  postings: string,
): string {
  return hash('sha256', `${previous}${sequence}|${at}|${kind}|${reference ?? ''}${postings}`, 'hex');
}

/**
 * The canonical text of a posting for the ledger's hash chain; the amount is in plain notation
 * without trailing zeros.
 */
export function postingText(source: number, destination: number, amount: string): string {
  return `;${source}>${destination}=${amount}`;
}

/**
 * Audit rule M7: verifies that no ledger entry after `from` is missing or changed, for at most `limit` entries. Returns
 * the last verified entry, the problem found, and whether the end of the hash chain was reached.
 */
export async function verifyChain(
  reader: Reader,
  from: { sequence: number; hash: string },
  limit = Number.MAX_SAFE_INTEGER,
): Promise<{ sequence: number; hash: string; isAtEnd: boolean; problems: AuditProblem[] }> {
  let { sequence, hash: last } = from;
  for (;;) {
    const size = Math.min(ENTRIES_PAGE, from.sequence + limit - sequence);
    if (size === 0) return { sequence, hash: last, isAtEnd: false, problems: [] };
    const page = await entriesAfter(reader, sequence, size);
    for (const { entry, hash: storedHash } of page) {
      const expected = entryHash(last, entry);
      if (entry.sequence !== sequence + 1 || expected !== storedHash) {
        const detail = `entry ${entry.sequence} does not follow ${sequence}`;
        const problems = [{ invariant: 'M7', asset: undefined, detail }];
        return { sequence, hash: last, isAtEnd: false, problems };
      }
      sequence = entry.sequence;
      last = expected;
    }
    if (page.length < size) return { sequence, hash: last, isAtEnd: true, problems: [] };
  }
}
