import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { ALERT_CHANNELS } from '@exchange/core/price-alert.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import type { AlertChange, PriceAlert } from './domain/alert.ts';
import type { WatchlistTables } from './tables.ts';

type Row = WatchlistTables['price_alert'];

/** The rows of price alerts. One that has ended is kept for a while, so that its request key still finds it. */
export class AlertRepository {
  private readonly store: Kysely<WatchlistTables>;

  constructor(store: Store) {
    this.store = store.withTables<WatchlistTables>();
  }

  /** A user's alerts that watch, newest first. */
  async watchingOf(user: UserId, symbol: string | undefined): Promise<PriceAlert[]> {
    let mine = this.store
      .selectFrom('price_alert')
      .selectAll()
      .where('user_id', '=', user)
      .where('ended_at', 'is', null);
    if (symbol !== undefined) mine = mine.where('symbol', '=', symbol);
    const rows = await mine.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
    return rows.map(alertOf);
  }

  /** Everybody's alerts that watch, by the deals they take account of. */
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

  /** What a user's request key has set before, and whether it still watches. */
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

  /** How many of the user's alerts watch; no other can be added until the transaction ends. */
  async lockCount(tx: Tx, user: UserId): Promise<number> {
    await lockUser(tx, user);
    const { n } = await tx
      .withTables<WatchlistTables>()
      .selectFrom('price_alert')
      .select((of) => of.fn.countAll<bigint>().as('n'))
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
        channels: [...alert.channels],
        request_key: key ?? null,
        created_at: BigInt(alert.createdAt),
        ended_at: null,
        ...stateOf(alert),
      })
      .execute();
  }

  /**
   * Stores what prices did to alerts, each of which is named once. Gives the ids of those it was stored of: an
   * alert that is not, or no longer, what it was before is left as it is.
   */
  async change(tx: Tx, changes: readonly AlertChange[]): Promise<ReadonlySet<string>> {
    const of = <Value>(value: (change: AlertChange) => Value) => changes.map(value);
    const { rows } = await sql<{ id: string }>`
      update price_alert as a set
        ended_at = c.ended_at,
        told_at = c.told_at,
        from_price = coalesce(c.from_price, a.from_price),
        armed = coalesce(c.armed, a.armed),
        deal_sequence = coalesce(c.deal_sequence, a.deal_sequence)
      from unnest(
        ${of(({ before }) => before.id)}::uuid[],
        ${of(({ before }) => before.isArmed)}::boolean[],
        ${of(({ before }) => triggeredAtOf(before))}::bigint[],
        ${of(({ after, point }) => (after === undefined ? point.at : null))}::bigint[],
        ${of(({ after, point }) => (after === undefined ? BigInt(point.at) : triggeredAtOf(after)))}::bigint[],
        ${of(({ after }) => after?.from.toString() ?? null)}::numeric[],
        ${of(({ after }) => after?.isArmed ?? null)}::boolean[],
        ${of(({ after }) => after?.sequence ?? null)}::bigint[]
      ) as c (id, was_armed, was_told_at, ended_at, told_at, from_price, armed, deal_sequence)
      where a.id = c.id and a.ended_at is null and a.armed = c.was_armed
        and a.told_at is not distinct from c.was_told_at
      returning a.id`.execute(tx);
    return new Set(rows.map(({ id }) => id));
  }

  /** Ends a user's alert. Gives how many that were: none when it had ended; undefined when it is not the user's. */
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
    const known = await this.store
      .selectFrom('price_alert')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', user)
      .executeTakeFirst();
    return known === undefined ? undefined : 0;
  }

  async removeEnded(before: Instant): Promise<void> {
    await this.store.deleteFrom('price_alert').where('ended_at', '<', BigInt(before)).execute();
  }

  /** The last deal that was held against the alerts, and nothing of it left to store. */
  async progress(): Promise<number> {
    const row = await this.store
      .selectFrom('price_alert_progress')
      .select('deal_sequence')
      .executeTakeFirstOrThrow();
    return Number(row.deal_sequence);
  }

  async saveProgress(tx: Tx, sequence: number): Promise<void> {
    await tx
      .withTables<WatchlistTables>()
      .updateTable('price_alert_progress')
      .set({ deal_sequence: BigInt(sequence) })
      .execute();
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
    channels: ALERT_CHANNELS.filter((channel) => row.channels.includes(channel)),
    createdAt: instant(Number(row.created_at)),
    triggeredAt: row.told_at === null ? undefined : instant(Number(row.told_at)),
    isArmed: row.armed,
    sequence: Number(row.deal_sequence),
  };
}

/** Lets the user's other changes of this module wait until the transaction ends, so that counts hold. */
export async function lockUser(tx: Tx, user: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`watchlist ${user}`}, 0))`.execute(tx);
}

/** A user's favourite pairs in the order in which they were added. */
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

/** As `favoritesOf`, and nobody else changes them until the transaction ends. */
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
