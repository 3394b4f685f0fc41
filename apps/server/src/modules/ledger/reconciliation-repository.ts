import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { conservationProblems, holdProblems, verifyChain, type HoldSource } from './audit-repository.ts';
import type { AuditProblem } from './domain.ts';
import type { LedgerTables } from './tables.ts';

/** Checks, in one snapshot, what is new since the checkpoint, moves the checkpoint, and names what does not add up. */
export async function checkSinceCheckpoint(
  transaction: Tx,
  holds: readonly HoldSource[],
): Promise<{ entries: number; problems: AuditProblem[] }> {
  const tables = transaction.withTables<LedgerTables>();
  const checkpoint = await tables.selectFrom('ledger_checkpoint').selectAll().executeTakeFirstOrThrow();
  const from = { sequence: wholeNumber(checkpoint.sequence), hash: checkpoint.hash.toString('hex') };
  const chain = await verifyChain(transaction, from);
  const problems = [
    ...chain.problems,
    ...(await advanceBalances(transaction, from.sequence, chain.sequence)),
    ...(await conservationProblems(transaction)),
    ...(await holdProblems(transaction, holds)),
  ];
  await tables
    .updateTable('ledger_checkpoint')
    .set({ sequence: BigInt(chain.sequence), hash: Buffer.from(chain.hash, 'hex') })
    .execute();
  return { entries: chain.sequence - from.sequence, problems };
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
async function advanceBalances(transaction: Tx, from: number, to: number): Promise<AuditProblem[]> {
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
