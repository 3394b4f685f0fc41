/**
 * Measures how long users wait for the standby if the writer is killed or suspended, with 100,000 open orders. Also
 * measures the resources that the standby uses to follow an idle writer. Prints these figures with R3 of
 * bench/README.md, and writes `bench/results/takeover.json`. Run: npx tsx bench/takeover.ts
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientOptions } from '../apps/server/src/platform/database/pool.ts';
import { freePort } from '../apps/server/testing/free-port.ts';
import { untilAnswered } from './measuring/first-answer.ts';
import { watchMachine } from './measuring/machine.ts';
import { startPostgres, urlOf, type BenchDatabase } from './measuring/postgres.ts';
import { buildPrograms, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const ORDERS = Number(process.env['ORDERS'] ?? 100_000);
const OWNERS = 10_000;
const START_TIMEOUT_MS = 120_000;
/** Milliseconds from the time at which a standby is loaded to the loss of the writer. */
const SETTLE_MS = 3_000;
/**
 * Regular expression that matches the lines of the standby's log that contain the durations of a takeover's
 * parts. These lines are printed.
 */
const SHOWN = /"event":"(app\.started|sequencer\.standby_)/;

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  /** Resolves as soon as the server, as a standby, has loaded the writer's state. */
  readonly loaded: Promise<void>;
}

const disturbance = watchMachine();
const folder = await temporaryFolder();
const programs = await buildPrograms('takeover', { main: '../apps/server/src/main.ts' });
const postgres = await startPostgres(folder.path);
const gaps: Record<'killed' | 'suspended', number[]> = { killed: [], suspended: [] };
const children = new Set<ChildProcess>();
try {
  const database = await postgres.makeTemplate('takeover');
  await fill(database, ORDERS);
  let writer = await start(database, 0);
  await untilAnswered(writer.child, writer.port, START_TIMEOUT_MS);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const loss of ['killed', 'suspended'] as const) {
      const standby = await start(database, round);
      await standby.loaded;
      await sleep(SETTLE_MS);
      const lostMs = performance.now();
      writer.child.kill(loss === 'killed' ? 'SIGKILL' : 'SIGSTOP');
      await untilAnswered(standby.child, standby.port, START_TIMEOUT_MS);
      gaps[loss].push(performance.now() - lostMs);
      console.log(`${loss}: ${Math.round(gaps[loss].at(-1)!)} ms`);
      writer.child.kill('SIGKILL');
      writer = standby;
    }
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  await folder.remove();
}
report();

/** Starts a server on the database without waiting until it is ready. */
async function start(database: BenchDatabase, number: number): Promise<Server> {
  const port = await freePort();
  const environment = {
    ...process.env,
    PORT: String(port),
    CONSOLE_PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: join(folder.path, `server${number}${port}`),
    DATABASE_URL: urlOf(database),
    SERVER_SECRET: '5a'.repeat(32),
    HOUSE_TRADING: 'off',
    MODE: 'demo',
    LOG_LEVEL: 'info',
  };
  const child = spawn(process.execPath, [programs.main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  });
  children.add(child);
  child.on('exit', () => children.delete(child));
  const loaded = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (SHOWN.test(line)) console.log(line);
      if (line.includes('"event":"sequencer.standby_loaded"')) resolve();
    });
  });
  return { child, port, loaded };
}

/**
 * Inserts open limit orders that do not match each other, with every tenth order on another pair. Also inserts the
 * balances that are frozen for them, and for each owner one available unit of each coin.
 */
async function fill(database: BenchDatabase, orders: number): Promise<void> {
  const client = new pg.Client({ ...clientOptions(database, 'bench takeover'), statement_timeout: 0 });
  await client.connect();
  await client.query(
    `insert into spot_order (id, owner, symbol, side, type, time_in_force, post_only, self_trade, price, amount,
       filled_amount, filled_total, fee, held, held_asset, status, reason, maker_rate, taker_rate, client_id,
       rank, created_at, updated_at)
     select gen_random_uuid(), ('00000000-0000-7000-8000-' || lpad(to_hex(n % $2::int), 12, '0'))::uuid,
       case when n % 10 = 0 then 'ethusdt' else 'btcusdt' end, case when n % 2 = 0 then 'buy' else 'sell' end,
       'limit', 'GTC', false, 'cancelTaker', price, 0.01, 0, 0, 0,
       case when n % 2 = 0 then price * 0.01 else 0.01 end,
       case when n % 2 = 0 then 'USDT' when n % 10 = 0 then 'ETH' else 'BTC' end, 'open', '', 0.001, 0.001,
       'order-' || n, n, 1790000000000 + n, 1790000000000 + n
     from (select n, (case when n % 2 = 0 then 3000 - (n / 2 % 20000) * 0.01 else 3001 + (n / 2 % 20000) * 0.01
       end)::numeric as price from generate_series(1, $1::int) as n) as drawn`,
    [orders, OWNERS],
  );
  await client.query(
    `insert into ledger_account (id, address, asset, owner, balance)
     select row_number() over (), address, asset, owner, balance from (
       select 'user:' || owner || ':spot:frozen' as address, held_asset as asset, owner, sum(held) as balance
         from spot_order group by owner, held_asset
       union all
       select 'user:' || owner || ':spot:available', asset, owner, 1
         from (select distinct owner from spot_order) as owners, unnest(array['USDT', 'BTC', 'ETH']) as asset
     ) as accounts`,
  );
  await client.query(`update writer set sequence = $1 where id = 1`, [orders]);
  await client.query('vacuum analyze');
  await client.end();
}

function report(): void {
  const rows = Object.entries(gaps).map(([loss, values]) => ({
    writer: loss,
    seconds: round(median(values) / 1_000, 2),
    repeats: values.map((ms) => round(ms / 1_000, 2)).join(' '),
  }));
  console.table(rows);
  const secondsOf = (loss: keyof typeof gaps) => median(gaps[loss]) / 1_000;
  const ratios: Ratio[] = [
    {
      name: 'R3',
      what: 'gap when the writer is killed, seconds',
      value: secondsOf('killed'),
      floor: 1,
      better: 'lower',
    },
    {
      name: 'R3',
      what: 'gap when the writer is suspended, seconds',
      value: secondsOf('suspended'),
      floor: 8,
      better: 'lower',
    },
  ];
  printRatios(ratios);
  if (ORDERS === 100_000)
    void writeResults('takeover', { disturbance: disturbance(), rounds: ROUNDS, rows, ratios });
}
