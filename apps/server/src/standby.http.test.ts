import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withRuntimeRole, testDatabase, urlOf, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { FixedPrices } from '../testing/fixed-prices.ts';
import { recordingLog, type RecordingLog } from '../testing/recording-log.ts';
import { createApp, type App } from './app.ts';
import { composeModules } from './compose.ts';
import { readConfig } from './config.ts';
import { createAssets } from './modules/assets/index.ts';
import { systemClock } from './platform/clock.ts';
import { clientOptions } from './platform/database/pool.ts';
import { ownsItsTables } from './platform/database/rights.ts';
import { startDatabase, type DatabaseServer } from './platform/start-database.ts';

const rootDirectory = fileURLToPath(new URL('../../..', import.meta.url));
const SECRET = '5a'.repeat(32);

interface Health {
  readonly status: string;
  readonly components: Readonly<Record<string, { isUp: boolean; reason?: string }>>;
}

/** SQL that inserts open buy orders and the frozen balances that pay for them. */
const OPEN_ORDERS = `
  with placed as (
    insert into spot_order (id, owner, symbol, side, type, time_in_force, post_only, self_trade, price, amount,
      filled_amount, filled_total, fee, held, held_asset, status, reason, maker_rate, taker_rate, client_id, rank,
      created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), 'btcusdt', 'buy', 'limit', 'GTC', false, 'cancelTaker', 100 + n, 1,
      0, 0, 0, 100 + n, 'USDT', 'open', '', 0.001, 0.001, 'followed-' || n, n, 0, 0
    from generate_series(1, $1::int) as n returning owner, held
  )
  insert into ledger_account (id, address, asset, owner, balance)
  select 1000000 + row_number() over (), 'user:' || owner || ':spot:frozen', 'USDT',
    owner, held
  from placed`;

/**
 * A test machine: a server with its own folder and ports, on a database that it shares with others.
 */
class Machine {
  readonly log: RecordingLog = recordingLog();
  readonly dataDirectory = mkdtempSync(join(tmpdir(), 'amethyst-machine-'));
  /** Resolves when the server's public port is open. Rejects when its start fails, or when it is stopped before. */
  listening: Promise<unknown> = Promise.resolve();
  private database: DatabaseServer | undefined;
  private app: App | undefined;

  /** Starts the server. Resolves when the operators' port is open, which a standby opens before it takes over. */
  async begin(own: TestDatabase, secret?: string): Promise<void> {
    const environment = {
      PORT: '0',
      CONSOLE_PORT: '0',
      HOST: '127.0.0.1',
      HOUSE_TRADING: 'off',
      DATA_DIR: this.dataDirectory,
      DATABASE_URL: urlOf(withRuntimeRole(own.connection)),
      DATABASE_OWNER_URL: urlOf(own.connection),
      SERVER_SECRET: secret,
    };
    const config = readConfig(environment, rootDirectory);
    if (!config.ok) throw new Error(config.refusal.join());
    const database = await startDatabase({ ...config.value, log: () => undefined });
    this.database = database;
    const prices = new FixedPrices(systemClock, createAssets({ mode: 'demo' }).pairs);
    const foundation = {
      config: config.value,
      clock: systemClock,
      log: this.log,
      database,
      end: () => undefined,
    };
    this.app = await createApp(foundation, (platform) => composeModules(platform, { venues: prices.venues }));
    this.listening = this.app.listen();
    // Stopping a standby rejects `listening`, because its start never completes.
    this.listening.catch(() => undefined);
    while (this.consoleUrl === undefined) await sleep(5);
  }

  get consoleUrl(): string | undefined {
    const opened = this.log.lines.find(({ event }) => event === 'app.operators_port_open');
    return opened?.fields['console'] as string | undefined;
  }

  async health(): Promise<Health & { code: number }> {
    const answer = await fetch(`${this.consoleUrl}/health`);
    return { ...((await answer.json()) as Health), code: answer.status };
  }

  async end(): Promise<void> {
    await this.app?.stop();
    await this.database?.stop();
    rmSync(this.dataDirectory, { recursive: true, force: true });
  }
}

