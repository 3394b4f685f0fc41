import type { UserId } from '@exchange/core/ids.ts';
import type { AmountRange } from '@exchange/core/tracking.ts';
import { type RawBuilder, sql } from 'kysely';

/** Number of an account's newest records whose amounts are compared with a searched amount. */
const COMPARED_MAX = 500;

/**
 * Selects transfers of an account by a search text: those that are not completed, those with an amount, or
 * those with an id or a transaction id.
 */
export type TransferNames =
  | { readonly by: 'open' }
  | { readonly by: 'amount'; readonly amounts: AmountRange }
  | {
      readonly by: 'name';
      /** The searched text as the id of a record; undefined if the text is not a UUID. */
      readonly id: string | undefined;
      /** Possible spellings of the searched text as a transaction id, in lower case. */
      readonly transactions: readonly string[];
    };

/**
 * Returns an SQL condition that selects an account's records of `table` by `names`: the records that are not
 * completed, those with a matching amount, or those with a matching id or transaction id. Amounts are
 * compared with the newest 500 records only, so that the cost does not grow with the history.
 *
 * @param parts `open`: the condition of records that are not completed; `amounts`: the amounts that users
 * see, of which one must match; `transaction`: the transaction id in lower case, undefined for a table
 * without one
 */
export function trackedRows(
  table: string,
  owner: UserId,
  names: TransferNames,
  parts: {
    readonly open: RawBuilder<unknown>;
    readonly amounts: readonly RawBuilder<unknown>[];
    readonly transaction: RawBuilder<unknown> | undefined;
  },
): RawBuilder<boolean> {
  const isOwn = sql`owner = ${owner}::uuid`;
  if (names.by === 'open') return sql<boolean>`${isOwn} and ${parts.open}`;
  if (names.by === 'amount') {
    const { least, below } = names.amounts;
    const isNamed = parts.amounts.map(
      (amount) =>
        sql`(${amount} >= ${least.toString()}::numeric and ${amount} < ${below.toString()}::numeric)`,
    );
    return sql<boolean>`${isOwn} and id in (
      select id from ${sql.table(table)} where ${isOwn} order by id desc limit ${COMPARED_MAX}
    ) and (${sql.join(isNamed, sql` or `)})`;
  }
  const ids = [
    ...(names.id === undefined ? [] : [sql`select ${names.id}::uuid as id`]),
    ...(parts.transaction === undefined
      ? []
      : [
          sql`select id from ${sql.table(table)} where ${parts.transaction} = any(${names.transactions}::text[])`,
        ]),
  ];
  if (ids.length === 0) return sql<boolean>`false`;
  return sql<boolean>`${isOwn} and id in (${sql.join(ids, sql` union all `)})`;
}
