import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import type { RecordSource } from '../../platform/console/records.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import {
  ListOrder,
  type ListPage,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Quote } from './domain.ts';
import type { ConvertTables } from './tables.ts';

/**
 * This file reads and writes quotes and exchanges. Each function runs in the transaction, or on the connection, of the
 * reader that it receives.
 */

const VALUE_PLACES = 8;
/** Greatest number of quotes that one statement deletes. */
export const STALE_AT_ONCE = 1_000;
const toInstant = (value: bigint): Instant => instant(wholeNumber(value));
const tables = tablesOf<ConvertTables>();

export async function findQuote(
  reader: Reader,
  key: { readonly id: string } | { readonly origin: string },
): Promise<Quote | undefined> {
  const query = tables(reader).selectFrom('convert_quote').selectAll();
  const row = await (
    'id' in key ? query.where('id', '=', key.id) : query.where('origin', '=', key.origin)
  ).executeTakeFirst();
  return row && quoteOf(row);
}

/**
 * Inserts quotes, or exchanges that were made without a quote. `origin` identifies a quote of the demo, which
 * is made at most once.
 */
export async function insertQuotes(store: Store, quotes: readonly Quote[], origin?: string): Promise<void> {
  const rows = quotes.map((quote) => ({
    id: quote.id,
    owner: quote.owner,
    from_asset: quote.from,
    to_asset: quote.to,
    from_amount: quote.fromAmount.toString(),
    to_amount: quote.toAmount.toString(),
    spread: quote.spread.toString(),
    fee: quote.fee.toString(),
    rate: quote.rate.toString(),
    from_index: quote.fromIndex.toString(),
    to_index: quote.toIndex.toString(),
    made_at: BigInt(quote.madeAt),
    expires_at: BigInt(quote.expiresAt),
    accepted_at: quote.acceptedAt === undefined ? null : BigInt(quote.acceptedAt),
    origin: origin ?? null,
    bundle: quote.bundle ?? null,
  }));
  await tables(store).insertInto('convert_quote').values(rows).execute();
}

export async function markAccepted(store: Store, id: string, now: Instant): Promise<void> {
  await tables(store)
    .updateTable('convert_quote')
    .set({ accepted_at: BigInt(now) })
    .where('id', '=', id)
    .execute();
}

/** The quotes of an owner that are accepted together under the id `bundle`, in the order of their creation. */
export async function bundleOf(reader: Reader, owner: UserId, bundle: string): Promise<Quote[]> {
  const rows = await tables(reader)
    .selectFrom('convert_quote')
    .selectAll()
    .where('bundle', '=', bundle)
    .where('owner', '=', owner)
    .orderBy('id')
    .execute();
  return rows.map(quoteOf);
}

export async function markBundleAccepted(store: Store, bundle: string, now: Instant): Promise<void> {
  await tables(store)
    .updateTable('convert_quote')
    .set({ accepted_at: BigInt(now) })
    .where('bundle', '=', bundle)
    .execute();
}

/**
 * Number of times, from the time `since` on, that an owner accepted quotes of small balances; quotes that are accepted
 * together count once.
 */
export async function bundlesSince(reader: Reader, owner: UserId, since: Instant): Promise<number> {
  const { bundles } = await tables(reader)
    .selectFrom('convert_quote')
    .select((query) => query.fn.count<string>('bundle').distinct().as('bundles'))
    .where('owner', '=', owner)
    .where('accepted_at', '>=', BigInt(since))
    .executeTakeFirstOrThrow();
  return Number(bundles);
}

/** The amount of a coin that would leave the inventory if the open quotes of all users were accepted. */
export async function quotedOutflow(reader: Reader, asset: string, now: Instant): Promise<Decimal> {
  const row = await openQuotes(reader, now)
    .select(sql<string>`coalesce(sum(to_amount + fee), 0)`.as('bound'))
    .where('to_asset', '=', asset)
    .executeTakeFirstOrThrow();
  return Decimal.parse(row.bound);
}

/** The amount of a coin that the owner would pay if all of the owner's open quotes were accepted. */
export async function quotedPayment(
  reader: Reader,
  { owner, asset, now }: { readonly owner: UserId; readonly asset: string; readonly now: Instant },
): Promise<Decimal> {
  const row = await openQuotesOf(reader, owner, asset, now)
    .select(sql<string>`coalesce(sum(from_amount), 0)`.as('asked'))
    .executeTakeFirstOrThrow();
  return Decimal.parse(row.asked);
}