describe('a second machine', () => {
  let own: TestDatabase;
  let machines: Machine[];
  beforeEach(() => {
    machines = [];
  });
  afterEach(async () => {
    for (const machine of machines) await machine.end();
    await own.drop();
  });

  const aMachine = (): Machine => {
    const machine = new Machine();
    machines.push(machine);
    return machine;
  };

  it('DB-070 DB-071 a standby changes nothing, says so on the operator’s port, and takes over', async () => {
    own = await testDatabase({ withSchema: false });
    const writer = new pg.Client(clientOptions(own.connection, 'another writer'));
    // If the test fails, this connection may end with an error, which must not hide the failure.
    writer.on('error', () => undefined);
    await writer.connect();
    await writer.query('select pg_advisory_lock(7301441882)');
    const standby = aMachine();
    await standby.begin(own, SECRET);
    await eventually(async () => expect((await standby.health()).status).toBe('standby'));
    const { code, components } = await standby.health();
    expect(code).toBe(503);
    expect(components['sequencer']).toMatchObject({ isUp: false, reason: 'another server is the writer' });
    expect(components['database']?.isUp).toBe(true);
    expect((await fetch(`${standby.consoleUrl}/metrics`)).status).toBe(200);
    const made = `select relname from pg_class where relkind in ('r', 'S')
      and relnamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))`;
    expect((await own.pool.query(made)).rows).toEqual([]);

    await writer.end();
    await standby.listening;
    expect((await standby.health()).status).toBe('up');
    expect((await own.pool.query(made)).rows.length).toBeGreaterThan(20);
    expect(await ownsItsTables(withRuntimeRole(own.connection))).toBe(false);
  });

  it('CLU-088 CLU-095 a standby follows the open orders, says how far it is, and takes over with them', async () => {
    own = await testDatabase({ withSchema: false });
    const first = aMachine();
    await first.begin(own, SECRET);
    await first.listening;
    await own.pool.query(OPEN_ORDERS, [4]);
    const second = aMachine();
    await second.begin(own, SECRET);
    await eventually(async () =>
      expect((await second.health()).components['sequencer']).toMatchObject({
        reason: 'another server is the writer',
        facts: { takeover: 'warm', stepsBehind: 0 },
      }),
    );
    await own.pool.query(
      `update spot_order set status = 'cancelled', reason = 'user', held = 0 where client_id = 'followed-2'`,
    );
    await own.pool.query(`update spot_order set filled_amount = 0.4 where client_id = 'followed-4'`);
    machines.splice(machines.indexOf(first), 1);
    await first.end();
    const { app } = (await second.listening) as { app: string };
    const events = second.log.lines.map(({ event }) => event);
    expect(events).toContain('sequencer.standby_warm');
    expect(events).not.toContain('sequencer.standby_cold');
    expect(events).not.toContain('sequencer.standby_differs');
    const depth = await fetch(`${app}/api/v3/depth?symbol=BTCUSDT&limit=10`);
    const { bids } = (await depth.json()) as { bids: string[][] };
    expect(bids.map((level) => level.map(Number))).toEqual([
      [104, 0.6],
      [103, 1],
      [101, 1],
    ]);
  });

  it('DB-071 a standby that is told to end gives up waiting and leaves nothing', async () => {
    own = await testDatabase();
    const writer = new pg.Client(clientOptions(own.connection, 'another writer'));
    // If the test fails, this connection may end with an error, which must not hide the failure.
    writer.on('error', () => undefined);
    await writer.connect();
    await writer.query('select pg_advisory_lock(7301441882)');
    const standby = aMachine();
    await standby.begin(own, SECRET);
    await eventually(async () => expect((await standby.health()).status).toBe('standby'));
    await standby.end();
    machines.pop();
    await expect(standby.listening).rejects.toThrow('closed');
    const left = `select application_name from pg_stat_activity
      where datname = current_database() and application_name like 'exchange%'`;
    await eventually(async () => expect((await own.pool.query(left)).rows).toEqual([]));
    expect((await own.pool.query('select from user_account')).rowCount).toBe(0);
    await writer.end();
  });

  it('ID-100 ID-101 another secret than the one a database was opened with is refused at the start', async () => {
    own = await testDatabase();
    const first = aMachine();
    await first.begin(own, SECRET);
    await first.listening;
    expect(await readdir(first.dataDirectory)).not.toContain('secret.key');
    const stored = await own.pool.query<{ value: string }>('select value from database_setting');
    expect(stored.rows.map(({ value }) => value).join()).not.toContain(SECRET);

    const wrong = aMachine();
    await expect(wrong.begin(own, 'b7'.repeat(32))).rejects.toThrow(/opened with another server secret/);
    const without = aMachine();
    await expect(without.begin(own)).rejects.toThrow(/set SERVER_SECRET to it, or put its secret.key into/);
    expect(await readdir(without.dataDirectory)).not.toContain('secret.key');
    const right = aMachine();
    await right.begin(own, SECRET);
    await eventually(async () => expect((await right.health()).status).toBe('standby'));
  });
});
