/**
 * Measures one side of the recovery benchmark in its own process, or fills its database. The arguments are
 * `fill` or the side (`copy`, `recover` or `follow`), the database as JSON and the number of orders. The last
 * line of the output is JSON.
 */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { createAssets } from '../../apps/server/src/modules/assets/index.ts';
import { Ledger } from '../../apps/server/src/modules/ledger/index.ts';
import { PriceTimeBook } from '../../apps/server/src/modules/matching/index.ts';
import { SpotExchange } from '../../apps/server/src/modules/spot/exchange.ts';
import { FollowedExchange } from '../../apps/server/src/modules/spot/following.ts';
import { loadExchange } from '../../apps/server/src/modules/spot/loading.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { clientOptions, openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { benchLog } from '../orders/exchange.ts';

export interface RecoveryOutcome {
  readonly ms: number;
  readonly megabytes: number;
}

const [side, databaseText = '{}', count = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;
const MEGABYTE = 1_048_576;

switch (side) {
  case 'fill':
    print(await fill(Number(count)));
    break;
  case 'copy':
    print(await copyOut());
    break;
  case 'recover':
    print(await recover(Number(count)));
    break;
  case 'follow':
    print(await follow(Number(count)));
    break;
  default:
    throw new Error(`no side called ${side}`);
}
process.exit(0);

/**
 * Inserts open limit orders of 10,000 owners. The orders do not match each other, and every tenth one is on another
 * pair.
 */
async function fill(orders: number): Promise<RecoveryOutcome> {
  const client = await connectClient();
  const startMs = performance.now();
  await client.query(
    `insert into spot_order (id, owner, symbol, side, type, time_in_force, post_only, self_trade, price, amount,
       filled_amount, filled_total, fee, held, held_asset, status, reason, maker_rate, taker_rate, client_id,
       rank, created_at, updated_at)
     select gen_random_uuid(), ('00000000-0000-7000-8000-' || lpad(to_hex(n % 10000), 12, '0'))::uuid,
       case when n % 10 = 0 then 'ethusdt' else 'btcusdt' end, case when n % 2 = 0 then 'buy' else 'sell' end,
       'limit', 'GTC', false, 'cancelTaker', price, 0.01, 0, 0, 0,
       case when n % 2 = 0 then price * 0.01 else 0.01 end,
       case when n % 2 = 0 then 'USDT' when n % 10 = 0 then 'ETH' else 'BTC' end, 'open', '', 0.001, 0.001,
       'order-' || n, n, 1790000000000 + n, 1790000000000 + n
     from (select n, (case when n % 2 = 0 then 3000 - (n / 2 % 20000) * 0.01 else 3001 + (n / 2 % 20000) * 0.01
       end)::numeric as price from generate_series(1, $1::int) as n) as drawn`,
    [orders],
  );
  await client.query('vacuum analyze spot_order');
  await client.end();
  return { ms: performance.now() - startMs, megabytes: 0 };
}

/**
 * Measures how long it takes to read the rows of all orders with COPY, the fastest way to read them, and to
 * discard them.
 */
async function copyOut(): Promise<RecoveryOutcome> {
  const client = await connectClient();
  const startMs = performance.now();
  let bytes = 0;
  for await (const chunk of client.query(copyTo('copy spot_order to stdout')) as AsyncIterable<Buffer>)
    bytes += chunk.length;
  const ms = performance.now() - startMs;
  await client.end();
  return { ms, megabytes: bytes / MEGABYTE };
}

async function recover(orders: number): Promise<RecoveryOutcome> {
  const database = databaseOver(openDatabase({ connection, log: () => undefined }));
  const ledger = new Ledger({ reader: database.reader, log: benchLog });
  const exchange = new SpotExchange(ledger);
  for (const { pair, filters } of createAssets({ mode: 'live' }).pairs)
    exchange.list(pair, filters, new PriceTimeBook());
  const startMs = performance.now();
  await loadExchange(exchange, database, ledger);
  const ms = performance.now() - startMs;
  const loaded = [...exchange.orders].length;
  if (loaded !== orders) throw new Error(`${loaded} of ${orders} orders came back`);
  return { ms, megabytes: process.memoryUsage().rss / MEGABYTE };
}

/**
 * Measures the takeover by a standby that has loaded the orders: an update without changes, and the comparison with the
 * database. Throws if the standby has not loaded all orders.
 */
async function follow(orders: number): Promise<RecoveryOutcome> {
  const database = databaseOver(openDatabase({ connection, log: () => undefined }));
  const ledger = new Ledger({ reader: database.reader, log: benchLog });
  const exchange = new SpotExchange(ledger);
  for (const { pair, filters } of createAssets({ mode: 'live' }).pairs)
    exchange.list(pair, filters, new PriceTimeBook());
  const followed = new FollowedExchange({ exchange, database, ledger });
  const { signal } = new AbortController();
  const inSnapshot = (work: 'load' | 'update' | 'confirm') =>
    database.copying((copy) => followed[work]({ copy, signal }));
  await inSnapshot('load');
  const startMs = performance.now();
  await inSnapshot('update');
  await inSnapshot('confirm');
  const ms = performance.now() - startMs;
  const loaded = [...exchange.orders].length;
  if (loaded !== orders) throw new Error(`${loaded} of ${orders} orders are followed`);
  return { ms, megabytes: process.memoryUsage().rss / MEGABYTE };
}

async function connectClient(): Promise<pg.Client> {
  const client = new pg.Client({ ...clientOptions(connection, 'bench recovery'), statement_timeout: 0 });
  await client.connect();
  return client;
}

function print(outcome: RecoveryOutcome): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
