import { hash } from 'node:crypto';
import type { Reader } from '../../platform/database/database.ts';
import { ENTRIES_PAGE, entriesAfter } from './audit-repository.ts';
import type { AuditProblem, StoredEntry } from './domain.ts';

/** SHA-256 over the hash before (hex) and the entry's canonical text; hex. The first entry follows the empty string. */
export function entryHash(previous: string, entry: StoredEntry): string {
  return hash('sha256', previous + canonicalText(entry), 'hex');
}

function canonicalText(entry: StoredEntry): string {
  let postings = '';
  for (let index = 0; index < entry.amounts.length; index += 1) {
    postings += `;${entry.sources[index]}>${entry.destinations[index]}=${entry.amounts[index]}`;
  }
  return `${entry.sequence}|${entry.at}|${entry.kind}|${entry.reference ?? ''}${postings}`;
}

/** M7: no gap and no change behind `from`; gives the end of the chain. */
export async function verifyChain(
  reader: Reader,
  from: { sequence: number; hash: string },
): Promise<{ sequence: number; hash: string; problems: AuditProblem[] }> {
  let { sequence, hash: last } = from;
  for (;;) {
    const page = await entriesAfter(reader, sequence);
    for (const { entry, hash: storedHash } of page) {
      const expected = entryHash(last, entry);
      if (entry.sequence !== sequence + 1 || expected !== storedHash) {
        const detail = `entry ${entry.sequence} does not follow ${sequence}`;
        return { sequence, hash: last, problems: [{ invariant: 'M7', asset: undefined, detail }] };
      }
      sequence = entry.sequence;
      last = expected;
    }
    if (page.length < ENTRIES_PAGE) return { sequence, hash: last, problems: [] };
  }
}
