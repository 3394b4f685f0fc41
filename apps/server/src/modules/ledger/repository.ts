import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import {
  type Address,
  type Bucket,
  type ChainHead,
  type EntryKind,
  type Halt,
  type HaltChange,
  type Product,
  addressText,
  isQuota,
  ownerOf,
  userAddress,
} from './domain.ts';
import type { LedgerTables } from './tables.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { sql } from 'kysely';
import type { StoredAccount } from './balances.ts';

/**
 * House and world accounts and the accounts of the given owners, together with the greatest account id of the ledger.
 */
export async function accountsOf(
  reader: Reader,
  owners: readonly UserId[],
): Promise<{ accounts: StoredAccount[]; lastId: number }> {
  const tables = reader.withTables<LedgerTables>();
  const [rows, last] = await Promise.all([
    tables
      .selectFrom('ledger_account')
      .select(['id', 'address', 'asset', 'balance'])
      .where((where) => where.or([where('owner', 'is', null), sql<boolean>`owner = any(${owners}::uuid[])`]))
      .execute(),
    tables
      .selectFrom('ledger_account')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst(),
  ]);
  return { accounts: rows.map(storedAccount), lastId: wholeNumber(last?.id ?? 0) };
}

export async function accountsOfOwners(
  reader: Reader,
  owners: readonly UserId[],
): Promise<Map<UserId, StoredAccount[]>> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_account')
    .select(['id', 'address', 'asset', 'balance', 'owner'])
    .where(sql<boolean>`owner = any(${owners}::uuid[])`)
    .execute();
  const accountsByOwner = new Map<UserId, StoredAccount[]>();
  for (const { owner, ...row } of rows) {
    const accounts = accountsByOwner.get(owner as UserId);
    if (accounts === undefined) accountsByOwner.set(owner as UserId, [storedAccount(row)]);
    else accounts.push(storedAccount(row));
  }
  return accountsByOwner;
}

/** Balance in `asset` that the database stores for the address, for screens; zero without such an account. */
export async function storedBalance(reader: Reader, address: Address, asset: AssetCode): Promise<Decimal> {
  const row = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_account')
    .select('balance')
    .where('address', '=', addressText(address))
    .where('asset', '=', asset)
    .executeTakeFirst();
  return row === undefined ? Decimal.zero : Decimal.parse(row.balance);
}

/** A user's stored balances in a bucket of a product by asset, including quotas. */
export async function storedBalances(
  reader: Reader,
  owner: UserId,
  product: Product,
  bucket: Bucket,
): Promise<Map<AssetCode, Decimal>> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_account')
    .select(['asset', 'balance'])
    .where('address', '=', addressText(userAddress(owner, product, bucket)))
    .execute();
  return new Map(rows.map(({ asset, balance }) => [asset, Decimal.parse(balance)]));
}

/** A user's available, frozen and locked balance of a coin on a product. */
export interface Holdings {
  readonly product: Product;
  readonly asset: AssetCode;
  readonly available: Decimal;
  readonly frozen: Decimal;
  readonly locked: Decimal;
}

/** All stored balances of a user by product and coin, without quotas. */
export async function holdingsOf(reader: Reader, owner: UserId): Promise<Holdings[]> {
  const accounts = (await accountsOfOwners(reader, [owner])).get(owner) ?? [];
  const holdings = new Map<string, Holdings>();
  for (const { address, asset, balance } of accounts) {
    const ownedAddress = ownerOf(address);
    if (ownedAddress === undefined || isQuota(asset)) continue;
    const { product, bucket } = ownedAddress;
    const zeroes = { available: Decimal.zero, frozen: Decimal.zero, locked: Decimal.zero };
    const current = holdings.get(`${product} ${asset}`) ?? { product, asset, ...zeroes };
    holdings.set(`${product} ${asset}`, { ...current, [bucket]: Decimal.parse(balance) });
  }
  return [...holdings.values()];
}

