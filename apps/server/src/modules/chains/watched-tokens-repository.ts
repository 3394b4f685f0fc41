import { Decimal } from '@exchange/core/decimal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { tablesOf, type Reader, type Store, type Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { ChainSighting } from './domain.ts';
import { admittedCount, dayOf, type WatchedToken } from './watched-tokens-domain.ts';
import type { ChainTables } from './tables.ts';

const tables = tablesOf<ChainTables>();

/**
 * Lists the watched tokens of a network, or of all networks if `network` is undefined, newest first. There
 * are at most `WATCHED_MOST`.
 */
export async function watchedTokens(reader: Reader, network?: string): Promise<WatchedToken[]> {
  let query = tables(reader).selectFrom('chain_watched_token').selectAll().where('ended_at', 'is', null);
  if (network !== undefined) query = query.where('network', '=', network);
  const rows = await query.orderBy('allowed_at', 'desc').orderBy('contract').execute();
  return rows.map(tokenOf);
}

/**
 * Returns the contracts and decimals of all tokens of a network that are or were watched. Two operators
 * allowed each of them, so there are few.
 */
export async function everWatchedTokens(
  reader: Reader,
  network: string,
): Promise<Pick<WatchedToken, 'contract' | 'digits'>[]> {
  return tables(reader)
    .selectFrom('chain_watched_token')
    .select(['contract', 'digits'])
    .where('network', '=', network)
    .execute();
}

/**
 * Starts watching a token, also one that was watched before. Returns false if the token is watched already, otherwise
 * true.
 */
export async function insertWatchedToken(
  store: Store,
  token: Omit<WatchedToken, 'notShown' | 'shownOnDay' | 'day'> & { readonly reason: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into chain_watched_token (network, contract, name, symbol, digits, least, allowed_at, allowed_by, reason)
    values (${token.network}, ${token.contract}, ${token.name}, ${token.symbol}, ${token.digits}::integer,
      ${token.least.toString()}::numeric, ${token.allowedAt}::bigint, ${token.allowedBy}, ${token.reason})
    on conflict (network, contract) do update set name = excluded.name, symbol = excluded.symbol,
      digits = excluded.digits, least = excluded.least, allowed_at = excluded.allowed_at,
      allowed_by = excluded.allowed_by, reason = excluded.reason, ended_at = null, ended_by = null
      where chain_watched_token.ended_at is not null
    returning contract
  `.execute(store);
  return rows.length > 0;
}

/** Starts watching a token unless it was ever watched, so that operators can end the watch for good. */
export async function watchFirst(
  store: Store,
  token: Omit<WatchedToken, 'notShown' | 'shownOnDay' | 'day'> & { readonly reason: string },
): Promise<void> {
  await sql`
    insert into chain_watched_token (network, contract, name, symbol, digits, least, allowed_at, allowed_by, reason)
    values (${token.network}, ${token.contract}, ${token.name}, ${token.symbol}, ${token.digits}::integer,
      ${token.least.toString()}::numeric, ${token.allowedAt}::bigint, ${token.allowedBy}, ${token.reason})
    on conflict (network, contract) do nothing
  `.execute(store);
}

/** Stops watching a token. Returns false if the token is not watched, otherwise true. */
export async function endWatchedToken(
  store: Store,
  { network, contract }: Pick<WatchedToken, 'network' | 'contract'>,
  { by, now }: { readonly by: string; readonly now: Instant },
): Promise<boolean> {
  const row = await tables(store)
    .updateTable('chain_watched_token')
    .set({ ended_at: BigInt(now), ended_by: by })
    .where('network', '=', network)
    .where('contract', '=', contract)
    .where('ended_at', 'is', null)
    .returning('contract')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts the transfers of watched tokens in a block, and leaves out those that exceed the number that operators see per
 * token and day. Returns all other payments, including those in other coins.
 * @param unfit number of transfers that the scanner has already left out, by contract
 */
export async function admitSightings(
  tx: Tx,
  network: string,
  {
    sightings,
    unfit,
  }: { readonly sightings: readonly ChainSighting[]; readonly unfit: ReadonlyMap<string, number> },
  now: Instant,
): Promise<readonly ChainSighting[]> {
  const contracts = [...new Set([...unfit.keys(), ...sightings.map(({ asset }) => asset)])];
  const rows = await tables(tx)
    .selectFrom('chain_watched_token')
    .selectAll()
    .where('network', '=', network)
    .where('contract', 'in', contracts)
    .forUpdate()
    .execute();
  const dropped = new Set<ChainSighting>();
  for (const row of rows) {
    const token = tokenOf(row);
    const ofToken = sightings.filter(({ asset }) => asset === token.contract);
    const admitted = admittedCount(token, ofToken.length, now);
    for (const sighting of ofToken.slice(admitted)) dropped.add(sighting);
    const day = dayOf(now);
    const notShown = ofToken.length - admitted + (unfit.get(token.contract) ?? 0);
    await tables(tx)
      .updateTable('chain_watched_token')
      .set({
        day,
        shown_on_day: (token.day === day ? token.shownOnDay : 0) + admitted,
        not_shown: row.not_shown + BigInt(notShown),
      })
      .where('network', '=', network)
      .where('contract', '=', token.contract)
      .execute();
  }
  return sightings.filter((sighting) => !dropped.has(sighting));
}

/**
 * Changes the asset of tokens on deposit addresses from the contract, under which they were stored before the exchange
 * listed the coin, to the code of the listed coin, so that they are swept.
 *
 * @param listed codes of the listed coins by their contracts in lower case
 */
export async function adoptHoldings(
  tx: Tx,
  network: string,
  listed: ReadonlyMap<string, string>,
): Promise<void> {
  if (listed.size === 0) return;
  await sql`
    with adopted as (
      delete from evm_holding using unnest(${[...listed.keys()]}::text[], ${[...listed.values()]}::text[])
        as listed (contract, coin)
      where evm_holding.network = ${network} and evm_holding.asset = listed.contract
      returning evm_holding.network, evm_holding.idx, listed.coin as asset, evm_holding.block
    )
    insert into evm_holding (network, idx, asset, block, due_at)
    select network, idx, asset, block, 0 from adopted
    on conflict (network, idx, asset) do update set due_at = 0
  `.execute(tx);
}

function tokenOf(row: Selectable<ChainTables['chain_watched_token']>): WatchedToken {
  return {
    network: row.network,
    contract: row.contract,
    name: row.name,
    symbol: row.symbol,
    digits: row.digits,
    least: Decimal.parse(row.least),
    allowedAt: instant(wholeNumber(row.allowed_at)),
    allowedBy: row.allowed_by,
    day: row.day,
    shownOnDay: row.shown_on_day,
    notShown: wholeNumber(row.not_shown),
  };
}
