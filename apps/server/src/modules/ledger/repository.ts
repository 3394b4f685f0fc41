import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { StoredAccount } from './balances.ts';
import { isQuota, ownerOf, type ChainHead, type Product } from './domain.ts';
import type { LedgerTables } from './tables.ts';

/** Accounts of the house, the world and these owners, and the greatest account number of all. */
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
  return { accounts: rows.map(stored), lastId: wholeNumber(last?.id ?? 0) };
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
  const found = new Map<UserId, StoredAccount[]>();
  for (const { owner, ...row } of rows) {
    const accounts = found.get(owner as UserId);
    if (accounts === undefined) found.set(owner as UserId, [stored(row)]);
    else accounts.push(stored(row));
  }
  return found;
}

/** What a user has on one product, per asset, as stored. */
export async function balancesOf(
  reader: Reader,
  owner: UserId,
  product: Product,
): Promise<Map<AssetCode, { available: Decimal; frozen: Decimal }>> {
  const accounts = (await accountsOfOwners(reader, [owner])).get(owner) ?? [];
  const balances = new Map<AssetCode, { available: Decimal; frozen: Decimal }>();
  for (const { address, asset, balance } of accounts) {
    const held = ownerOf(address);
    if (held?.product !== product || held.bucket === 'locked') continue;
    const present = balances.get(asset) ?? { available: Decimal.zero, frozen: Decimal.zero };
    balances.set(asset, { ...present, [held.bucket]: Decimal.parse(balance) });
  }
  return balances;
}

/** What a user has locked on one product, per coin, as stored. */
export async function lockedOf(
  reader: Reader,
  owner: UserId,
  product: Product,
): Promise<Map<AssetCode, Decimal>> {
  const accounts = (await accountsOfOwners(reader, [owner])).get(owner) ?? [];
  const locked = accounts.flatMap(({ address, asset, balance }) => {
    const held = ownerOf(address);
    const counts = held?.product === product && held.bucket === 'locked' && !isQuota(asset);
    return counts ? [[asset, Decimal.parse(balance)] as const] : [];
  });
  return new Map(locked);
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

function stored(row: { id: bigint; address: string; asset: string; balance: string }): StoredAccount {
  return { ...row, id: wholeNumber(row.id) };
}
