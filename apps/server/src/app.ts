import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import type { Config } from './config.ts';
import type { AppModule } from './platform/app-module.ts';
import type { Clock } from './platform/clock.ts';
import type { DemoData } from './platform/demo-data.ts';
import type { OperatorGate } from './platform/console/gate.ts';
import { CommandReceiver } from './platform/cluster/command-receiver.ts';
import { executedCommands } from './platform/cluster/executed-commands.ts';
import type { Link } from './platform/cluster/link.ts';
import { ClusterPublisher, type PublishedParts } from './platform/cluster/publisher.ts';
import { createEdge, drained, namesOf, type Addresses } from './platform/edge.ts';
import { Events } from './platform/events.ts';
import { FeedHub } from './platform/feed/hub.ts';
import type { TextProtocol } from './platform/feed/text-sockets.ts';
import { Health } from './platform/health/health.ts';
import type { AdmissionLimits } from './platform/http/admission.ts';
import type { ServedCall } from './platform/http/identified-call.ts';
import { servedCalls, type ServedCallsOptions } from './platform/http/served-calls.ts';
import type { Session } from './platform/http/route.ts';
import type { Sessions } from './platform/http/sessions.ts';
import { LIMITS, Limits, type LimitTable } from './platform/limits/limits.ts';
import type { Log } from './platform/log.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import type { HashCost } from './platform/secrets/slow-hash.ts';
import type { Submissions } from './platform/sequencer/submission.ts';
import type { DatabaseServer } from './platform/start-database.ts';
import { StartTimeline } from './platform/start-timeline.ts';

/**
 * The settings, clock, log and database with which the server is created, and replacements of defaults for
 * tests; the process or a test creates these objects.
 */
export interface Foundation {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: DatabaseServer;
  /**
   * Stops all parts of this process and exits with code 1, as after a failure; called when the process
   * must not continue, e.g. because another process has become the writer.
   */
  readonly end: () => void;
  /**
   * The connection of this process with the other processes of the exchange; undefined if this process serves
   * all clients itself.
   */
  readonly link?: Link | undefined;
  /** Replaces the default rate limits, for measurements and tests. */
  readonly limits?: LimitTable;
  /** Replaces the default admission limits of the public port, for measurements and tests. */
  readonly admissionLimits?: AdmissionLimits;
  /**
   * If true, a call fails if its successful answer violates the answer's schema; set in tests. By default answers are
   * not checked.
   */
  readonly checksAnswers?: boolean;
  /**
   * Replaces the cost of password hashing, so that tests hash faster. Undefined for the usual cost, which no
   * setting can change; live mode refuses any other.
   */
  readonly hashCost?: HashCost;
}

/**
 * The services of the server, such as clock, log, database and metrics, with which its modules are created.
 */
export interface Platform extends Omit<Foundation, 'checksAnswers'> {
  readonly limits: LimitTable;
  /** The counters of all rate limits of the public port. */
  readonly limitCounters: Limits;
  readonly events: Events;
  readonly feed: FeedHub;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Object that measures how long each part of the server's start takes. */
  readonly timeline: StartTimeline;
}

export interface DemoLogin {
  readonly role: string;
  readonly email: string;
  readonly password: string;
}

export interface Composition {
  readonly sessions: Sessions;
  /** Executes each request with an idempotency key once; a repetition with the same key gets the first answer. */
  readonly submissions: Submissions;
  /**
   * Parts of this process that serve API and feed nodes, in addition to the feed's topics and the execution of their
   * calls. If undefined, this process serves no nodes.
   */
  readonly published?: Pick<PublishedParts, 'epoch' | 'streams'> & {
    /** Called when an API node reports that it served a request of the session, to record the session's last use. */
    readonly sessionUsed: (session: Session) => void;
    /** Executes the requests of those WebSocket API clients that are connected to API nodes. */
    readonly sockets: TextProtocol;
  };
  /**
   * Modules of the server, lowest dependency first: started in this order and stopped in reverse.
   */
  readonly modules: readonly AppModule[];
  readonly demoLogins: readonly DemoLogin[];
  /** Authenticates the callers of the operators' port; if undefined, nobody may call the operators' operations. */
  readonly gate?: OperatorGate;
  /**
   * Returns the notes for operators in the message that the server prints at its start; callable after the
   * start. If the function is undefined, the message contains no notes.
   */
  readonly operatorNotes?: () => readonly string[];
  /** Creates demo data after the ports are open; undefined in live mode. */
  readonly demoData?: DemoData;
  /** Names of the listed pairs as in URLs, such as `BTC_USDT`; if undefined, no pair counts as listed. */
  readonly listedPairs?: ReadonlySet<string>;
}

export interface App {
  readonly demoLogins: readonly DemoLogin[];
  /** Returns the notes for operators in the message that the server prints at its start. */
  readonly operatorNotes: () => readonly string[];
  /**
   * Resolves when the creation of the demo data has ended or was stopped. The result contains the names of the parts of
   * the demo data that could not be created. Never rejects.
   */
  demoDataMade(): Promise<readonly string[]>;
  /**
   * Opens the operators' port, starts the modules, and then opens the public port. At the end it starts the creation of
   * the demo data, and does not wait for it.
   */
  listen(): Promise<Addresses>;
  /**
   * Announces the stop to proxies (`/health` then reports it), and resolves after the number of seconds in the setting
   * DRAIN_SECONDS. Meanwhile calls and open WebSocket connections are served, but new WebSocket connections are
   * refused. Resolves at once if the setting is 0, or if the public port is not open yet, e.g. on a standby.
   */
  drain(): Promise<void>;
  /**
   * Stops accepting calls, waits until accepted calls are answered, and stops the modules in reverse order. The
   * database keeps running.
   */
  stop(): Promise<void>;
  /**
   * Prevents further writes to the database after an uncaught error, also while the server stops; the caller then calls
   * `stop`. Changes whose writing has not begun are lost.
   */
  fail(): void;
}

