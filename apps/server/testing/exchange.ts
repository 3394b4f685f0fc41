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
import { userRegistered } from '../src/modules/identity/index.ts';
import { audit, type AuditReport } from '../src/modules/ledger/index.ts';
import type { PushTransport } from '../src/platform/outgoing/push-transport.ts';
import type { Clock } from '../src/platform/clock.ts';
import type { Link } from '../src/platform/cluster/link.ts';
import { JOB_CONNECTIONS_MIN } from '../src/platform/jobs/jobs.ts';
import type { Events } from '../src/platform/events.ts';
import type { Operation } from '../src/platform/console/operation.ts';
import { openDatabase } from '../src/platform/database/pool.ts';
import { NO_ADMISSION_LIMITS, type AdmissionLimits } from '../src/platform/http/admission.ts';
import type { EdgeParts } from '../src/platform/http/serve-route.ts';
import { NO_LIMITS, type LimitTable } from '../src/platform/limits/limits.ts';
import type { Addresses } from '../src/platform/edge.ts';
import type { DatabaseServer } from '../src/platform/start-database.ts';
import { callOver, type ApiResponse, type CallOptions, type RequestFields } from './calling.ts';
import { CopiedUsers } from './copied-users.ts';
import { withRuntimeRole, testDatabase, type TestDatabase } from './database.ts';
import { FixedPrices } from './fixed-prices.ts';
import { INDEX_PROGRAM } from './index-program.ts';
import { QUICK_HASH } from './quick-hash.ts';
import { registerAt, type Registered } from './register.ts';
import { recordingLog, type RecordingLog } from './recording-log.ts';
import { runningTime } from './running-time.ts';

const rootDirectory = fileURLToPath(new URL('../../..', import.meta.url));
/** Timeout in milliseconds for a change of the index price. Only a failing test waits this long. */
const PRICE_TIMEOUT_MS = 60_000;
/**
 * Default number of connections of each of the two database pools. An exchange opens all of them at its start, and each
 * costs about 40 ms of processor time.
 */
const POOL_SIZE = 2;

/** Options of a test's exchange. */
export interface ExchangeOptions {
  /** Rate limits of requests; no limits by default. */
  readonly limits?: LimitTable;
  /** Limits of the number of connections and running requests; no limits by default. */
  readonly admissionLimits?: AdmissionLimits;
  /** Pool that serves as the read replica; by default there is no replica. */
  readonly replica?: Pool;
  /**
   * Connections of each of the two database pools; default 2. Requests that wait for locks concurrently need one each.
   */
  readonly poolSize?: number;
  /** Environment settings in addition to those of every test. */
  readonly settings?: Readonly<Record<string, string>>;
  /** True if the exchange reads prices from the configured venues. By default a test sets prices with `setPrice`. */
  readonly asksVenues?: boolean;
  /**
   * True if, together with `asksVenues`, a worker thread computes the index from the venues' prices, as in
   * `npm start`. The thread uses the system clock.
   */
  readonly hasIndexThread?: boolean;
  /**
   * True if the clock counts the time in which this process stalls. Tests that start other processes need this, because
   * those use the system clock. By default stalls are left out.
   */
  readonly hasSystemClock?: boolean;
  /** True if scheduled jobs run on their schedules. By default they run only when the test calls them. */
  readonly runsSchedule?: boolean;
  /** Replaces the transport that sends pushes over https to push services. */
  readonly pushTransport?: PushTransport;
  /**
   * Opens the message link to feed nodes. It is called at every start of the exchange; without it there are no feed
   * nodes.
   */
  readonly openLink?: () => Link;
}

/** Amounts by coin, e.g. `{ USDT: '1000' }`. */
export type Funds = Readonly<Record<string, string>>;

/**
 * The system time, plus the offset set by a test, by default minus the stalls of this process since the clock was
 * created, so that a stall of the machine makes no price stale and no position void.
 */
class ShiftedClock implements Clock {
  private readonly countsStalls: boolean;
  private readonly stalledBeforeMs = runningTime.stalledMs;
  private shiftMs = 0;
  private setMs = 0;
  private frozen: { readonly now: number; readonly monotonicMs: number } | undefined;
  now = () => instant((this.frozen?.now ?? this.systemMs()) + this.shiftMs + this.setMs);
  /**
   * Monotonic time in milliseconds; only a negative shift sets it back. It is ahead by one day, so that such
   * a shift does not make it negative.
   */
  monotonicMs = () => (this.frozen?.monotonicMs ?? this.processMs()) + DAY_MS + this.shiftMs;

  /** With `countsStalls` the clock also advances while this process stalls. Without it the clock leaves stalls out. */
  constructor(countsStalls: boolean) {
    this.countsStalls = countsStalls;
  }

  /** Advances the test clock by `ms` milliseconds; a negative number sets it back. */
  shift(ms: number): void {
    this.shiftMs += ms;
  }

