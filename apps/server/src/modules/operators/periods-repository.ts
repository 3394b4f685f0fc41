import { Decimal } from '@exchange/core/decimal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/database/database.ts';

/**
 * The operator's session and the network address of a request; a confirmation period is open only for the address from
 * which it was opened.
 */
export interface PeriodKey {
  readonly token: Buffer;
  readonly address: string;
}

/**
 * What a confirmation period can still confirm: a number of decisions and their total value in USDT, until the time
 * `until`.
 */
export interface PeriodRest {
  readonly until: Instant;
  readonly decisionsLeft: number;
  readonly valueLeft: Decimal;
}

interface PeriodRow {
  readonly until: string;
  readonly decisions: number;
  readonly value: string;
}

/**
 * Stores the confirmation period of a session, in which its operator confirms routine decisions without
 * further authenticator codes. Replaces an earlier period of the session.
 */
export async function openPeriod(
  store: Store,
  { token, address }: PeriodKey,
  { until, decisionsLeft, valueLeft }: PeriodRest,
): Promise<void> {
  await sql`
    insert into operator_period (token_hash, address, until, decisions_left, value_left)
    values (${token}, ${address}, ${until}::bigint, ${decisionsLeft}, ${valueLeft.toString()}::numeric)
    on conflict (token_hash) do update set address = excluded.address, until = excluded.until,
      decisions_left = excluded.decisions_left, value_left = excluded.value_left
  `.execute(store);
}

/** Ends the confirmation period of a session. Returns false if the session has none. */
export async function endPeriod(store: Store, token: Buffer): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from operator_period where token_hash = ${token}
  `.execute(store);
  return numAffectedRows > 0n;
}

/**
 * The decisions and value that a session's confirmation period can still confirm at `now`; undefined if the session has
 * no open period for the network address or its decisions are used up.
 */
export async function periodRest(
  reader: Reader,
  { token, address }: PeriodKey,
  now: Instant,
): Promise<PeriodRest | undefined> {
  const { rows } = await sql<PeriodRow>`
    select until::text as until, decisions_left as decisions, value_left::text as value from operator_period
    where token_hash = ${token} and address = ${address} and until > ${now}::bigint and decisions_left > 0
  `.execute(reader);
  return rows[0] && restOf(rows[0]);
}

/**
 * Subtracts decisions and their total value from an open confirmation period, and returns the end of the period.
 * Returns undefined and changes nothing if no period of this session and network address is open, or if too few
 * decisions or too little value are left.
 */
export async function takeFromPeriod(
  store: Store,
  { token, address }: PeriodKey,
  { decisions, value, now }: { readonly decisions: number; readonly value: Decimal; readonly now: Instant },
): Promise<Instant | undefined> {
  const { rows } = await sql<{ until: string }>`
    update operator_period set decisions_left = decisions_left - ${decisions}::integer,
      value_left = value_left - ${value.toString()}::numeric
    where token_hash = ${token} and address = ${address} and until > ${now}::bigint
      and decisions_left >= ${decisions}::integer and value_left >= ${value.toString()}::numeric
    returning until::text as until
  `.execute(store);
  return rows[0] && instant(Number(rows[0].until));
}

/**
 * Adds the decisions and value of a refused call back to its confirmation period, unless the session has opened another
 * period since.
 */
export async function returnToPeriod(
  store: Store,
  token: Buffer,
  {
    decisions,
    value,
    until,
  }: { readonly decisions: number; readonly value: Decimal; readonly until: Instant },
): Promise<void> {
  await sql`
    update operator_period set decisions_left = decisions_left + ${decisions}::integer,
      value_left = value_left + ${value.toString()}::numeric
    where token_hash = ${token} and until = ${until}::bigint
  `.execute(store);
}

function restOf({ until, decisions, value }: PeriodRow): PeriodRest {
  return { until: instant(Number(until)), decisionsLeft: decisions, valueLeft: Decimal.parse(value) };
}
