import { Decimal } from '@exchange/core/decimal.ts';
import type { Flow } from '@exchange/core/figures.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';

/**
 * Kinds of ledger entries that the figures leave out, because they only move an amount between the available and the
 * frozen spot balance of the same user.
 */
const IGNORED_KINDS: readonly string[] = ['spot.held', 'spot.released'];

/**
 * Money flows of a range of ledger entries: the postings summed by day, kind, parties, groups of accounts, and coin.
 * Entries of `IGNORED_KINDS` and postings of quotas, which are no money, are left out. An entry of a month that was
 * closed before the entry was added counts on the first day after the last month that was closed by then.
 * @param entries the rows of `ledger_entry` to sum
 * @param own the ids of the accounts with which the exchange itself trades
 */
function flowsOfEntries(entries: RawBuilder<unknown>, own: readonly UserId[]): RawBuilder<unknown> {
  const groupOf = (account: RawBuilder<unknown>) => sql`case
    when ${account}.owner = any(${own}::uuid[]) then 'own'
    when ${account}.owner is not null then 'customers'
    when ${account}.address like 'world:%' then 'world:' || split_part(${account}.address, ':', 3)
    else ${account}.address end`;
  const source = sql.raw('source');
  const destination = sql.raw('destination');
  return sql`
    with posting as (
      select entry.sequence, greatest((entry.at / ${DAY_MS}::bigint)::integer, closed.next_day) as day, entry.kind,
        ${groupOf(source)} as source, ${groupOf(destination)} as destination, source.asset, moved.amount
      from (${entries}) as entry
      cross join lateral unnest(entry.sources, entry.destinations, entry.amounts) as moved(source, destination, amount)
      cross join lateral (
        select coalesce(max(last_day) + 1, 0) as next_day from house_period where last_entry < entry.sequence
      ) as closed
      join ledger_account source on source.id = moved.source
      join ledger_account destination on destination.id = moved.destination
      where entry.kind <> all(${IGNORED_KINDS}::text[]) and source.asset not like '%:%'
    ), named as (
      select *,
        bool_or('customers' in (source, destination)) over entry_postings as has_customers,
        bool_or('own' in (source, destination)) over entry_postings as has_own
      from posting window entry_postings as (partition by sequence)
    )
    select day, kind,
      case when has_customers and has_own then 'both' when has_customers then 'customers' when has_own then 'own' else 'none' end
        as parties,
      source, destination, asset, sum(amount) as amount, count(*) as postings
    from named group by 1, 2, 3, 4, 5, 6`;
}

/**
 * The sequence numbers of the last ledger entry that was added to the flows and of the last one in the ledger, and how
 * often the flows were recomputed from the first entry.
 */
export async function flowProgress(
  reader: Reader,
): Promise<{ added: number; last: number; recounts: number }> {
  const { rows } = await sql<{ added: bigint; last: bigint; recounts: number }>`
    select sequence as added, recounts, coalesce((select max(sequence) from ledger_entry), 0) as last from house_flow_cursor
  `.execute(reader);
  const [row] = rows;
  return { added: wholeNumber(row!.added), last: wholeNumber(row!.last), recounts: row!.recounts };
}

/**
 * Adds those ledger entries up to `last` that are not added yet, at most `limit`, to the daily flows, and advances the
 * cursor. Returns the number of entries that it added. Each entry is added only once, because the cursor is locked and
 * advances in the same transaction.
 */
export async function addNextFlows(
  tx: Tx,
  { own, last, limit }: { readonly own: readonly UserId[]; readonly last: number; readonly limit: number },
): Promise<number> {
  const cursor = await sql<{ sequence: bigint }>`select sequence from house_flow_cursor for update`.execute(
    tx,
  );
  const from = wholeNumber(cursor.rows[0]!.sequence);
  const until = Math.min(last, from + limit);
  if (until <= from) return 0;
  const entries = sql`select * from ledger_entry where sequence > ${from} and sequence <= ${until}`;
  await sql`
    insert into house_flow as stored (day, kind, parties, source, destination, asset, amount, postings)
    ${flowsOfEntries(entries, own)}
    on conflict (day, kind, parties, source, destination, asset) do update
    set amount = stored.amount + excluded.amount, postings = stored.postings + excluded.postings
  `.execute(tx);
  await sql`update house_flow_cursor set sequence = ${until}`.execute(tx);
  return until - from;
}

/** Deletes all daily flows and resets the cursor, so that the flows are recomputed from the ledger's first entry. */
export async function resetFlows(tx: Tx): Promise<void> {
  await sql`select sequence from house_flow_cursor for update`.execute(tx);
  await sql`delete from house_flow`.execute(tx);
  await sql`update house_flow_cursor set sequence = 0, recounts = recounts + 1`.execute(tx);
}

interface FlowRow {
  readonly day: number;
  readonly kind: string;
  readonly parties: Flow['parties'];
  readonly source: string;
  readonly destination: string;
  readonly asset: string;
  readonly amount: string;
  readonly postings: bigint;
}

/** The stored money flows of the days from `from` to `to`, both included (days since 1970), in a fixed order. */
export async function storedFlows(reader: Reader, from: number, to: number): Promise<Flow[]> {
  const { rows } = await sql<FlowRow>`
    select day, kind, parties, source, destination, asset, amount::text, postings from house_flow
    where day between ${from} and ${to} order by day, kind, parties, source, destination, asset
  `.execute(reader);
  return rows.map(flowOf);
}