  /** Stops the clock. Then only `shift` and `set` change its time. Returns a function that starts the clock again. */
  freeze(): () => void {
    this.frozen = { now: this.systemMs(), monotonicMs: this.processMs() };
    return () => (this.frozen = undefined);
  }

  /** Moves the system time by `ms`, like an administrator or a time service. The monotonic time does not change. */
  set(ms: number): void {
    this.setMs += ms;
  }

  private systemMs(): number {
    return Math.floor(Date.now() - this.omittedMs());
  }

  private processMs(): number {
    return performance.now() - this.omittedMs();
  }

  private omittedMs(): number {
    return this.countsStalls ? 0 : runningTime.stalledMs - this.stalledBeforeMs;
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

  /** URL of the server at which the user is signed in. */
  get url(): string {
    return this.exchange.url;
  }

  /** Calls an endpoint as this signed-in user and returns the response, successful or not. */
  call<E extends Endpoint>(
    endpoint: E,
    fields: RequestFields<E> = {},
    options: CallOptions = {},
  ): Promise<ApiResponse<DataOf<E>>> {
    return this.exchange.call(endpoint, fields, { token: this.token, ...options });
  }

  /**
   * Calls an endpoint as this signed-in user and returns the data of the answer. Throws if the request is
   * refused.
   */
  async request<E extends Endpoint>(endpoint: E, fields: RequestFields<E> = {}): Promise<DataOf<E>> {
    const answer = await this.call(endpoint, fields);
    if (answer.code !== 1) throw new Error(`${endpoint.path} was refused: ${answer.text}`);
    return answer.data;
  }
}

/** The parts of a started test exchange. */
interface Running {
  readonly app: App;
  readonly addresses: Addresses;
  readonly doors: Doors;
  readonly events: Events;
  readonly database: DatabaseServer;
  readonly link: Link | undefined;
}

/**
 * The complete exchange on its own database and ports: every module and the real HTTP server. By default market
 * prices change only by `setPrice`, and only the test's users trade.
 */
export class TestExchange {
  readonly clock: ShiftedClock;
  readonly log: RecordingLog = recordingLog();
  readonly prices: FixedPrices;
  readonly database: TestDatabase;
  readonly dataDirectory = mkdtempSync(join(tmpdir(), 'amethyst-exchange-'));
  private readonly options: ExchangeOptions;
  /**
   * The platform's composition, from which tests read the modules' operations and the parts for another HTTP
   * server; undefined before the start.
   */
  private composition: Composition | undefined;
  private running: Running | undefined;
  private copiedUsers: CopiedUsers | undefined;

  constructor(database: TestDatabase, options: ExchangeOptions) {
    this.database = database;
    this.options = options;
    this.clock = new ShiftedClock(options.hasSystemClock === true || options.hasIndexThread === true);
    this.prices = new FixedPrices(this.clock, createAssets({ mode: 'demo' }).pairs);
  }

  async start(): Promise<void> {
    const database = this.databaseServer();
    const config = this.config();
    const link = this.options.openLink?.();
    const foundation = {
      config,
      clock: this.clock,
      log: this.log,
      database,
      link,
      end: () => this.log.error('test.ended'),
      limits: this.options.limits ?? NO_LIMITS,
      admissionLimits: this.options.admissionLimits ?? NO_ADMISSION_LIMITS,
      checksAnswers: true,
      ...(config.mode === 'demo' && { hashCost: QUICK_HASH }),
    };
    let doors: Doors | undefined;
    let events: Events | undefined;
    const app = await createApp(foundation, async (platform) => {
      const { asksVenues = false, hasIndexThread = false, runsSchedule = false } = this.options;
      const composition = await composeModules(platform, {
        runsSchedule,
        jobConnections: JOB_CONNECTIONS_MIN,
        pushTransport: this.options.pushTransport,
        ...(asksVenues ? hasIndexThread && { indexProgram: INDEX_PROGRAM } : { venues: this.prices.venues }),
      });
      ({ doors } = composition);
      ({ events } = platform);
      this.composition = composition;
      return composition;
    });
    const addresses = await app.listen();
    await app.demoDataMade();
    this.running = { app, addresses, doors: doors!, events: events!, database, link };
    if (this.options.asksVenues !== true) await this.waitForIndex();
  }

  get url(): string {
    return this.open.addresses.app;
  }

  /** URL of the operators' port. */
  get consoleUrl(): string {
    return this.open.addresses.console;
  }

  /** The operations of all modules that operators call in the console. */
  get operations(): readonly Operation[] {
    return this.composition!.modules.flatMap(({ operations }) => operations ?? []);
  }

  /**
   * Sessions, submissions and access requirements of the running exchange, for another HTTP server
   * with routes of a test.
   */
  get edgeParts(): Pick<EdgeParts, 'sessions' | 'submissions' | 'demands'> {
    const { sessions, submissions, modules } = this.composition!;
    return { sessions, submissions, demands: modules.flatMap(({ demands }) => demands ?? []) };
  }

