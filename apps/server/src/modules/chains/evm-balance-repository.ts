import type { Instant } from '@exchange/core/time.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';

/** A coin of a chain; `contract` is the address of its contract, undefined for the chain's own coin. */
export interface EvmCurrency {
  readonly asset: string;
  readonly contract: string | undefined;
}

/** A deposit address whose balances have to be read, with its derivation index. */
export interface AddressToRead {
  readonly index: number;
  readonly address: string;
}

/** The balance of one coin on a deposit address, in the smallest units of the coin. */
export interface AddressBalance {
  readonly index: number;
  readonly asset: string;
  readonly units: bigint;
}

/**
 * Adds the deposit addresses that were assigned since the last call, and the coins that are new or have a new contract,
 * to the balances that are read. The balances of such a coin are then read on all addresses.
 */
export async function prepareBalances(
  tx: Tx,
  network: string,
  currencies: readonly EvmCurrency[],
): Promise<void> {
  await sql`
    insert into evm_look (network, idx, touched, read_block, read_at)
    select ${network}, idx, 0, -1, 0 from evm_address
    where idx > coalesce((select max(idx) from evm_look where network = ${network}), -1)
    on conflict (network, idx) do nothing
  `.execute(tx);
  const assets = currencies.map(({ asset }) => asset);
  const contracts = currencies.map(({ contract }) => contract ?? '');
  const { rows } = await sql<{ asset: string }>`
    insert into evm_balance_total as total (network, asset, contract, units)
    select ${network}, coin.asset, coin.contract, 0
    from unnest(${assets}::text[], ${contracts}::text[]) as coin (asset, contract)
    on conflict (network, asset) do update set contract = excluded.contract, units = 0
      where total.contract <> excluded.contract
    returning asset
  `.execute(tx);
  if (rows.length === 0) return;
  const changed = rows.map(({ asset }) => asset);
  await sql`delete from evm_balance where network = ${network} and asset = any(${changed}::text[])`.execute(
    tx,
  );
  await sql`update evm_look set read_block = -1 where network = ${network}`.execute(tx);
}

/**
 * Lists deposit addresses whose balances a block may have changed since they were last read, in the order of
 * their indices, starting after the index `after`, at most `limit`.
 */
export function touchedAddresses(
  reader: Reader,
  network: string,
  after: number,
  limit: number,
): Promise<AddressToRead[]> {
  return addressesToRead(
    reader,
    sql`network = ${network} and touched > read_block and idx > ${after} order by idx limit ${limit}`,
  );
}

/**
 * Lists deposit addresses whose balances were last read before a time; those that were read longest ago come
 * first, at most `limit`.
 */
export function unreadAddresses(
  reader: Reader,
  network: string,
  before: Instant,
  limit: number,
): Promise<AddressToRead[]> {
  return addressesToRead(
    reader,
    sql`network = ${network} and read_at < ${before}::bigint order by read_at limit ${limit}`,
  );
}

async function addressesToRead(reader: Reader, condition: RawBuilder<unknown>): Promise<AddressToRead[]> {
  const { rows } = await sql<{ idx: number; address: string }>`
    select idx, address from evm_look join evm_address using (idx) where ${condition}
  `.execute(reader);
  return rows.map(({ idx, address }) => ({ index: idx, address }));
}

/** Stores the balances of deposit addresses at a block, and adds the changes to the totals over all addresses. */
export async function storeBalances(
  tx: Tx,
  network: string,
  balances: readonly AddressBalance[],
  { block, now }: { readonly block: number; readonly now: Instant },
): Promise<void> {
  const indices = balances.map(({ index }) => index);
  const rows = sql`unnest(${indices}::integer[], ${balances.map(({ asset }) => asset)}::text[],
    ${balances.map(({ units }) => units.toString())}::numeric[]) as seen (idx, asset, units)`;
  await sql`
    update evm_balance_total total set units = total.units + difference.units from (
      select seen.asset, sum(seen.units - coalesce(balance.units, 0)) as units from ${rows}
      left join evm_balance balance on balance.network = ${network} and balance.idx = seen.idx
        and balance.asset = seen.asset
      group by seen.asset
    ) difference where total.network = ${network} and total.asset = difference.asset
  `.execute(tx);
  await sql`
    delete from evm_balance using ${rows}
    where network = ${network} and evm_balance.idx = seen.idx and evm_balance.asset = seen.asset and seen.units = 0
  `.execute(tx);
  await sql`
    insert into evm_balance (network, idx, asset, units)
    select ${network}, seen.idx, seen.asset, seen.units from ${rows} where seen.units > 0
    on conflict (network, idx, asset) do update set units = excluded.units
  `.execute(tx);
  await sql`
    update evm_look set read_block = ${block}::bigint, read_at = ${now}::bigint
    where network = ${network} and idx = any(${indices}::integer[])
  `.execute(tx);
}

/**
 * Returns the totals of the last read balances of all deposit addresses on a network, by coin, in the
 * smallest units of the coin.
 */
export async function balanceTotals(reader: Reader, network: string): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ asset: string; units: string }>`
    select asset, units::text as units from evm_balance_total where network = ${network}
  `.execute(reader);
  return new Map(rows.map(({ asset, units }) => [asset, BigInt(units)]));
}

/**
 * Records that the transfers of a block may have changed the balances of the given addresses (in lower case), so that
 * these balances are read again. Addresses that are not deposit addresses are ignored.
 */
export async function touchAddresses(
  tx: Tx,
  network: string,
  block: number,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  await sql`
    update evm_look set touched = greatest(touched, ${block}::bigint) from evm_address
    where evm_address.address = any(${addresses}::text[]) and evm_look.idx = evm_address.idx
      and network = ${network}
  `.execute(tx);
}

/**
 * Marks the balances that were read at a block above `above` to be read again, because the chain has dropped these
 * blocks.
 */
export async function touchReadAbove(tx: Tx, network: string, above: number): Promise<void> {
  await sql`
    update evm_look set touched = read_block + 1
    where network = ${network} and read_block > ${above}::bigint and touched <= read_block
  `.execute(tx);
}
