/**
 * Runs one phase of the benchmark in its own process, on a database with or without a history. The arguments are
 * `prepare`, `fill` or `measure`, the database as JSON, and for `fill` the number of trades. The last line of the
 * output is JSON.
 */
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { fillsOf } from '../../apps/server/src/modules/spot/history-repository.ts';
import { pricesSince, tradedValue } from '../../apps/server/src/modules/spot/repository.ts';
import { firstRows } from '../../apps/server/src/platform/database/paged-rows.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { clientOptions, openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { median } from '../measuring/statistics.ts';
import { openExchange, type RunningExchange } from '../orders/exchange.ts';
import { prepareDatabase, userOf } from '../orders/fixtures.ts';
import { SYMBOL, TRADERS } from '../orders/workload.ts';

/** Results of the history benchmark. All are in milliseconds except `ordersPerSecond`. */
export interface HistoryFigures {
  readonly start: number;
  readonly ordersPerSecond: number;
  /**
   * Milliseconds to read the first page of a trader's fills and the count of the trader's fills. `page` is
   * for a typical trader, `busiestPage` for a trader who takes part in every fifth trade.
   */
  readonly page: number;
  readonly busiestPage: number;
  /**
   * Milliseconds to read the 30-day volume, which determines the fee tier. `volume` is read from the daily
   * sums. For comparison, `sum` adds up all trades.
   */
  readonly volume: number;
  readonly sum: number;
  /**
   * Milliseconds to read the prices that the trailing stops of an inactive pair need at the start of the
   * server.
   */
  readonly quietPair: number;
}

const [mode, databaseText = '{}', count = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;
const YEAR_MS = 365 * DAY_MS;
const OWNERS = 20_000;
/**
 * Sequence number after which the inserted trades begin. The prepared database already contains trades with smaller
 * numbers.
 */
const FIRST = 10_000;
const READS = 40;
const ROUNDS = 12;
const BUSIEST = userOf(0);

switch (mode) {
  case 'prepare':
    await prepareDatabase(connection);
    print({});
    break;
  case 'fill':
    print(await fill(Number(count)));
    break;
  case 'measure':
    print(await measure());
    break;
  default:
    throw new Error(`no mode called ${mode}`);
}
process.exit(0);

/**
 * Inserts a year of trades of 20,000 owners and of one owner who takes part in every fifth trade. Creates the indexes
 * afterwards, because that is faster.
 */
async function fill(trades: number): Promise<{ ms: number; megabytes: number }> {
  const startMs = performance.now();
  const client = new pg.Client({ ...clientOptions(connection, 'bench history'), statement_timeout: 0 });
  await client.connect();
  await client.query(`set maintenance_work_mem = '512MB'; set synchronous_commit = off`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'spot_trade'
     and indexname not in (select conname from pg_constraint)`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query('alter table spot_trade disable trigger user');
  const owner = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await client.query(
    `insert into spot_trade (id, sequence, symbol, price, amount, total, taker_side, taker, taker_order, taker_fee,
       maker, maker_order, maker_fee, value_usdt, at)
     select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, n + $2,
       case when n % 500000 = 0 then 'eosbtc' else $5 end, 60000, 0.001, 60, 'buy',
       case when n % 5 = 0 then $6::uuid else ${owner('1 + n % $7')} end,
       ('00000000-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, 0.000001, ${owner('1 + (n + 7) % $7')},
       ('00000000-0000-7000-b000-' || lpad(to_hex(n / 3), 12, '0'))::uuid, 0.06, 60,
       $3::bigint + (n * ($4::bigint / $1::int))
     from generate_series(1, $1::int) as n`,
    [trades, FIRST, Date.now() - YEAR_MS, YEAR_MS, SYMBOL, BUSIEST, OWNERS],
  );
  await client.query('alter table spot_trade enable trigger user');
  for (const { definition } of indexes) await client.query(definition);
  await client.query(
    `insert into spot_day_volume as known (owner, day, value)
     select owner, at / 86400000, sum(value_usdt) from (
       select taker as owner, at, value_usdt from spot_trade where sequence > $1
       union all select maker, at, value_usdt from spot_trade where sequence > $1
     ) as traded group by 1, 2
     on conflict (owner, day) do update set value = known.value + excluded.value`,
    [FIRST],
  );
  // All inserted trades are marked as already included in the candles.
  await client.query('update market_progress set deal_sequence = $1', [trades + FIRST]);
  await client.query('vacuum analyze spot_trade, spot_day_volume');
  await client.query('checkpoint');
  const { rows } = await client.query<{ bytes: string }>(
    `select (pg_total_relation_size('spot_trade') + pg_total_relation_size('spot_day_volume'))::text as bytes`,
  );
  await client.end();
  return { ms: performance.now() - startMs, megabytes: Math.round(Number(rows[0]!.bytes) / 1e6) };
}

async function measure(): Promise<HistoryFigures> {
  const startMs = performance.now();
  const exchange = await openExchange(connection);
  const start = performance.now() - startMs;
  // The server's first order of each trader also reads the trader's fee tier from the database. The measured rate of
  // orders includes this work.
  const ordersPerSecond = await orders(exchange);
  await exchange.stop();
  const pool = openDatabase({ connection, log: () => undefined });
  const { reader } = databaseOver(pool);
  const since = Date.now() - 30 * DAY_MS;
  const rows = firstRows(20);
  const figures = {
    start,
    ordersPerSecond,
    page: await timed((read) => fillsOf(reader, typicalTrader(read), {}, rows)),
    busiestPage: await timed(() => fillsOf(reader, BUSIEST, {}, rows)),
    volume: await timed(() => tradedValue(reader, [BUSIEST], since)),
    sum: await timed(() =>
      sql`select sum(value_usdt) from (
        select value_usdt from spot_trade where taker = ${BUSIEST} and at >= ${since}
        union all select value_usdt from spot_trade where maker = ${BUSIEST} and at >= ${since}
      ) traded`.execute(reader),
    ),
    quietPair: await timed(() => pricesSince(reader, 'eosbtc', 1)),
  };
  await pool.end();
  return figures;
}

/**
 * Lets all traders repeatedly place an order far from the market and cancel it. Returns orders and
 * cancels per second.
 */
async function orders({ spot }: RunningExchange): Promise<number> {
  const startMs = performance.now();
  const price = Decimal.parse('59000');
  const terms = {
    symbol: SYMBOL,
    type: 'limit',
    total: undefined,
    price,
    amount: Decimal.parse('0.001'),
  } as const;
  await Promise.all(
    Array.from({ length: TRADERS }, async (_, trader) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await spot.place(userOf(trader), { ...terms, side: 'buy' });
        await spot.cancel(userOf(trader), id as Parameters<typeof spot.cancel>[1]);
      }
    }),
  );
  return (2 * ROUNDS * TRADERS * 1_000) / (performance.now() - startMs);
}

function typicalTrader(read: number): UserId {
  return userOf(1 + (read % (TRADERS - 1)));
}

async function timed(read: (index: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < READS; index += 1) {
    const startMs = performance.now();
    await read(index);
    times.push(performance.now() - startMs);
  }
  return median(times);
}

function print(outcome: object): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
