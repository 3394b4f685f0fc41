import { mkdtempSync, rmSync } from 'node:fs';
import type { Pool } from 'pg';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant } from '@exchange/core/time.ts';
import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { createApp, type App, type Composition } from '../src/app.ts';
import { composeModules, type Doors } from '../src/compose.ts';
import { readConfig, type Config } from '../src/config.ts';
import { createAssets } from '../src/modules/assets/index.ts';
import { AUDIT_CHECKS, HOLDS } from '../src/money.ts';
import { audit, type AuditReport } from '../src/modules/ledger/index.ts';
import type { Clock } from '../src/platform/clock.ts';
import type { Operation } from '../src/platform/console/operation.ts';
import { openDatabase } from '../src/platform/database/pool.ts';
import { NO_ADMISSION_LIMITS, type AdmissionLimits } from '../src/platform/http/admission.ts';
import type { HttpServerOptions } from '../src/platform/http/server.ts';
import { NO_LIMITS, type LimitTable } from '../src/platform/limits/limits.ts';
import type { Addresses } from '../src/platform/edge.ts';
import type { DatabaseServer } from '../src/platform/start-database.ts';
import { callOver, type Answered, type CallOptions, type Sent } from './calling.ts';
import { asRuntime, testDatabase, type TestDatabase } from './database.ts';
import { FixedPrices } from './fixed-prices.ts';
import { INDEX_PROGRAM } from './index-program.ts';
import { QUICK_HASH } from './quick-hash.ts';
import { registerAt, type Registered } from './register.ts';
import { keptLog, type KeptLog } from './silent-log.ts';

const rootDirectory = fileURLToPath(new URL('../../..', import.meta.url));
const PRICE_TIMEOUT_MS = 5_000;

/** What a test may set of an exchange of its own. */
export interface ExchangeOptions {
  /** Nobody is limited unless a test is about limits. */
  readonly limits?: LimitTable;
  /** Everybody is admitted at once unless a test is about that. */
  readonly admissionLimits?: AdmissionLimits;
  /** What it takes for a copy of its database; without it there is none. */
  readonly replica?: Pool;
  /** Beside those that every test has. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether its prices come from the venues of its settings, instead of standing where `setPrice` puts them. */
  readonly asksVenues?: boolean;
  /** Whether a thread of its own makes the index of those venues, as in `npm start`; it runs by the machine's clock. */
  readonly hasIndexThread?: boolean;
}

/** Amounts by coin, e.g. `{ USDT: '1000' }`. */
export type Funds = Readonly<Record<string, string>>;

/** The machine's time, and what a test has added to it. */
class ShiftedClock implements Clock {
  private shiftMs = 0;
  private setMs = 0;
  private stood: { readonly now: number; readonly monotonicMs: number } | undefined;
  now = () => instant((this.stood?.now ?? Date.now()) + this.shiftMs + this.setMs);
  /** Begins a day above zero, so that a test may also begin earlier. */
  monotonicMs = () => (this.stood?.monotonicMs ?? performance.now()) + DAY_MS + this.shiftMs;

  /** Lets time go by. */
  shift(ms: number): void {
    this.shiftMs += ms;
  }

  /** From here on only `shift` and `set` move time, however long the machine takes; gives the way on. */
  stand(): () => void {
    this.stood = { now: Date.now(), monotonicMs: performance.now() };
    return () => (this.stood = undefined);
  }

  /** Sets the machine's clock forward or back, as an administrator or a time service would: no time goes by. */
  set(ms: number): void {
    this.setMs += ms;
  }
}

/** A registered, signed-in user of a test. */
export class TestTrader {
  readonly id: UserId;
  readonly email: string;
  readonly token: string;
  private readonly exchange: TestExchange;

  constructor(exchange: TestExchange, { id, email, token }: Registered) {
    this.exchange = exchange;
    this.id = id;
    this.email = email;
    this.token = token;
  }

  /** Where it is signed in. */
  get url(): string {
    return this.exchange.url;
  }

