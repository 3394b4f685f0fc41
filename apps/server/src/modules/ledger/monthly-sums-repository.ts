import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';

/**
 * SQL condition that selects the kinds of ledger entries that repeat on a statement, such as daily interest; their old
 * rows are replaced by monthly sums. The text must equal the condition of the index `ledger_movement_repeating`
 * literally, otherwise the database does not use that index.
 */
const REPEATING = sql<boolean>`kind in ('finance.paid', 'mining.paid', 'fund.cost', 'invite.paid')`;

/** Progress of replacing old statement rows by monthly sums. */
export interface SumProgress {
  /** Repeating statement rows before this time are replaced by monthly sums in all accounts. */
  readonly summedUntil: Instant;
  readonly pass: SumPass | undefined;
}

/**
 * A running pass that replaces statement rows before `until` by monthly sums; accounts up to `account` are done, except
 * those in `failed`.
 */
export interface SumPass {
  readonly until: Instant;
  readonly account: bigint;
  readonly failed: readonly bigint[];
}

interface ProgressRow {
  readonly summed_until: bigint;
  readonly until: bigint | null;
  readonly account: bigint | null;
  readonly failed: bigint[];
}

export async function sumProgress(reader: Reader): Promise<SumProgress> {
  const { rows } = await sql<ProgressRow>`
    select summed_until, until, account, failed from ledger_movement_sum
  `.execute(reader);
  const { summed_until, until, account, failed } = rows[0]!;
  return {
    summedUntil: instant(wholeNumber(summed_until)),
    pass:
      until === null || account === null
        ? undefined
        : { until: instant(wholeNumber(until)), account, failed },
  };
}

export async function saveProgress(store: Store, { summedUntil, pass }: SumProgress): Promise<void> {
  await sql`
    update ledger_movement_sum set summed_until = ${summedUntil}::bigint,
      until = ${pass?.until ?? null}::bigint, account = ${pass?.account ?? null}::bigint,
      failed = ${pass?.failed ?? []}::bigint[]
  `.execute(store);
}

/** Returns whether all ledger entries made before the time `until` are projected into statements. */
export async function isProjectedUntil(reader: Reader, until: Instant): Promise<boolean> {
  const { rows } = await sql<{ at: bigint }>`
    select at from ledger_entry where sequence > (select sequence from ledger_movement_cursor)
    order by sequence limit 1
  `.execute(reader);
  const [next] = rows;
  return next === undefined || next.at >= BigInt(until);
}

/** An account with repeating statement rows, such as daily interest. */
export interface RepeatingAccount {
  readonly account: bigint;
  readonly owner: UserId;
}

/**
 * The next accounts after `behind` with repeating statement rows, at most `limit`; one index
 * look-up for each.
 */
export async function repeatingAccounts(
  reader: Reader,
  behind: bigint,
  limit: number,
): Promise<readonly RepeatingAccount[]> {
  const { rows } = await sql<{ account: bigint; owner: UserId }>`
    with recursive found as (
      (select account, 1 as turn from ledger_movement where ${REPEATING} and account > ${behind}::bigint
        order by account limit 1)
      union all
      select (
        select next.account from ledger_movement as next where ${REPEATING} and next.account > found.account
        order by next.account limit 1
      ), found.turn + 1
      from found where found.account is not null and found.turn < ${limit}
    )
    select found.account, ledger_account.owner from found
    join ledger_account on ledger_account.id = found.account where ledger_account.owner is not null
    order by found.account
  `.execute(reader);
  return rows;
}

/** Those of the given accounts that have an owner, each with its owner, ordered by account id. */
export async function ownersOfAccounts(
  reader: Reader,
  accounts: readonly bigint[],
): Promise<readonly RepeatingAccount[]> {
  const { rows } = await sql<{ account: bigint; owner: UserId }>`
    select id as account, owner from ledger_account where id = any(${accounts}::bigint[]) and owner is not null
    order by id
  `.execute(reader);
  return rows;
}

/**
 * Replaces repeating statement rows of an account by one row per kind and UTC month. It reads the first `limit` rows by
 * kind and time from `from`, before `until`, and up to the entry `counted`. The newest row of each month stays, with
 * the exact sum of amounts and number of entries; it has a reference only if all rows have the same reference. Rows
 * that are sums already are added like others. Returns the number of rows read.
 */
export async function sumMonths(
  tx: Tx,
  account: bigint,
  rows: { readonly from: Instant; readonly until: Instant; readonly counted: number; readonly limit: number },
): Promise<number> {
  const read = await sql<{ count: bigint }>`
    with old as materialized (
      select owner, entry, posting, kind, reference::text as reference, amount, entries,
        date_trunc('month', to_timestamp(at / 1000) at time zone 'UTC') as month
      from ledger_movement
      where ${REPEATING} and account = ${account}::bigint
        and at >= ${rows.from}::bigint and at < ${rows.until}::bigint and entry <= ${rows.counted}::bigint
      order by kind, at limit ${rows.limit}
    ), grouped as materialized (
      select owner, entry, posting,
        row_number() over (partition by kind, month order by entry desc, posting desc) as turn,
        count(*) over whole as size, sum(amount) over whole as amount, sum(entries) over whole as entries,
        case when min(reference) over whole = max(reference) over whole
          and count(reference) over whole = count(*) over whole then reference end as reference
      from old window whole as (partition by kind, month)
    ), removed as (
      delete from ledger_movement as row using grouped
      where row.owner = grouped.owner and row.entry = grouped.entry and row.posting = grouped.posting
        and row.account = ${account}::bigint and grouped.turn > 1
    ), kept as (
      update ledger_movement as row
      set amount = grouped.amount, entries = grouped.entries, reference = grouped.reference::uuid
      from grouped
      where row.owner = grouped.owner and row.entry = grouped.entry and row.posting = grouped.posting
        and row.account = ${account}::bigint and grouped.turn = 1 and grouped.size > 1
    )
    select count(*) as count from old
  `.execute(tx);
  return wholeNumber(read.rows[0]?.count ?? 0n);
}