/**
 * Creates the exchange on a running database: the platform, all modules, and the public and the operators' port. Throws
 * if `hashCost` is given in live mode.
 */
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
  const { link } = foundation;
  const publisher = link && new ClusterPublisher({ link, clock, log, metrics });
  const feed = new FeedHub({
    clock,
    log,
    metrics,
    charges: limits,
    relay: publisher,
    ...namesOf(config),
    proxyHeader: config.proxyHeader,
    publicUrl: config.publicUrl,
  });
  const health = healthOf(foundation.database);
  const timeline = new StartTimeline(clock);
  const platform: Platform = {
    ...foundation,
    limits: table,
    limitCounters: limits,
    metrics,
    feed,
    health,
    timeline,
    events: new Events(log),
  };
  const composition = await compose(platform);
  const { sessions, submissions, demoLogins, demoData, listedPairs = new Set<string>() } = composition;
  const served: ServedCallsOptions = {
    clock,
    log,
    metrics,
    limits,
    sessions,
    submissions,
    mode: config.mode,
    proxyHeader: config.proxyHeader,
    endpoints: ENDPOINTS,
    checksAnswers: foundation.checksAnswers ?? false,
    demands: composition.modules.flatMap((module) => module.demands ?? []),
    routes: composition.modules.flatMap((module) => module.routes ?? []),
  };
  const calls = servedCalls(served);
  const modules = [
    ...composition.modules,
    ...publisherModules(publisher, composition, feed),
    ...commandModules(link, composition, served, calls),
  ];
  let isStarted = false;
  const edge = await createEdge({
    ...platform,
    isStarted: () => isStarted,
    sessions,
    limits,
    calls,
    listedPairs,
    gate: composition.gate,
    pages: modules.flatMap((module) => module.pages ?? []),
    apis: modules.flatMap((module) => module.apis ?? []),
    sockets: modules.flatMap((module) => module.sockets ?? []),
    operations: modules.flatMap((module) => module.operations ?? []),
  });
  let isOpen = false;
  const started: AppModule[] = [];
  let starting: AppModule | undefined;
  const stop = async () => {
    await Promise.all([edge.stop(), demoData?.stop()]);
    await starting?.abandon?.();
    for (const module of started.splice(0).toReversed()) await stopModule(module, log);
  };
  return {
    demoLogins,
    operatorNotes: composition.operatorNotes ?? (() => []),
    listen: async () => {
      // The operators' port opens before the modules start: on a standby server the start of the writer module waits
      // until the active server ends, which can take weeks.
      const address = await edge.listenToOperators();
      log.info('app.operators_port_open', { console: address });
      for (const module of modules) {
        starting = module;
        await timeline.measured(module.name, () => module.start?.());
        started.push(module);
      }
      starting = undefined;
      isStarted = true;
      const app = await timeline.measured('port', () => edge.listenToAll());
      log.info('app.started', timeline.fields());
      isOpen = true;
      demoData?.start();
      return { app, console: address };
    },
    demoDataMade: async () => (await demoData?.whenMade()) ?? [],
    drain: async () => {
      if (isOpen) await drained(edge, { drainMs: config.drainMs, log });
    },
    stop,
    fail: () => {
      for (const module of modules) module.failStop?.();
    },
  };
}

/**
 * Returns a list with the module that publishes data to API and feed nodes from the end of the start, when
 * all state is loaded, until the beginning of the stop; the list is empty if this process serves no nodes.
 */
function publisherModules(
  publisher: ClusterPublisher | undefined,
  { sessions, published }: Composition,
  feed: FeedHub,
): AppModule[] {
  if (publisher === undefined || published === undefined) return [];
  const start = () =>
    publisher.start({
      sessions,
      epoch: published.epoch,
      streams: published.streams,
      snapshot: (topic, userId) => feed.snapshot(topic, userId),
      sharedUsers: () => feed.sharedUsers,
    });
  return [{ name: 'cluster', start, stop: () => publisher.stop() }];
}

/**
 * Returns a list with the module that executes the commands of API nodes from the end of the start until the
 * beginning of the stop; the list is empty if this process serves no nodes.
 */
function commandModules(
  link: Link | undefined,
  { modules, published }: Composition,
  served: ServedCallsOptions,
  calls: readonly ServedCall[],
): AppModule[] {
  if (link === undefined || published === undefined) return [];
  const { clock, log, metrics } = served;
  const receiver = new CommandReceiver({
    link,
    clock,
    log,
    metrics,
    serve: executedCommands({
      served,
      calls,
      apis: modules.flatMap(({ apis = [] }) => apis),
      pages: modules.flatMap(({ pages = [] }) => pages),
      sessionUsed: published.sessionUsed,
    }),
    sockets: published.sockets,
  });
  return [{ name: 'commands', start: () => receiver.start(published.epoch()), stop: () => receiver.stop() }];
}

/** Creates the health status, with checks of the database and, if there is one, of its replica. */
function healthOf(database: DatabaseServer): Health {
  const health = new Health();
  health.watch('database', () => database.health());
  const { replicaHealth } = database;
  if (replicaHealth !== undefined) health.watchDispensable('replica', replicaHealth);
  return health;
}

async function stopModule(module: AppModule, log: Log): Promise<void> {
  try {
    await module.stop?.();
  } catch (cause) {
    // A module that fails to stop must not prevent the other modules and the database from stopping.
    log.error('app.module_not_stopped', { module: module.name, cause });
  }
}
