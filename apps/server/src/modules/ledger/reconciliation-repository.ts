import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { AuditProblem } from './domain.ts';
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

export async function assetsInUse(reader: Reader): Promise<string[]> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_account')
    .select('asset')
    .distinct()
    .execute();
  return rows.map(({ asset }) => asset);
}

/** Adds the new postings to the checkpoint's balances; what then differs from the stored balance is named. */
export async function advanceBalances(transaction: Tx, from: number, to: number): Promise<AuditProblem[]> {
  const wrong = await sql<{
    asset: string | null;
    account: string;
    stored: string | null;
    posted: string | null;
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
      returning account, balance
    )
    select a.asset, a.id::text as account, a.balance::text as stored, v.balance::text as posted
    from advanced v join ledger_account a on a.id = v.account
    where a.balance <> v.balance limit 100
  `.execute(transaction);
  const untouched = await sql<{
    asset: string | null;
    account: string;
    stored: string | null;
    posted: string | null;
  }>`
    select a.asset, coalesce(a.id, c.account)::text as account, a.balance::text as stored, c.balance::text as posted
    from ledger_account a full join ledger_checkpoint_balance c on c.account = a.id
    where coalesce(a.balance, 0) <> coalesce(c.balance, 0) or a.id is null limit 100
  `.execute(transaction);
  const found = new Map([...wrong.rows, ...untouched.rows].map((row) => [row.account, row]));
  return [...found.values()].map(({ asset, account, stored, posted }) => ({
    invariant: 'M6',
    asset: asset ?? undefined,
    detail: `account ${account} has ${stored}, its postings say ${posted}`,
  }));
}