/**
 * Computes the flows of all ledger entries up to `last` from the ledger itself. It reads the whole ledger, so it is
 * meant for checks and too slow for a screen.
 */
export async function recomputedFlows(reader: Reader, own: readonly UserId[], last: number): Promise<Flow[]> {
  const entries = sql`select * from ledger_entry where sequence <= ${last}`;
  const { rows } = await sql<FlowRow>`
    select day, kind, parties, source, destination, asset, amount::text, postings
    from (${flowsOfEntries(entries, own)}) as flow order by day, kind, parties, source, destination, asset
  `.execute(reader);
  return rows.map(flowOf);
}

function flowOf({ amount, postings, ...row }: FlowRow): Flow {
  return { ...row, amount: Decimal.parse(amount), postings: wholeNumber(postings) };
}

/** Day of the ledger's first entry, in days since 1970; undefined if the ledger is empty. */
export async function firstEntryDay(reader: Reader): Promise<number | undefined> {
  const { rows } = await sql<{ day: number }>`
    select (at / ${DAY_MS}::bigint)::integer as day from ledger_entry order by sequence limit 1`.execute(
    reader,
  );
  return rows[0]?.day;
}

/** First day with stored flows, in days since 1970; undefined if there are none. */
export async function firstFlowDay(reader: Reader): Promise<number | undefined> {
  const { rows } = await sql<{ day: number }>`select day from house_flow order by day limit 1`.execute(
    reader,
  );
  return rows[0]?.day;
}

/**
 * Stores the coins' prices in USDT on a UTC day (`day` in days since 1970); a later price of the same day
 * replaces an earlier one.
 */
export async function savePrices(
  store: Store,
  day: number,
  prices: ReadonlyMap<string, Decimal>,
): Promise<void> {
  if (prices.size === 0) return;
  const texts = [...prices.values()].map((price) => price.toString());
  await sql`
    insert into house_price as stored (day, asset, price)
    select ${day}, * from unnest(${[...prices.keys()]}::text[], ${texts}::numeric[])
    on conflict (asset, day) do update set price = excluded.price where stored.price <> excluded.price
  `.execute(store);
}

/** Stores the coins' prices on past days; prices that are already stored stay unchanged. */
export async function fillPrices(
  store: Store,
  prices: readonly { readonly day: number; readonly asset: string; readonly price: Decimal }[],
): Promise<void> {
  if (prices.length === 0) return;
  await sql`
    insert into house_price (day, asset, price)
    select * from unnest(${prices.map(({ day }) => day)}::integer[], ${prices.map(({ asset }) => asset)}::text[],
      ${prices.map(({ price }) => price.toString())}::numeric[])
    on conflict do nothing
  `.execute(store);
}

/**
 * Prices in USDT, on the days from `from` to `to`, of the coins that have flows on these days; the key is day and coin
 * (`DAY ASSET`). A day without a stored price has the last earlier price; it is absent if there is none.
 */
export async function pricesOfDays(reader: Reader, from: number, to: number): Promise<Map<string, Decimal>> {
  const { rows } = await sql<{ day: number; asset: string; price: string }>`
    select price.day, coin.asset, trim_scale(price.price)::text as price
    from (select distinct asset from house_flow where day between ${from} and ${to}) as coin
    cross join lateral (
      select day, price from house_price where asset = coin.asset and day between ${from} and ${to}
      union all
      (select day, price from house_price where asset = coin.asset and day < ${from} order by day desc limit 1)
    ) as price
  `.execute(reader);
  const prices = new Map<string, Decimal>();
  const latest = new Map<string, Decimal>();
  const byDay = groupBy(rows, ({ day }) => day);
  for (const { asset, price } of rows.filter(({ day }) => day < from))
    latest.set(asset, Decimal.parse(price));
  for (let day = from; day <= to; day += 1) {
    for (const { asset, price } of byDay.get(day) ?? []) latest.set(asset, Decimal.parse(price));
    for (const [asset, price] of latest) prices.set(`${day} ${asset}`, price);
  }
  return prices;
}

/**
 * Stores the number of people who registered on a UTC day (`day` in days since 1970), in place of an earlier
 * stored number.
 */
export async function saveRegistrations(store: Store, day: number, users: number): Promise<void> {
  await sql`
    insert into house_registration as stored (day, users) values (${day}, ${users})
    on conflict (day) do update set users = excluded.users where stored.users <> excluded.users
  `.execute(store);
}

/** Last day for which the number of registrations is stored, in days since 1970; undefined if there is none. */
export async function lastRegistrationDay(reader: Reader): Promise<number | undefined> {
  const { rows } = await sql<{ day: number }>`
    select day from house_registration order by day desc limit 1`.execute(reader);
  return rows[0]?.day;
}

/**
 * Number of people who registered, by day, for the days from `from` to `to`, both included, in days since
 * 1970; days without a stored number are absent.
 */
export async function registrationsOfDays(
  reader: Reader,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ day: number; users: bigint }>`
    select day, users from house_registration where day between ${from} and ${to}`.execute(reader);
  return new Map(rows.map(({ day, users }) => [day, wholeNumber(users)]));
}