/** A user's stored available, frozen and locked balances on a product, by coin. */
export async function holdingsOn(
  reader: Reader,
  owner: UserId,
  product: Product,
): Promise<Map<AssetCode, Holdings>> {
  const holdings = await holdingsOf(reader, owner);
  return new Map(holdings.filter((holding) => holding.product === product).map((one) => [one.asset, one]));
}

/**
 * The total value of the balances of each of the next `limit` users after the id `behind`, in the order of ids and
 * without those in `except`. The value is in the unit of `prices`; that of each balance is rounded down to `places`
 * decimals. A coin without a price counts as zero.
 */
export async function nextUserValues(
  reader: Reader,
  {
    prices,
    places,
    except,
  }: { prices: ReadonlyMap<AssetCode, Decimal>; places: number; except: readonly UserId[] },
  behind: string,
  limit: number,
): Promise<{ owner: UserId; worth: Decimal }[]> {
  const { rows } = await sql<{ owner: UserId; worth: string }>`
    with page as materialized (
      select distinct owner from ledger_account
      where owner > ${behind} and owner <> all(${except}::uuid[])
      order by owner limit ${limit}
    )
    select a.owner, coalesce(sum(trunc(a.balance * coin.price, ${places})), 0)::text as worth
    from ledger_account a join page on page.owner = a.owner
    left join unnest(${[...prices.keys()]}::text[], ${[...prices.values()].map(String)}::numeric[])
      as coin(asset, price) on coin.asset = a.asset
    group by a.owner order by a.owner
  `.execute(reader);
  return rows.map(({ owner, worth }) => ({ owner, worth: Decimal.parse(worth) }));
}

export async function chainHead(reader: Reader): Promise<ChainHead> {
  const row = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_entry')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined
    ? { sequence: 0, hash: '' }
    : { sequence: wholeNumber(row.sequence), hash: row.hash.toString('hex') };
}

function storedAccount(row: { id: bigint; address: string; asset: string; balance: string }): StoredAccount {
  return { ...row, id: wholeNumber(row.id) };
}

/**
 * A ledger entry with its reference: the id of the object that it concerns, such as the trade for the kind
 * `spot.traded`.
 */
interface EntryReference {
  readonly sequence: number;
  readonly kind: EntryKind;
  readonly reference: string | null;
}

/**
 * At most `limit` ledger entries after a sequence number, oldest first, with their references; for readers with a
 * cursor.
 */
export async function referencesSince(
  reader: Reader,
  sequence: number,
  limit: number,
): Promise<EntryReference[]> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_entry')
    .select(['sequence', 'kind', 'reference'])
    .where('sequence', '>', BigInt(sequence))
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    sequence: wholeNumber(row.sequence),
    kind: row.kind as EntryKind,
    reference: row.reference,
  }));
}

/** The sequence number of the latest stored entry; 0 if there is none. */
export async function lastEntrySequence(reader: Reader): Promise<number> {
  const row = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_entry')
    .select(({ fn }) => fn.max('sequence').as('sequence'))
    .executeTakeFirst();
  return wholeNumber(row?.sequence ?? 0);
}

/**
 * The halts of those assets whose last stored change is a halt and not a lift; halts that are only in memory
 * are missing.
 */
export async function storedHalts(reader: Reader): Promise<Halt[]> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_halt_change')
    .distinctOn('asset')
    .selectAll()
    .orderBy('asset')
    .orderBy('sequence', 'desc')
    .execute();
  return rows
    .filter((row) => row.is_halted)
    .map((row) => ({ asset: row.asset, by: row.set_by, reason: row.reason, since: wholeNumber(row.at) }));
}

/** The latest changes of halts, newest first, at most `limit`. */
export async function haltChanges(reader: Reader, limit: number): Promise<BoundedRows<HaltChange>> {
  const changes = reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_halt_change')
    .selectAll()
    .orderBy('sequence', 'desc');
  return mapBounded(await readBounded(reader, changes, limit), (row) => ({
    sequence: wholeNumber(row.sequence),
    asset: row.asset,
    isHalted: row.is_halted,
    by: row.set_by,
    reason: row.reason,
    at: wholeNumber(row.at),
  }));
}
