import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { entriesAfter } from './audit-repository.ts';
import { ownerOf } from './domain.ts';
import type { LedgerTables } from './tables.ts';

export interface MovementFilter {
  readonly asset?: string | undefined;
  readonly kind?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface Movement {
  readonly id: string;
  readonly asset: string;
  readonly bucket: string;
  readonly kind: string;
  readonly reference: string | null;
  readonly amount: Decimal;
  /** Of the same account, after it. */
  readonly balance: Decimal;
  readonly at: number;
}

interface Moved {
  owner: string;
  entry: number;
  posting: number;
  account: number;
  asset: string;
  bucket: string;
  kind: string;
  reference: string | null;
  delta: bigint;
  at: number;
}

/** A user's movements, newest first, and their count. */
export async function movementsOf(
  reader: Reader,
  owner: UserId,
  filter: MovementFilter,
  page: { limit: number; offset: number },
): Promise<{ list: Movement[]; total: number }> {
  let query = reader.withTables<LedgerTables>().selectFrom('ledger_movement').where('owner', '=', owner);
  if (filter.asset !== undefined) query = query.where('asset', '=', filter.asset);
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  if (filter.from !== undefined) query = query.where('at', '>=', BigInt(filter.from));
  if (filter.to !== undefined) query = query.where('at', '<=', BigInt(filter.to));
  const [rows, counted] = await Promise.all([
    query
      .selectAll()
      .orderBy('entry', 'desc')
      .orderBy('posting', 'desc')
      .orderBy('account')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    query.select(({ fn }) => fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow(),
  ]);
  const list = rows.map((row) => ({
    id: `${row.entry}-${row.posting}-${row.account}`,
    asset: row.asset,
    bucket: row.bucket,
    kind: row.kind,
    reference: row.reference,
    amount: Decimal.parse(row.amount),
    balance: Decimal.parse(row.balance),
    at: wholeNumber(row.at),
  }));
  return { list, total: wholeNumber(counted.count) };
}

/** Projects the next entries behind the cursor, at most `limit`; gives how many. */
export async function projectNext(transaction: Tx, limit: number): Promise<number> {
  const tables = transaction.withTables<LedgerTables>();
  const cursor = await tables
    .selectFrom('ledger_movement_cursor')
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow();
  const page = await entriesAfter(transaction, wholeNumber(cursor.sequence), limit);
  if (page.length === 0) return 0;
  const accounts = await ownedAccounts(
    transaction,
    new Set(page.flatMap(({ entry }) => [...entry.sources, ...entry.destinations])),
  );
  const moved = page.flatMap(({ entry }) =>
    entry.amounts.flatMap((amount, posting) => {
      const { atoms } = Decimal.parse(amount);
      const about = {
        entry: entry.sequence,
        posting,
        kind: entry.kind,
        reference: entry.reference,
        at: entry.at,
      };
      return [
        { ...about, account: entry.sources[posting]!, delta: -atoms },
        { ...about, account: entry.destinations[posting]!, delta: atoms },
      ].flatMap((move) => {
        const account = accounts.get(move.account);
        return account === undefined ? [] : [{ ...move, ...account }];
      });
    }),
  );
  await insertMoved(transaction, moved);
  await tables
    .updateTable('ledger_movement_cursor')
    .set({ sequence: BigInt(page.at(-1)!.entry.sequence) })
    .execute();
  return page.length;
}

async function ownedAccounts(
  transaction: Tx,
  ids: ReadonlySet<number>,
): Promise<Map<number, { owner: string; asset: string; bucket: string }>> {
  const rows = await transaction
    .withTables<LedgerTables>()
    .selectFrom('ledger_account')
    .select(['id', 'address', 'asset'])
    .where('owner', 'is not', null)
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute();
  return new Map(
    rows.map(({ id, address, asset }) => {
      const { owner, bucket } = ownerOf(address)!;
      return [wholeNumber(id), { owner, asset, bucket }];
    }),
  );
}

/** Running balances continue from each account's latest movement. */
async function insertMoved(transaction: Tx, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return;
  const balances = await latestBalances(transaction, [...new Set(moved.map(({ account }) => account))]);
  const rows = moved.map(({ delta, ...move }) => {
    const balance = (balances.get(move.account) ?? 0n) + delta;
    balances.set(move.account, balance);
    return {
      ...move,
      amount: Decimal.ofAtoms(delta).toString(),
      balance: Decimal.ofAtoms(balance).toString(),
    };
  });
  await sql`
    insert into ledger_movement (owner, entry, posting, account, asset, bucket, kind, reference, amount, balance, at)
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      owner uuid, entry bigint, posting integer, account bigint, asset text, bucket text, kind text,
      reference uuid, amount numeric, balance numeric, at bigint)
  `.execute(transaction);
}

async function latestBalances(transaction: Tx, accounts: readonly number[]): Promise<Map<number, bigint>> {
  const rows = await sql<{ account: bigint; balance: string }>`
    select a.account, m.balance from unnest(${accounts}::bigint[]) as a(account)
    cross join lateral (
      select balance from ledger_movement where account = a.account order by entry desc, posting desc limit 1
    ) m
  `.execute(transaction);
  return new Map(
    rows.rows.map(({ account, balance }) => [wholeNumber(account), Decimal.parse(balance).atoms]),
  );
}
