import { hash } from 'node:crypto';
import type { Reader } from '../../platform/database/database.ts';
import { ENTRIES_PAGE, entriesAfter } from './audit-repository.ts';
import type { AuditProblem, StoredEntry } from './domain.ts';

/** The hash of a stored entry behind `previous`; see `chainedHash`. */
export function entryHash(previous: string, entry: StoredEntry): string {
  let postings = '';
  for (let at = 0; at < entry.amounts.length; at += 1)
    postings += postingText(entry.sources[at]!, entry.destinations[at]!, entry.amounts[at]!);
  return chainedHash(previous, entry, postings);
}

/**
 * SHA-256 over the hash before (hex) and the entry's canonical text, whose end are the texts of its
 * postings; hex. The first entry follows the empty string.
 */
export function chainedHash(
  previous: string,
  { sequence, at, kind, reference }: Pick<StoredEntry, 'sequence' | 'at' | 'kind' | 'reference'>,
  postings: string,
): string {
  return hash('sha256', `${previous}${sequence}|${at}|${kind}|${reference ?? ''}${postings}`, 'hex');
}

/** A posting's part of the canonical text; the amount in plain notation without trailing zeros. */
export function postingText(source: number, destination: number, amount: string): string {
  return `;${source}>${destination}=${amount}`;
}

/** M7: no gap and no change behind `from`; verifies at most `limit` entries and tells where it has come to. */
export async function verifyChain(
  reader: Reader,
  from: { sequence: number; hash: string },
  limit = Number.MAX_SAFE_INTEGER,
): Promise<{ sequence: number; hash: string; isAtEnd: boolean; problems: AuditProblem[] }> {
  let { sequence, hash: last } = from;
  for (;;) {
    const left = Math.min(ENTRIES_PAGE, from.sequence + limit - sequence);
    if (left === 0) return { sequence, hash: last, isAtEnd: false, problems: [] };
    const page = await entriesAfter(reader, sequence, left);
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
    if (page.length < left) return { sequence, hash: last, isAtEnd: true, problems: [] };
  }
}
