import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { EntryKind } from './domain.ts';
import type { LedgerTables } from './tables.ts';

/** What an entry was made for, e.g. of kind `spot.traded` the id of the trade. */
interface EntryReference {
  readonly sequence: number;
  readonly kind: EntryKind;
  readonly reference: string | null;
}

/** What the entries behind a sequence number were made for, oldest first: for those who follow with a cursor. */
export async function referencesSince(
  reader: Reader,
  sequence: number,
  limit: number,
): Promise<EntryReference[]> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_entry')
    .select(['sequence', 'kind', 'reference'])
    .where('sequence', '>', BigInt(sequence))
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    sequence: wholeNumber(row.sequence),
    kind: row.kind as EntryKind,
    reference: row.reference,
  }));
}

/** The sequence number of the latest stored entry; 0 before any. */
export async function lastEntrySequence(reader: Reader): Promise<number> {
  const row = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_entry')
    .select(({ fn }) => fn.max('sequence').as('sequence'))
    .executeTakeFirst();
  return wholeNumber(row?.sequence ?? 0);
}
