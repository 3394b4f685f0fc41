/**
 * Fills a database with accounts, open orders and the ledger entries of a minute, and runs the reconciliation on it.
 * The arguments are the database as JSON and the number of accounts. The last line of the output is JSON.
 */
import pg from 'pg';
import { chainedHash, postingText } from '../../apps/server/src/modules/ledger/chain.ts';
import { Reconciliation } from '../../apps/server/src/modules/ledger/index.ts';
import { HOLDS } from '../../apps/server/src/money.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { clientOptions, openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { benchLog } from '../orders/exchange.ts';

export interface ReconciliationOutcome {
  readonly accounts: number;
  readonly entries: number;
  /**
   * Milliseconds that the earlier design of the reconciliation needed every minute: it checked sums, signs and balances
   * of all accounts, and loaded all holds into the process.
   */
  readonly beforeMs: number;
  /**
   * Milliseconds of a reconciliation that verifies new entries and the accounts that they changed, and also a page of
   * the comparison of all accounts.
   */
  readonly roundMs: number;
  /**
   * Milliseconds of a reconciliation without new entries, which only verifies a page of the comparison of all accounts.
   */
  readonly idleRoundMs: number;
  /** Milliseconds of one whole comparison of all accounts, in all its pages together. */
  readonly fullPassMs: number;
  readonly heapGrowthMegabytes: number;
}

const ENTRIES = 10_000;
const MEGABYTE = 1_048_576;
const [databaseText = '{}', count = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;
const accounts = Number(count);

const client = new pg.Client({
  ...clientOptions(connection, 'bench reconciliation'),
  statement_timeout: 0,
});
await client.connect();
await fill();
const beforeMs = await timed(runEarlierStatements);
const database = databaseOver(openDatabase({ connection, log: () => undefined }));
const halting = {
  halt: (asset: string) => Promise.reject(new Error(`${asset} does not add up`)),
  haltAll: () => Promise.reject(new Error('the chain is broken')),
};
const parts = { store: database.store, halting, holds: HOLDS, clock: systemClock, log: benchLog };
const heapBefore = process.memoryUsage().heapUsed;
const reconciliation = new Reconciliation({ ...parts, fullPassMs: 0 });
const roundMs = await timed(() => reconciliation.reconcile());
const idleRoundMs = await timed(() => reconciliation.reconcile());
const fullPass = new Reconciliation({ ...parts, fullPassMs: Number.MAX_SAFE_INTEGER });
const fullPassMs = await timed(() => fullPass.reconcile());
const heapGrowthMegabytes = Math.round((process.memoryUsage().heapUsed - heapBefore) / MEGABYTE);
const outcome: ReconciliationOutcome = {
  accounts,
  entries: ENTRIES,
  beforeMs,
  roundMs,
  idleRoundMs,
  fullPassMs,
  heapGrowthMegabytes,
};
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exit(0);

/**
 * Inserts five accounts per user, of which one is frozen for an open order, and the accounts of the outside world that
 * balance them.
 */
async function fill(): Promise<void> {
  await client.query(
    `insert into ledger_account (id, address, asset, owner, balance)
     select n, 'user:' || owner || case n % 5 when 4 then ':spot:frozen' else ':spot:available' end,
       (array['USDT', 'BTC', 'ETH', 'DOGE', 'USDT'])[n % 5 + 1], owner, 1000
     from (select n, ('00000000-0000-7000-8000-' || lpad(to_hex(n / 5), 12, '0'))::uuid as owner
       from generate_series(0, $1::int - 1) as n) as drawn`,
    [accounts],
  );
  await client.query(
    `insert into ledger_account (id, address, asset, owner, balance)
     select $1::int + row_number() over (), 'world:' || asset || ':bench', asset, null, -sum(balance)
     from ledger_account group by asset`,
    [accounts],
  );
  await client.query(
    `insert into spot_order (id, owner, symbol, side, type, time_in_force, post_only, self_trade, price, amount,
       filled_amount, filled_total, fee, held, held_asset, status, reason, maker_rate, taker_rate, client_id,
       rank, created_at, updated_at)
     select gen_random_uuid(), owner, 'btcusdt', 'buy', 'limit', 'GTC', false, 'cancelTaker', 1000, 1, 0, 0, 0, 1000,
       'USDT', 'open', '', 0.001, 0.001, 'order-' || id, id, 1790000000000, 1790000000000
     from ledger_account where address like '%:frozen'`,
  );
  await client.query(
    `insert into ledger_checkpoint_balance (account, balance) select id, balance from ledger_account`,
  );
  await insertEntries();
  for (const table of ['ledger_account', 'ledger_checkpoint_balance', 'spot_order', 'ledger_entry'])
    await client.query(`vacuum analyze ${table}`);
}

/**
 * Inserts ledger entries that each move 1 USDT from one user to another, and changes the balances
 * accordingly.
 */
async function insertEntries(): Promise<void> {
  let hash = '';
  const rows: unknown[][] = [[], [], [], []];
  for (let sequence = 1; sequence <= ENTRIES; sequence += 1) {
    const users = Math.floor(accounts / 5);
    const source = ((sequence * 7_919) % users) * 5;
    const destination = ((sequence * 104_729 + 1) % users) * 5;
    const posting = postingText(source, destination, '1');
    hash = chainedHash(hash, { sequence, at: sequence, kind: 'faucet.claimed', reference: null }, posting);
    for (const [index, value] of [sequence, source, destination, hash].entries()) rows[index]!.push(value);
  }
  await client.query(
    `insert into ledger_entry (sequence, at, kind, reference, sources, destinations, amounts, hash)
     select sequence, sequence, 'faucet.claimed', null, array[source], array[destination], array[1], decode(hash, 'hex')
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) as e(sequence, source, destination, hash)`,
    rows,
  );
  await client.query(
    `update ledger_account a set balance = balance + moved.total from (
       select account, sum(amount) as total from (
         select sources[1] as account, -1 as amount from ledger_entry
         union all select destinations[1], 1 from ledger_entry
       ) as posting group by account
     ) as moved where moved.account = a.id`,
  );
}

/**
 * Runs the SQL statements of the reconciliation's earlier design, without verifying the hash chain.
 */
async function runEarlierStatements(): Promise<void> {
  for (const statement of [
    `select a.id from ledger_account a full join ledger_checkpoint_balance c on c.account = a.id
     where coalesce(a.balance, 0) <> coalesce(c.balance, 0) or a.id is null limit 100`,
    'select asset, sum(balance)::text as total from ledger_account group by asset having sum(balance) <> 0',
    `select asset, address, balance::text from ledger_account
     where balance < 0 and address not like 'world:%' limit 100`,
    `select owner, asset, sum(balance)::text as total from ledger_account
     where owner is not null and (address like '%:frozen' or address like '%:locked') and balance <> 0
     group by owner, asset`,
    `select owner, held_asset as asset, sum(held)::text as amount from spot_order where status = 'open'
     group by owner, held_asset`,
  ])
    await client.query(statement);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return Math.round(performance.now() - startMs);
}
