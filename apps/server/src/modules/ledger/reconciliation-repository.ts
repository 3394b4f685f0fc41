import { Decimal } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { NAMED_PER_COIN } from './audit-repository.ts';
import type { AuditProblem } from './domain.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { LedgerTables } from './tables.ts';

export async function checkpoint(transaction: Tx): Promise<{ sequence: number; hash: string }> {
  const row = await transaction
    .withTables<LedgerTables>()
    .selectFrom('ledger_checkpoint')
    .selectAll()
    .executeTakeFirstOrThrow();
  return { sequence: wholeNumber(row.sequence), hash: row.hash.toString('hex') };
}

export async function moveCheckpoint(transaction: Tx, to: { sequence: number; hash: string }): Promise<void> {
  await transaction
    .withTables<LedgerTables>()
    .updateTable('ledger_checkpoint')
    .set({ sequence: BigInt(to.sequence), hash: Buffer.from(to.hash, 'hex') })
    .execute();
}

/**
 * The result of adding new ledger entries to the balances of the checkpoint, up to which the reconciliation has
 * verified the ledger.
 */
export interface Advanced {
  /** Ids of the ledger accounts that the added entries changed, each once. */
  readonly accounts: readonly number[];
  /** By asset: the sum of the changes by these entries of accounts with ids up to `counted`. */
  readonly moved: ReadonlyMap<AssetCode, Decimal>;
  /** Problems by audit rule M2: assets in which the postings of these entries do not sum to zero. */
  readonly problems: readonly AuditProblem[];
}

/**
 * Adds the postings of the ledger entries after the number `from` up to the number `to` to the stored balances of the
 * checkpoint.
 */
export async function advanceBalances(
  transaction: Tx,
  { from, to, counted }: { readonly from: number; readonly to: number; readonly counted: number },
): Promise<Advanced> {
  if (from === to) return { accounts: [], moved: new Map(), problems: [] };
  const { rows } = await sql<{
    asset: string | null;
    accounts: string;
    total: string;
    moved: string;
  }>`
    with entry as (select sources, destinations, amounts from ledger_entry where sequence > ${from} and sequence <= ${to}),
    posting as (
      select unnest(sources) as account, -unnest(amounts) as amount from entry
      union all
      select unnest(destinations), unnest(amounts) from entry
    ), posted as (select account, sum(amount) as total from posting group by account),
    advanced as (
      insert into ledger_checkpoint_balance as c (account, balance) select account, total from posted
      on conflict (account) do update set balance = c.balance + excluded.balance
    )
    select a.asset, string_agg(p.account::text, ',') as accounts, sum(p.total)::text as total,
      coalesce(sum(p.total) filter (where p.account <= ${counted}), 0)::text as moved
    from posted p left join ledger_account a on a.id = p.account group by a.asset
  `.execute(transaction);
  const moved = new Map<AssetCode, Decimal>();
  const problems: AuditProblem[] = [];
  for (const row of rows) {
    const { asset, total } = row;
    if (asset === null) continue;
    moved.set(asset, Decimal.parse(row.moved));
    if (!Decimal.parse(total).isZero())
      problems.push({
        invariant: 'M2',
        asset,
        detail: `entries ${from + 1} to ${to} sum to ${total}`,
      });
  }
  return { accounts: rows.flatMap((row) => row.accounts.split(',').map(wholeNumber)), moved, problems };
}

/**
 * Audit rule M6: accounts whose stored balance differs from the balance in the checkpoint, which is the sum of their
 * postings. The caller must have advanced the checkpoint to the last ledger entry; otherwise newer postings appear as
 * differences.
 */
export async function balanceProblems(
  transaction: Tx,
  accounts: Scope,
): Promise<(AuditProblem & { readonly account: number })[]> {
  const { rows } = await sql<{
    asset: string | null;
    account: string;
    stored: string | null;
    posted: string | null;
  }>`
    with stored as (select id, asset, balance from ledger_account where ${accounts('id')}),
    posted as (select account, balance from ledger_checkpoint_balance where ${accounts('account')})
    select asset, account, stored, posted from (
      select stored.asset, coalesce(stored.id, posted.account)::text as account,
        stored.balance::text as stored, posted.balance::text as posted,
        row_number() over (partition by stored.asset) as nth
      from stored full join posted on posted.account = stored.id
      where coalesce(stored.balance, 0) <> coalesce(posted.balance, 0) or stored.id is null
    ) as different where nth <= ${NAMED_PER_COIN}
  `.execute(transaction);
  return rows.map(({ asset, account, stored, posted }) => ({
    invariant: 'M6',
    asset: asset ?? undefined,
    account: wholeNumber(account),
    detail: `account ${account} has ${stored}, its postings say ${posted}`,
  }));
}

/**
 * The ids of the owners of the accounts in the scope, without duplicates; house and world accounts have no
 * owner.
 */
export async function ownersOf(transaction: Tx, accounts: Scope): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select distinct owner::text as owner from ledger_account where ${accounts('id')} and owner is not null
  `.execute(transaction);
  return rows.map(({ owner }) => owner);
}

/**
 * The id of the last account on the page of `size` accounts that follows the account `after`; undefined if fewer than
 * `size` accounts are left.
 */
export async function lastOfPage(transaction: Tx, after: number, size: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from ledger_account where id > ${after} order by id offset ${size - 1} limit 1
  `.execute(transaction);
  return rows[0] === undefined ? undefined : wholeNumber(rows[0].id);
}

/**
 * The id of the last owner on the page of `size` accounts, in the order of their owners' ids, that follows
 * the owner `after`; undefined if fewer than `size` accounts are left.
 */
export async function lastOwnerOfPage(
  transaction: Tx,
  after: string | undefined,
  size: number,
): Promise<string | undefined> {
  const behind = after === undefined ? sql`owner is not null` : sql`owner > ${after}::uuid`;
  const { rows } = await sql<{ owner: string }>`
    select owner::text as owner from ledger_account where ${behind} order by owner offset ${size - 1} limit 1
  `.execute(transaction);
  return rows[0]?.owner;
}

/** Sum of the stored balances of the accounts in the scope, by asset. */
export async function sumsOf(transaction: Tx, accounts: Scope): Promise<Map<AssetCode, Decimal>> {
  const { rows } = await sql<{ asset: string; total: string }>`
    select asset, sum(balance)::text as total from ledger_account where ${accounts('id')} group by asset
  `.execute(transaction);
  return new Map(rows.map(({ asset, total }) => [asset, Decimal.parse(total)]));
}