  /** Makes a call and gives the whole answer, whatever it is. */
  call<E extends Endpoint>(
    endpoint: E,
    fields: Sent<E> = {},
    options: CallOptions = {},
  ): Promise<Answered<DataOf<E>>> {
    return this.exchange.call(endpoint, fields, { token: this.token, ...options });
  }

  /** Makes a call that has to succeed and gives its data. */
  async ask<E extends Endpoint>(endpoint: E, fields: Sent<E> = {}): Promise<DataOf<E>> {
    const answer = await this.call(endpoint, fields);
    if (answer.code !== 1) throw new Error(`${endpoint.path} was refused: ${answer.text}`);
    return answer.data;
  }
}

/**
 * The whole exchange on a database and ports of its own: every module and the real edge. The market stands
 * still where `setPrice` puts it and nobody trades but the test's users.
 */
export class TestExchange {
  readonly clock = new ShiftedClock();
  readonly log: KeptLog = keptLog();
  readonly prices: FixedPrices;
  readonly database: TestDatabase;
  readonly dataDirectory = mkdtempSync(join(tmpdir(), 'amethyst-exchange-'));
  private readonly options: ExchangeOptions;
  /** What the platform was given, for tests that put calls of their own behind another edge. */
  private composition: Composition | undefined;
  private running: { app: App; addresses: Addresses; doors: Doors; database: DatabaseServer } | undefined;

  constructor(database: TestDatabase, options: ExchangeOptions) {
    this.database = database;
    this.options = options;
    this.prices = new FixedPrices(this.clock, createAssets({ mode: 'demo' }).pairs);
  }

  async start(): Promise<void> {
    const database = this.databaseServer();
    const config = this.config();
    const foundation = {
      config,
      clock: this.clock,
      log: this.log,
      database,
      end: () => this.log.error('test.ended'),
      limits: this.options.limits ?? NO_LIMITS,
      admissionLimits: this.options.admissionLimits ?? NO_ADMISSION_LIMITS,
      checksAnswers: true,
      ...(config.mode === 'demo' && { hashCost: QUICK_HASH }),
    };
    let doors: Doors | undefined;
    const app = await createApp(foundation, async (platform) => {
      const { asksVenues = false, hasIndexThread = false } = this.options;
      const own = hasIndexThread ? { indexProgram: INDEX_PROGRAM } : {};
      const composition = await composeModules(platform, asksVenues ? own : { venues: this.prices.venues });
      ({ doors } = composition);
      this.composition = composition;
      return composition;
    });
    const addresses = await app.listen();
    await app.demoDataMade();
    this.running = { app, addresses, doors: doors!, database };
    if (this.options.asksVenues !== true) await this.indexed();
  }

  get url(): string {
    return this.open.addresses.app;
  }

  /** Of the operator's port. */
  get consoleUrl(): string {
    return this.open.addresses.console;
  }

  /** Everything that operators may do, as its modules wrote it. */
  get operations(): readonly Operation[] {
    return this.composition!.modules.flatMap(({ operations }) => operations ?? []);
  }

  /** The running exchange's sessions, submissions and demands, for an edge with calls of a test. */
  get edgeParts(): Pick<HttpServerOptions, 'sessions' | 'submissions' | 'demands'> {
    const { sessions, submissions, modules } = this.composition!;
    return { sessions, submissions, demands: modules.flatMap(({ demands }) => demands ?? []) };
  }

  get doors(): Doors {
    return this.open.doors;
  }

  call<E extends Endpoint>(
    endpoint: E,
    fields: Sent<E> = {},
    options: CallOptions = {},
  ): Promise<Answered<DataOf<E>>> {
    return callOver(this.url, endpoint, fields, options);
  }

  /** Registers a user as a browser would, with the code from the demo's mail page, and gives the funds. */
  async aUser(funds: Funds = {}): Promise<TestTrader> {
    const trader = new TestTrader(this, await registerAt(this.url));
    await this.fund(trader, funds);
    return trader;
  }

  /** Brings a user's balances up to these amounts; what lies above stays. */
  async fund({ id }: TestTrader, funds: Funds): Promise<void> {
    const portions = Object.entries(funds).map(([asset, amount]) => ({
      asset,
      amount: Decimal.parse(amount),
    }));
    if (portions.length > 0) await this.doors.faucet.fund(id, portions);
  }