  get doors(): Doors {
    return this.open.doors;
  }

  call<E extends Endpoint>(
    endpoint: E,
    fields: RequestFields<E> = {},
    options: CallOptions = {},
  ): Promise<ApiResponse<DataOf<E>>> {
    return callOver(this.url, endpoint, fields, options);
  }

  /**
   * Adds a signed-in user with these funds. The first user registers over HTTP with the code from the demo's mail page;
   * later users are copies of the first user's database rows.
   */
  async aUser(funds: Funds = {}): Promise<TestTrader> {
    const trader = new TestTrader(this, await this.newUser());
    await this.fund(trader, funds);
    return trader;
  }

  private async newUser(): Promise<Registered> {
    const { copiedUsers } = this;
    if (copiedUsers === undefined) {
      const registered = await registerAt(this.url);
      this.copiedUsers = await CopiedUsers.like(registered, this.database.pool, this.clock);
      return registered;
    }
    const added = await copiedUsers.add();
    this.open.events.publish([
      { name: userRegistered.name, fact: { userId: added.id, at: this.clock.now() } },
    ]);
    return added;
  }

  /**
   * Raises a user's spot balances of coins to these amounts. Balances that are higher already, and other coins, do not
   * change.
   */
  async fund({ id }: TestTrader, funds: Funds): Promise<void> {
    const amounts = Object.entries(funds).map(([asset, amount]) => ({
      asset,
      amount: Decimal.parse(amount),
    }));
    if (amounts.length > 0) await this.doors.faucet.fund(id, amounts);
  }

  /** Sets the price of a pair at all test sources, and waits until the index has this price. */
  async setPrice(symbol: string, price: string): Promise<void> {
    this.prices.set(symbol, price);
    await this.waitForIndex(symbol, price);
  }

  /** Advances the exchange's clock by `ms` at once, and waits until BTC/USDT has an index price at the new time. */
  async advanceTime(ms: number): Promise<void> {
    this.clock.shift(ms);
    this.prices.quote();
    await this.waitForIndex();
  }

  /**
   * Stops the exchange with a normal shutdown, runs `meanwhile`, and starts the exchange again on the same database.
   */
  async restart(meanwhile?: () => Promise<unknown>): Promise<void> {
    await this.stop();
    await meanwhile?.();
    await this.start();
  }

  /**
   * Audits the whole ledger and the order books. Returns the report of the ledger's audit and, in `books`, a
   * text for each contradiction in the books.
   */
  async audit(): Promise<AuditReport & { readonly books: readonly string[] }> {
    const { database, spot } = this.doors;
    return { ...(await audit(database.reader, HOLDS, AUDIT_CHECKS)), books: spot.validate() };
  }

  /**
   * Audits the exchange, then stops it and drops its database. Throws if the ledger, the holds or an order
   * book are inconsistent.
   */
  async close(): Promise<void> {
    try {
      // After a failed start no exchange is running, so there is nothing to audit. The test has already failed with the
      // error of the start.
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
    await running?.link?.close();
    await running?.database.stop();
  }

  private get open() {
    if (this.running === undefined) throw new Error('the exchange is not running');
    return this.running;
  }

  private async waitForIndex(symbol = 'btcusdt', price?: string): Promise<void> {
    const expectedPrice = price === undefined ? undefined : Decimal.parse(price);
    const deadline = performance.now() + PRICE_TIMEOUT_MS;
    for (;;) {
      const indexPrice = this.doors.market.indexPrice(symbol)?.price;
      if (
        indexPrice !== undefined &&
        (expectedPrice === undefined || indexPrice.compare(expectedPrice) === 0)
      )
        return;
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
    // In demo mode the exchange serves no built pages, because it would read and hash all files at each start. Other
    // tests cover the pages.
    return value.mode === 'live' ? value : { ...value, rootDirectory: this.dataDirectory };
  }

  /**
   * Opens the database as the server connects to it: with the runtime role, which owns no tables, and with a
   * separate pool for reading.
   */
  private databaseServer(): DatabaseServer {
    const { connection: owner } = this.database;
    const { poolSize = POOL_SIZE } = this.options;
    const connection = withRuntimeRole(owner);
    const open = (isReadOnly: boolean) =>
      openDatabase({ connection, log: () => undefined, size: poolSize, isReadOnly });
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
      bringUpToDate: () => Promise.resolve(false),
      isSchemaCurrent: () => Promise.resolve(true),
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

/** Starts an exchange on a new database, usually for all tests of a file. The caller closes it. */
export async function anExchange(options: ExchangeOptions = {}): Promise<TestExchange> {
  const exchange = new TestExchange(await testDatabase(), options);
  await exchange.start();
  return exchange;
}
