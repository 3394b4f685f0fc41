import type { Config } from './config.ts';
import type { Clock } from './platform/clock.ts';
import type { DemoData } from './platform/demo-data.ts';
import type { OperatorGate } from './platform/console/gate.ts';
import type { Operation } from './platform/console/operation.ts';
import { createEdge, namesOf, type Addresses } from './platform/edge.ts';
import { Events } from './platform/events.ts';
import { FeedHub } from './platform/feed/hub.ts';
import { Health } from './platform/health/health.ts';
import type { AdmissionLimits } from './platform/http/admission.ts';
import type { DemandEnforcer } from './platform/http/demands.ts';
import type { Page } from './platform/http/page.ts';
import type { Route } from './platform/http/route.ts';
import type { Sessions } from './platform/http/sessions.ts';
import { LIMITS, Limits, type LimitTable } from './platform/limits/limits.ts';
import type { Log } from './platform/log.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import type { HashCost } from './platform/secrets/slow-hash.ts';
import type { Submissions } from './platform/sequencer/submission.ts';
import type { DatabaseServer } from './platform/start-database.ts';

/** What the process, or a test, hands in. */
export interface Foundation {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: DatabaseServer;
  /** Ends the process in order: something was found that it must not go on with. */
  readonly end: () => void;
  /** Other limits than the usual ones, for measurements. */
  readonly limits?: LimitTable;
  /** What the public port admits at once, where not the usual; for measurements and tests. */
  readonly admissionLimits?: AdmissionLimits;
  /** Fails calls whose answers differ from their description; for tests. */
  readonly checksAnswers?: boolean;
  /** What hashing a password costs, where not the usual; for tests. No setting leads here, and real operation refuses it. */
  readonly hashCost?: HashCost;
}

/** What every module may build on. */
export interface Platform extends Omit<Foundation, 'checksAnswers'> {
  readonly limits: LimitTable;
  readonly events: Events;
  readonly feed: FeedHub;
  readonly health: Health;
  readonly metrics: Metrics;
}

/** One module as the app runs it. */
export interface AppModule {
  readonly name: string;
  readonly routes?: readonly Route[];
  readonly pages?: readonly Page[];
  /** The demands of access rows that it sees to. */
  readonly demands?: readonly DemandEnforcer[];
  /** What it lets operators do. */
  readonly operations?: readonly Operation[];
  start?(): Promise<void> | void;
  /** Ends a start that is under way, where that may take any time. */
  abandon?(): Promise<void> | void;
  stop?(): Promise<void> | void;
  /** Called before `stop` where memory cannot be trusted: from its return on, nothing that rests on it is stored. */
  failStop?(): void;
}

export interface DemoLogin {
  readonly role: string;
  readonly email: string;
  readonly password: string;
}

export interface Composition {
  readonly sessions: Sessions;
  /** Answers repetitions of calls that carry a key. */
  readonly submissions: Submissions;
  /** Lowest level first: started in this order, stopped in the reverse one. */
  readonly modules: readonly AppModule[];
  readonly demoLogins: readonly DemoLogin[];
  /** Who may use the operator's port; without one nobody may. */
  readonly gate?: OperatorGate;
  /** What the start message tells operators, once everything has started. */
  readonly operatorNotes?: () => readonly string[];
  /** What is made behind open ports; undefined where there is none. */
  readonly demoData?: DemoData;
  /** As links name them: `BTC_USDT`. */
  readonly listedPairs?: ReadonlySet<string>;
}

export interface App {
  readonly demoLogins: readonly DemoLogin[];
  /** What operators are told at the start. */
  readonly operatorNotes: () => readonly string[];
  /** Resolves when all demo data were tried, and gives the names of the parts that could not be made. Never rejects. */
  demoDataMade(): Promise<readonly string[]>;
  /** Opens the operator's port, starts the modules, takes calls when all have started, and then has demo data made. */
  listen(): Promise<Addresses>;
  /** Takes no more calls, answers those under way, stops the modules in reverse. The database stays. */
  stop(): Promise<void>;
  /** After a bug that nobody caught, also during a stop: what is not on its way to the database by now is never stored. */
  fail(): void;
}

/** The exchange on a running database: the platform, every module, both ports. */
export async function createApp(
  foundation: Foundation,
  compose: (platform: Platform) => Promise<Composition>,
): Promise<App> {
  const { config, clock, log } = foundation;
  if (config.mode === 'live' && foundation.hashCost !== undefined)
    throw new Error('Where money is real, passwords are hashed at the usual cost.');
  const metrics = new Metrics();
  metrics.measureProcess();
  const table = foundation.limits ?? LIMITS;
  const limits = new Limits(clock, table);
  const feed = new FeedHub({
    clock,
    log,
    metrics,
    charges: limits,
    ...namesOf(config),
    proxyHeader: config.proxyHeader,
    publicUrl: config.publicUrl,
  });
  const health = healthOf(foundation.database);
  const platform: Platform = { ...foundation, limits: table, metrics, feed, health, events: new Events(log) };
  const composition = await compose(platform);
  const {
    sessions,
    submissions,
    modules,
    demoLogins,
    demoData,
    listedPairs = new Set<string>(),
  } = composition;
  const edge = await createEdge({
    ...platform,
    sessions,
    submissions,
    limits,
    listedPairs,
    gate: composition.gate,
    checksAnswers: foundation.checksAnswers ?? false,
    demands: modules.flatMap((module) => module.demands ?? []),
    routes: modules.flatMap((module) => module.routes ?? []),
    pages: modules.flatMap((module) => module.pages ?? []),
    operations: modules.flatMap((module) => module.operations ?? []),
  });
  const started: AppModule[] = [];
  let starting: AppModule | undefined;
  const stop = async () => {
    await Promise.all([edge.stop(), demoData?.stop()]);
    await starting?.abandon?.();
    for (const module of started.splice(0).toReversed()) await stopped(module, log);
  };
  return {
    demoLogins,
    operatorNotes: composition.operatorNotes ?? (() => []),
    listen: async () => {
      // A standby may wait for weeks in the start of its writer, and has to be looked after meanwhile.
      const address = await edge.listenToOperators();
      log.info('app.operators_port_open', { console: address });
      for (starting of modules) {
        await starting.start?.();
        started.push(starting);
      }
      starting = undefined;
      const app = await edge.listenToAll();
      demoData?.start();
      return { app, console: address };
    },
    demoDataMade: async () => (await demoData?.whenMade()) ?? [],
    stop,
    fail: () => {
      for (const module of modules) module.failStop?.();
    },
  };
}

/** Health that watches the database, and the copy where there is one. */
function healthOf(database: DatabaseServer): Health {
  const health = new Health();
  health.watch('database', () => database.health());
  const { replicaHealth } = database;
  if (replicaHealth !== undefined) health.watchDispensable('replica', replicaHealth);
  return health;
}

async function stopped(module: AppModule, log: Log): Promise<void> {
  try {
    await module.stop?.();
  } catch (cause) {
    // One module that cannot stop must not keep the others, and the database, from stopping.
    log.error('app.module_not_stopped', { module: module.name, cause });
  }
}