/**
 * Ends all open quotes of an owner that pay in a coin. A quote that was made in this or in the previous millisecond
 * expires one millisecond after it was made, because a quote must expire later than it is made.
 */
export async function endQuotes(
  store: Store,
  { owner, asset, now }: { readonly owner: UserId; readonly asset: string; readonly now: Instant },
): Promise<void> {
  await tables(store)
    .updateTable('convert_quote')
    .set({ expires_at: sql<bigint>`greatest(made_at + 1, ${now}::bigint - 1)` })
    .where('id', 'in', openQuotesOf(store, owner, asset, now).select('id'))
    .execute();
}

function openQuotesOf(reader: Reader, owner: UserId, asset: string, now: Instant) {
  return openQuotes(reader, now).where('owner', '=', owner).where('from_asset', '=', asset);
}

/** The quotes of all users that can still be accepted: neither accepted nor expired. */
function openQuotes(reader: Reader, now: Instant) {
  return tables(reader)
    .selectFrom('convert_quote')
    .where('accepted_at', 'is', null)
    .where('expires_at', '>=', BigInt(now));
}

const BY_ACCEPTANCE = new ListOrder([
  { name: 'accepted_at', type: 'bigint' },
  { name: 'id', type: 'uuid' },
]);

/** A page of a user's exchanges, newest first. */
export async function exchangesOf(reader: Reader, owner: UserId, page: PagedRows): Promise<ListPage<Quote>> {
  const exchanges = tables(reader)
    .selectFrom('convert_quote')
    .where('owner', '=', owner)
    .where('accepted_at', 'is not', null)
    .selectAll();
  return mapPage(await readPage(reader, exchanges, BY_ACCEPTANCE, page), quoteOf);
}

/**
 * The values of exchanges in USDT at the index price of the paid coin when the quote was made, rounded down to 8
 * places, by id of their quote. Ids that are unknown or not of accepted quotes are missing in the map.
 */
export async function exchangeValues(
  reader: Reader,
  quotes: readonly string[],
): Promise<ReadonlyMap<string, Decimal>> {
  if (quotes.length === 0) return new Map();
  const rows = await tables(reader)
    .selectFrom('convert_quote')
    .select(['id', 'from_amount', 'from_index'])
    .where('id', 'in', quotes)
    .where('accepted_at', 'is not', null)
    .execute();
  return new Map(
    rows.map(({ id, from_amount, from_index }) => [
      id,
      Decimal.parse(from_amount).times(Decimal.parse(from_index), 'down', VALUE_PLACES),
    ]),
  );
}

/**
 * Deletes quotes that expired before a time without being accepted, at most `STALE_AT_ONCE`; returns the number of
 * deleted quotes.
 */
export async function removeStale(store: Store, before: Instant): Promise<number> {
  const stale = tables(store)
    .selectFrom('convert_quote')
    .select('id')
    .where('accepted_at', 'is', null)
    .where('expires_at', '<', BigInt(before))
    .limit(STALE_AT_ONCE);
  const { numDeletedRows } = await tables(store)
    .deleteFrom('convert_quote')
    .where('id', 'in', stale)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function quoteOf(row: Selectable<ConvertTables['convert_quote']>): Quote {
  return {
    id: row.id,
    owner: row.owner as UserId,
    from: row.from_asset,
    to: row.to_asset,
    fromAmount: Decimal.parse(row.from_amount),
    toAmount: Decimal.parse(row.to_amount),
    fee: Decimal.parse(row.fee),
    rate: Decimal.parse(row.rate),
    spread: Decimal.parse(row.spread),
    fromIndex: Decimal.parse(row.from_index),
    toIndex: Decimal.parse(row.to_index),
    madeAt: toInstant(row.made_at),
    expiresAt: toInstant(row.expires_at),
    acceptedAt: row.accepted_at === null ? undefined : toInstant(row.accepted_at),
    bundle: row.bundle ?? undefined,
  };
}

/** Source of accepted quotes for the operators' search and for the timeline of a user. */
export function convertRecords(reader: Reader): RecordSource {
  return recordsOfTable(reader, {
    kind: 'conversion',
    table: 'convert_quote',
    at: 'accepted_at',
    where: sql`accepted_at is not null`,
    columns: ['from_asset', 'from_amount', 'to_asset', 'to_amount', 'rate', 'fee', 'made_at', 'accepted_at'],
    times: ['made_at', 'accepted_at'],
    describe: ({ fromAsset, fromAmount, toAsset, toAmount }) => ({
      event: `Converted into ${toAmount} ${toAsset}`,
      amount: fromAmount,
      asset: fromAsset,
    }),
  });
}