  /** Moves the index and waits until it has arrived. */
  async setPrice(symbol: string, price: string): Promise<void> {
    this.prices.set(symbol, price);
    await this.indexed(symbol, price);
  }

  /** Lets time go by at once. */
  async pass(ms: number): Promise<void> {
    this.clock.shift(ms);
    this.prices.quote();
    await this.indexed();
  }

  /** Stops the app, in order, and starts another on the same database, after what is done `meanwhile`. */
  async restart(meanwhile?: () => Promise<unknown>): Promise<void> {
    await this.stop();
    await meanwhile?.();
    await this.start();
  }

  /** The audit of the whole ledger, and the problems of the books as further ones. */
  async audit(): Promise<AuditReport & { readonly books: readonly string[] }> {
    const { database, spot } = this.doors;
    return { ...(await audit(database.reader, HOLDS, AUDIT_CHECKS)), books: spot.validate() };
  }

  /** Ends everything. Throws when, after all that the tests did, the ledger or a book is not sound. */
  async close(): Promise<void> {
    try {
      // Where a restart failed the test says why, and nothing is left to audit with.
      if (this.running === undefined) return;
      const { problems, books } = await this.audit();
      if (problems.length + books.length > 0) throw new Error('not sound', { cause: { problems, books } });
    } finally {
      await this.stop();
      await this.database.drop();
      rmSync(this.dataDirectory, { recursive: true, force: true });
    }
  }

  private async stop(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    await running?.app.stop();
    await running?.database.stop();
  }

  private get open() {
    if (this.running === undefined) throw new Error('the exchange is not running');
    return this.running;
  }

  private async indexed(symbol = 'btcusdt', price?: string): Promise<void> {
    const wanted = price === undefined ? undefined : Decimal.parse(price);
    const deadline = performance.now() + PRICE_TIMEOUT_MS;
    for (;;) {
      const found = this.doors.market.indexPrice(symbol)?.price;
      if (found !== undefined && (wanted === undefined || found.compare(wanted) === 0)) return;
      if (performance.now() > deadline) throw new Error(`${symbol} has no index of ${price ?? 'any price'}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  private config(): Config {
    const environment = {
      PORT: '0',
      CONSOLE_PORT: '0',
      HOST: '127.0.0.1',
      TRUSTED_PROXY: 'x-real-ip',
      DATA_DIR: this.dataDirectory,
      HOUSE_TRADING: 'off',
      VISITOR_ANSWERS_MS: '0',
      ...this.options.settings,
    };
    const config = readConfig(environment, rootDirectory);
    if (!config.ok) throw new Error(config.refusal.join());
    const { value } = config;
    // The built pages are tested by the files that serve them and by the journeys; each start would read and hash them all.
    return value.mode === 'live' ? value : { ...value, rootDirectory: this.dataDirectory };
  }

  /** As the server is given it: by the role that owns nothing, and apart for reading. */
  private databaseServer(): DatabaseServer {
    const { connection: owner, pool: own } = this.database;
    const connection = asRuntime(owner);
    const size = Math.ceil((own.options.max ?? 1) / 2);
    const open = (isReadOnly: boolean) =>
      openDatabase({ connection, log: () => undefined, size, isReadOnly });
    const [pool, reader] = [open(false), open(true)];
    return {
      connection,
      owner,
      pool,
      reader,
      lanes: { requests: { pool, reader }, operators: { pool, reader } },
      replica: this.options.replica ?? reader,
      embedded: undefined,
      replicaHealth: undefined,
      bringUpToDate: () => Promise.resolve(),
      health: async () => {
        await pool.query('select 1');
        return { isUp: true, facts: {} };
      },
      stop: async () => {
        await Promise.all([pool.end(), reader.end()]);
      },
    };
  }
}

/** A running exchange over a fresh database; to be shared by the tests of a file and closed after them. */
export async function anExchange(options: ExchangeOptions = {}): Promise<TestExchange> {
  const exchange = new TestExchange(await testDatabase(), options);
  await exchange.start();
  return exchange;
}
