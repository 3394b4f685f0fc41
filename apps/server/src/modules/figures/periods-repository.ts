import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { readBoundedText, mapBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { ClosedPeriod, Month, PeriodSums } from './domain.ts';

interface PeriodRow {
  readonly month: string;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly lastEntry: bigint;
  readonly sha256: string;
  readonly key: string;
  readonly signature: string;
  readonly sums: PeriodSums;
  readonly closedBy: string;
  readonly reason: string;
  readonly at: bigint;
}

const COLUMNS = sql`
  month, first_day as "firstDay", last_day as "lastDay", last_entry as "lastEntry", encode(sha256, 'hex') as sha256,
  key, signature, sums, closed_by as "closedBy", reason, at`;

/** The closed accounting months, newest first, at most `limit`. */
export async function closedPeriods(reader: Reader, limit: number): Promise<BoundedRows<ClosedPeriod>> {
  const query = sql<PeriodRow>`select ${COLUMNS} from house_period order by month desc`;
  return mapBounded(await readBoundedText(reader, query, limit), periodOf);
}

/** The closed accounting month with this name; undefined if the month is not closed. */
export async function closedPeriod(reader: Reader, month: string): Promise<ClosedPeriod | undefined> {
  const { rows } = await sql<PeriodRow>`select ${COLUMNS} from house_period where month = ${month}`.execute(
    reader,
  );
  return rows[0] === undefined ? undefined : periodOf(rows[0]);
}

/**
 * The content of the file with a closed month's figures, without the line with the signature; undefined if the month is
 * not closed.
 */
export async function periodContent(reader: Reader, month: string): Promise<string | undefined> {
  const { rows } = await sql<{ content: string }>`
    select content from house_period where month = ${month}`.execute(reader);
  return rows[0]?.content;
}

/**
 * Locks the cursor of the daily flows until the transaction ends, so that no ledger entry is added meanwhile, and
 * returns the cursor.
 */
export async function lockFlows(tx: Tx): Promise<{ added: number; recounts: number }> {
  const { rows } = await sql<{ sequence: bigint; recounts: number }>`
    select sequence, recounts from house_flow_cursor for update`.execute(tx);
  const { sequence, recounts } = rows[0]!;
  return { added: wholeNumber(sequence), recounts };
}

/** The time of the first ledger entry whose sequence number is greater than `sequence`; undefined if there is none. */
export async function firstEntryBehind(reader: Reader, sequence: number): Promise<Instant | undefined> {
  const { rows } = await sql<{ at: bigint }>`
    select at from ledger_entry where sequence > ${sequence} order by sequence limit 1`.execute(reader);
  return rows[0] === undefined ? undefined : instant(wholeNumber(rows[0].at));
}

export async function insertPeriod(
  tx: Tx,
  { month, firstDay, lastDay }: Month,
  closed: {
    readonly lastEntry: number;
    readonly content: string;
    readonly sha256: string;
    readonly key: string;
    readonly signature: string;
    readonly sums: PeriodSums;
    readonly by: string;
    readonly reason: string;
    readonly at: Instant;
  },
): Promise<void> {
  await sql`
    insert into house_period
      (month, first_day, last_day, last_entry, content, sha256, key, signature, sums, closed_by, reason, at)
    values (${month}, ${firstDay}, ${lastDay}, ${closed.lastEntry}::bigint, ${closed.content},
      decode(${closed.sha256}, 'hex'), ${closed.key}, ${closed.signature}, ${JSON.stringify(closed.sums)}::jsonb,
      ${closed.by}, ${closed.reason}, ${closed.at}::bigint)
  `.execute(tx);
}

function periodOf({ lastEntry, at, ...row }: PeriodRow): ClosedPeriod {
  return { ...row, lastEntry: wholeNumber(lastEntry), at: instant(wholeNumber(at)) };
}

/** True if the ledger entries after `from` up to `to` contain an entry of the month or of an earlier month. */
export async function isMonthTouched(
  reader: Reader,
  { lastDay }: Month,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const end = (lastDay + 1) * DAY_MS;
  const { rows } = await sql<{ found: number }>`
    select 1 as found from ledger_entry where sequence > ${from} and sequence <= ${to} and at < ${end} limit 1
  `.execute(reader);
  return rows.length > 0;
}
