import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  ALERT_CHANNELS,
  ALERT_PAUSES,
  ALERT_WINDOWS,
  averageTerms,
  type AlertOrder,
  type AverageTerms,
} from '@exchange/core/price-alert.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import type { AlertChange, AlertProgress, PriceAlert } from './domain/alert.ts';
import type { MinuteRange } from './domain/price-windows.ts';
import type { WatchlistTables } from './tables.ts';

type Row = WatchlistTables['price_alert'];

/** The lowest and highest index price of a pair within a minute, in units of 10^-18. */
export interface IndexMinute extends MinuteRange {
  readonly symbol: string;
}

/** An order that must be placed because its alert has triggered. */
export interface DueOrder {
  readonly alert: PriceAlert & { readonly order: AlertOrder };
  readonly triggeredAt: Instant;
}

/** The result of placing a due order: the order's id, or the message key of the refusal. */
export type OrderOutcome = { readonly orderId: string } | { readonly refusal: string };

/**
 * Stores price alerts. An ended alert is stored for 30 days, so that a repeated request to create it is recognized by
 * its key.
 */
export class AlertRepository {
  private readonly store: Kysely<WatchlistTables>;

  constructor(store: Store) {
    this.store = store.withTables<WatchlistTables>();
  }

  /** Returns a user's active alerts, newest first; with `symbol` only those on this pair. */
  async watchingOf(user: UserId, symbol: string | undefined): Promise<PriceAlert[]> {
    let alerts = this.store
      .selectFrom('price_alert')
      .selectAll()
      .where('user_id', '=', user)
      .where('ended_at', 'is', null);
    if (symbol !== undefined) alerts = alerts.where('symbol', '=', symbol);
    const rows = await alerts.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
    return rows.map(alertOf);
  }

  /**
   * Returns all active price alerts, ordered by the number of the last trade that their stored state
   * includes.
   */
  async watching(): Promise<PriceAlert[]> {
    const rows = await this.store
      .selectFrom('price_alert')
      .selectAll()
      .where('ended_at', 'is', null)
      .orderBy('deal_sequence')
      .orderBy('id')
      .execute();
    return rows.map(alertOf);
  }

  /**
   * Returns the alert that a user created by a request with this key, and whether the alert has ended;
   * undefined if there is none.
   */
  async byKey(
    reader: Reader,
    user: UserId,
    key: string,
  ): Promise<{ alert: PriceAlert; hasEnded: boolean } | undefined> {
    const row = await reader
      .withTables<WatchlistTables>()
      .selectFrom('price_alert')
      .selectAll()
      .where('user_id', '=', user)
      .where('request_key', '=', key)
      .executeTakeFirst();
    return row && { alert: alertOf(row), hasEnded: row.ended_at !== null };
  }

