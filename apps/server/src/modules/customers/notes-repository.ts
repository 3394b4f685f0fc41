import type { UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Reader, Store } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';

/** A note that an operator wrote about a user. */
export interface OperatorNote {
  readonly id: string;
  readonly owner: UserId;
  readonly operator: string;
  readonly text: string;
  readonly at: number;
}

/** Source of the operators' notes for the timeline of a user. */
export function noteRecords(reader: Reader): RecordSource {
  return recordsOfTable(reader, {
    kind: 'note',
    table: 'operator_note',
    at: 'at',
    columns: ['operator', 'text'],
    describe: ({ operator, text = '' }) => ({ event: `Note by ${operator}: ${text}` }),
  });
}

export async function insertNote(
  store: Store,
  { id, owner, operator, text, at }: OperatorNote,
): Promise<void> {
  await sql`
    insert into operator_note (id, owner, operator, text, at)
    values (${id}::uuid, ${owner}::uuid, ${operator}, ${text}, ${at}::bigint)
  `.execute(store);
}
