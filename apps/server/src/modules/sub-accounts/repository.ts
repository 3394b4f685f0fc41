import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Selectable } from 'kysely';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import {
  ListOrder,
  type ListPage,
  mapPage,
  type PagedRows,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { SubAccount, SubAccountTransfer } from './domain.ts';
import type { SubAccountTables } from './tables.ts';

const tables = tablesOf<SubAccountTables>();
const NEWEST = new ListOrder([{ name: 'id', type: 'uuid' }]);

/** All sub-accounts of a main account, newest first, archived ones included. */
export async function subAccountsOf(reader: Reader, master: UserId): Promise<SubAccount[]> {
  const rows = await tables(reader)
    .selectFrom('sub_account')
    .selectAll()
    .where('master', '=', master)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(subAccountOf);
}

/**
 * A sub-account of a main account; undefined for an unknown id or a sub-account of another main account.
 */
export async function findSubAccount(
  reader: Reader,
  master: UserId,
  id: UserId,
): Promise<SubAccount | undefined> {
  const row = await tables(reader)
    .selectFrom('sub_account')
    .selectAll()
    .where('id', '=', id)
    .where('master', '=', master)
    .executeTakeFirst();
  return row && subAccountOf(row);
}

export async function insertSubAccount(store: Store, subAccount: SubAccount): Promise<void> {
  await tables(store)
    .insertInto('sub_account')
    .values({
      id: subAccount.id,
      master: subAccount.master,
      uid: subAccount.uid,
      name: subAccount.name,
      note: subAccount.note,
      created_at: BigInt(subAccount.createdAt),
      archived_at: null,
    })
    .execute();
}

/** Sets name and note of a sub-account, without checks. */
export async function renameSubAccount(
  store: Store,
  { id, name, note }: Pick<SubAccount, 'id' | 'name' | 'note'>,
): Promise<void> {
  await tables(store).updateTable('sub_account').set({ name, note }).where('id', '=', id).execute();
}

export async function markArchived(store: Store, id: UserId, at: Instant): Promise<void> {
  await tables(store)
    .updateTable('sub_account')
    .set({ archived_at: BigInt(at) })
    .where('id', '=', id)
    .execute();
}

export async function insertTransfer(store: Store, transfer: SubAccountTransfer): Promise<void> {
  await tables(store)
    .insertInto('sub_account_transfer')
    .values({
      id: transfer.id,
      number: BigInt(transfer.number),
      master: transfer.master,
      source: transfer.source,
      destination: transfer.destination,
      asset: transfer.asset,
      amount: transfer.amount.toString(),
      client_id: transfer.clientId,
      at: BigInt(transfer.at),
    })
    .execute();
}

/** A page of a main account's transfers, newest first; with `account` only transfers from or to this sub-account. */
export async function transfersOf(
  reader: Reader,
  master: UserId,
  account: UserId | undefined,
  page: PagedRows,
): Promise<ListPage<SubAccountTransfer>> {
  let transfers = tables(reader).selectFrom('sub_account_transfer').selectAll().where('master', '=', master);
  if (account !== undefined)
    transfers = transfers.where((where) =>
      where.or([where('source', '=', account), where('destination', '=', account)]),
    );
  return mapPage(await readPage(reader, transfers, NEWEST, page), transferOf);
}

/**
 * Which of a main account's transfers to read; undefined fields restrict nothing. `from` and `to` are inclusive, in
 * milliseconds since 1970.
 */
export interface TransferRange {
  readonly source: UserId | undefined;
  readonly destination: UserId | undefined;
  readonly clientId: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Returns the transfers of a main account that have the accounts, client id and time of `range`, newest
 * first, without the first `offset` and at most `limit`.
 */
export async function transfersWithin(
  reader: Reader,
  master: UserId,
  range: TransferRange,
): Promise<SubAccountTransfer[]> {
  let query = tables(reader).selectFrom('sub_account_transfer').selectAll().where('master', '=', master);
  if (range.source !== undefined) query = query.where('source', '=', range.source);
  if (range.destination !== undefined) query = query.where('destination', '=', range.destination);
  if (range.clientId !== undefined) query = query.where('client_id', '=', range.clientId);
  if (range.from !== undefined) query = query.where('at', '>=', BigInt(range.from));
  if (range.to !== undefined) query = query.where('at', '<=', BigInt(range.to));
  const rows = await query.orderBy('id', 'desc').offset(range.offset).limit(range.limit).execute();
  return rows.map(transferOf);
}

function subAccountOf(row: Selectable<SubAccountTables['sub_account']>): SubAccount {
  return {
    id: row.id as UserId,
    master: row.master as UserId,
    uid: row.uid,
    name: row.name,
    note: row.note,
    createdAt: instant(wholeNumber(row.created_at)),
    archivedAt: row.archived_at === null ? undefined : instant(wholeNumber(row.archived_at)),
  };
}

function transferOf(row: Selectable<SubAccountTables['sub_account_transfer']>): SubAccountTransfer {
  return {
    id: row.id,
    number: wholeNumber(row.number),
    master: row.master as UserId,
    source: row.source as UserId,
    destination: row.destination as UserId,
    asset: row.asset,
    amount: Decimal.parse(row.amount),
    clientId: row.client_id,
    at: instant(wholeNumber(row.at)),
  };
}