  /** Acquires the user's lock as `lockUser` does, and returns the number of the user's active alerts. */
  async lockCount(tx: Tx, user: UserId): Promise<number> {
    await lockUser(tx, user);
    const { n } = await tx
      .withTables<WatchlistTables>()
      .selectFrom('price_alert')
      .select((query) => query.fn.countAll<bigint>().as('n'))
      .where('user_id', '=', user)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  async insert(tx: Tx, alert: PriceAlert, key: string | undefined): Promise<void> {
    await tx
      .withTables<WatchlistTables>()
      .insertInto('price_alert')
      .values({
        id: alert.id,
        user_id: alert.owner,
        symbol: alert.symbol,
        condition: alert.condition,
        price: alert.price.toString(),
        repeats: alert.repeats,
        source: alert.source,
        pause_minutes: alert.pauseMinutes,
        window_minutes: alert.windowMinutes ?? null,
        average_kind: alert.average?.kind ?? null,
        average_period: alert.average?.period ?? null,
        average_timer: alert.average?.timer ?? null,
        average_slow: alert.average?.slow ?? null,
        average_level: alert.average?.level?.toString() ?? null,
        order_side: alert.order?.side ?? null,
        order_type: alert.order?.type ?? null,
        order_price: alert.order?.price?.toString() ?? null,
        order_amount: alert.order?.amount.toString() ?? null,
        order_status: alert.order === undefined ? null : 'waiting',
        order_id: null,
        order_refusal: null,
        channels: [...alert.channels],
        request_key: key ?? null,
        created_at: BigInt(alert.createdAt),
        ended_at: null,
        ...stateOf(alert),
      })
      .execute();
  }

  /**
   * Stores changes of price alerts, at most one per alert. Returns the ids of the changed alerts. An alert
   * that has ended, or whose stored `armed` or time of the last trigger differs from `before`, is not
   * changed. If an alert with an order ends by its trigger, its order becomes due.
   */
  async change(tx: Tx, changes: readonly AlertChange[]): Promise<ReadonlySet<string>> {
    const column = <Value>(read: (change: AlertChange) => Value) => changes.map(read);
    const { rows } = await sql<{ id: string }>`
      update price_alert as a set
        ended_at = c.ended_at,
        told_at = c.told_at,
        order_status = case when c.ended_at is null then a.order_status
          when a.order_status = 'waiting' then 'due' else a.order_status end,
        from_price = coalesce(c.from_price, a.from_price),
        armed = coalesce(c.armed, a.armed),
        deal_sequence = coalesce(c.deal_sequence, a.deal_sequence)
      from unnest(
        ${column(({ before }) => before.id)}::uuid[],
        ${column(({ before }) => before.isArmed)}::boolean[],
        ${column(({ before }) => triggeredAtOf(before))}::bigint[],
        ${column(({ after, point }) => (after === undefined ? point.at : null))}::bigint[],
        ${column(({ after, point }) => (after === undefined ? BigInt(point.at) : triggeredAtOf(after)))}::bigint[],
        ${column(({ after }) => after?.from.toString() ?? null)}::numeric[],
        ${column(({ after }) => after?.isArmed ?? null)}::boolean[],
        ${column(({ after }) => after?.sequence ?? null)}::bigint[]
      ) as c (id, was_armed, was_told_at, ended_at, told_at, from_price, armed, deal_sequence)
      where a.id = c.id and a.ended_at is null and a.armed = c.was_armed
        and a.told_at is not distinct from c.was_told_at
      returning a.id`.execute(tx);
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Ends a user's alert and returns 1. Returns 0 if the alert has already ended, and undefined if the user has no such
   * alert.
   */
  async end(user: UserId, id: string, now: Instant): Promise<number | undefined> {
    const ended = await this.store
      .updateTable('price_alert')
      .set({ ended_at: BigInt(now) })
      .where('id', '=', id)
      .where('user_id', '=', user)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (ended !== undefined) return 1;
    const existing = await this.store
      .selectFrom('price_alert')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', user)
      .executeTakeFirst();
    return existing === undefined ? undefined : 0;
  }

  async removeEnded(before: Instant): Promise<void> {
    await this.store
      .deleteFrom('price_alert')
      .where('ended_at', '<', BigInt(before))
      .where('order_status', 'is distinct from', 'due')
      .execute();
  }

  /**
   * Returns at most `limit` orders that have neither been placed nor refused although their alert has
   * triggered, the oldest trigger first.
   */
  async dueOrders(limit: number): Promise<DueOrder[]> {
    const rows = await this.store
      .selectFrom('price_alert')
      .selectAll()
      .where('order_status', '=', 'due')
      .orderBy('told_at')
      .limit(limit)
      .execute();
    return rows.flatMap((row) => {
      const alert = alertOf(row);
      const { order, triggeredAt } = alert;
      return order === undefined || triggeredAt === undefined
        ? []
        : [{ alert: Object.assign({}, alert, { order }), triggeredAt }];
    });
  }

  /** Stores the result of placing a due order. Returns false if a result was stored before. */
  async settleOrder(tx: Tx, id: string, outcome: OrderOutcome): Promise<boolean> {
    const isPlaced = 'orderId' in outcome;
    const settled = await tx
      .withTables<WatchlistTables>()
      .updateTable('price_alert')
      .set({
        order_status: isPlaced ? 'placed' : 'refused',
        order_id: isPlaced ? outcome.orderId : null,
        order_refusal: isPlaced ? null : outcome.refusal,
      })
      .where('id', '=', id)
      .where('order_status', '=', 'due')
      .returning('id')
      .executeTakeFirst();
    return settled !== undefined;
  }

  /**
   * Returns the stored progress of checking alerts: all changes caused by trades and candles up to this point
   * are stored.
   */
  async progress(): Promise<AlertProgress> {
    const row = await this.store.selectFrom('price_alert_progress').selectAll().executeTakeFirstOrThrow();
    return {
      sequence: Number(row.deal_sequence),
      windowSequence: Number(row.window_sequence),
      candlesAt: instant(Number(row.candles_at)),
    };
  }

  async saveProgress(tx: Tx, { sequence, windowSequence, candlesAt }: AlertProgress): Promise<void> {
    await tx
      .withTables<WatchlistTables>()
      .updateTable('price_alert_progress')
      .set({
        deal_sequence: BigInt(sequence),
        window_sequence: BigInt(windowSequence),
        candles_at: BigInt(candlesAt),
      })
      .execute();
  }

  /** Returns the stored index ranges of all pairs from the minute `from` on, oldest first. */
  async indexMinutes(from: number): Promise<IndexMinute[]> {
    const rows = await this.store
      .selectFrom('price_alert_index_minute')
      .selectAll()
      .where('minute', '>=', BigInt(from))
      .orderBy('minute')
      .execute();
    return rows.map(({ symbol, minute, low, high }) => ({
      symbol,
      minute: Number(minute),
      low: Decimal.parse(low).atoms,
      high: Decimal.parse(high).atoms,
    }));
  }

  /**
   * Stores the lowest and the highest index price of minutes, by pair. If a minute of the pair is stored
   * already, its range is extended to contain the new one.
   */
  async addIndexMinutes(tx: Tx, minutes: readonly IndexMinute[]): Promise<void> {
    if (minutes.length === 0) return;
    const column = <Value>(read: (minute: IndexMinute) => Value) => minutes.map(read);
    await sql`
      insert into price_alert_index_minute as m (symbol, minute, low, high)
      select symbol, minute, min(low), max(high) from unnest(
        ${column(({ symbol }) => symbol)}::text[],
        ${column(({ minute }) => minute)}::bigint[],
        ${column(({ low }) => Decimal.ofAtoms(low).toString())}::numeric[],
        ${column(({ high }) => Decimal.ofAtoms(high).toString())}::numeric[]
      ) as n (symbol, minute, low, high) group by symbol, minute
      on conflict (symbol, minute) do update
        set low = least(m.low, excluded.low), high = greatest(m.high, excluded.high)`.execute(tx);
  }

  async removeIndexMinutes(before: number): Promise<void> {
    await this.store.deleteFrom('price_alert_index_minute').where('minute', '<', BigInt(before)).execute();
  }
}

function stateOf(alert: PriceAlert) {
  return {
    from_price: alert.from.toString(),
    told_at: triggeredAtOf(alert),
    armed: alert.isArmed,
    deal_sequence: BigInt(alert.sequence),
  };
}

function triggeredAtOf({ triggeredAt }: PriceAlert): bigint | null {
  return triggeredAt === undefined ? null : BigInt(triggeredAt);
}

function alertOf(row: Selectable<Row>): PriceAlert {
  return {
    id: row.id,
    owner: row.user_id as UserId,
    symbol: row.symbol,
    condition: row.condition,
    price: Decimal.parse(row.price),
    from: Decimal.parse(row.from_price),
    repeats: row.repeats,
    source: row.source,
    pauseMinutes: ALERT_PAUSES.find((minutes) => minutes === row.pause_minutes) ?? 1,
    windowMinutes: ALERT_WINDOWS.find((minutes) => minutes === row.window_minutes),
    average: averageOf(row),
    order: orderOf(row),
    channels: ALERT_CHANNELS.filter((channel) => row.channels.includes(channel)),
    createdAt: instant(Number(row.created_at)),
    triggeredAt: row.told_at === null ? undefined : instant(Number(row.told_at)),
    isArmed: row.armed,
    sequence: Number(row.deal_sequence),
  };
}

function averageOf({
  average_kind: kind,
  average_period: period,
  average_timer,
  average_slow: slow,
  average_level: level,
}: Selectable<Row>): AverageTerms | undefined {
  const timer = CANDLE_TIMERS.find((name) => name === average_timer);
  if (kind === null || period === null || timer === undefined) return undefined;
  return averageTerms({
    kind,
    period,
    slow: slow ?? undefined,
    level: level === null ? undefined : Decimal.parse(level),
    timer,
  });
}

function orderOf({
  order_side: side,
  order_type: type,
  order_price: price,
  order_amount: amount,
}: Selectable<Row>): AlertOrder | undefined {
  if (side === null || type === null || amount === null) return undefined;
  return {
    side,
    type,
    price: price === null ? undefined : Decimal.parse(price),
    amount: Decimal.parse(amount),
  };
}

/**
 * Acquires a lock for the user until the transaction ends, so that concurrent requests cannot exceed the
 * limits on favorites, alerts and alert emails. Changes and the end of alerts do not acquire the lock.
 */
export async function lockUser(tx: Tx, user: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`watchlist ${user}`}, 0))`.execute(tx);
}

/** Returns a user's favorite pairs in the order in which they were added. */
export async function favoritesOf(reader: Reader, user: UserId): Promise<string[]> {
  const rows = await reader
    .withTables<WatchlistTables>()
    .selectFrom('favorite_pair')
    .select('symbol')
    .where('user_id', '=', user)
    .orderBy('number')
    .execute();
  return rows.map(({ symbol }) => symbol);
}

/**
 * Returns a user's favorite pairs in the order in which they were added. Locks the user as `lockUser` does.
 */
export async function lockFavorites(tx: Tx, user: UserId): Promise<string[]> {
  await lockUser(tx, user);
  return favoritesOf(tx, user);
}

export async function insertFavorite(tx: Tx, user: UserId, symbol: string): Promise<void> {
  await tx
    .withTables<WatchlistTables>()
    .insertInto('favorite_pair')
    .values({ user_id: user, symbol })
    .execute();
}

export async function deleteFavorite(tx: Tx, user: UserId, symbol: string): Promise<void> {
  await tx
    .withTables<WatchlistTables>()
    .deleteFrom('favorite_pair')
    .where('user_id', '=', user)
    .where('symbol', '=', symbol)
    .execute();
}
