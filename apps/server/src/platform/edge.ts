import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Clock } from './clock.ts';
import type { Operation } from './console/operation.ts';
import type { OperatorGate } from './console/gate.ts';
import { createConsoleServer } from './console/server.ts';
import type { FeedHub } from './feed/hub.ts';
import { Upgrades, type SocketService } from './feed/upgrades.ts';
import type { Health } from './health/health.ts';
import type { AdmissionLimits } from './http/admission.ts';
import { ownNames } from './http/own-names.ts';
import type { MountedApi } from './http/mounted-api.ts';
import type { Page } from './http/page.ts';
import type { ServedCall } from './http/identified-call.ts';
import { createHttpServer } from './http/server.ts';
import { SharedAnswer } from './shared-answer.ts';
import type { Sessions } from './http/sessions.ts';
import type { Limits } from './limits/limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { registerSites } from './static/sites.ts';
import type { SiteDirectories } from './static/stored-builds.ts';

export interface EdgeOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly limits: Limits;
  /** Serves the live feed over WebSockets; undefined if other processes serve the feed. */
  readonly feed: FeedHub | undefined;
  readonly sessions: Sessions;
  /** The endpoints that the server offers in its mode, demo or live. */
  readonly calls: readonly ServedCall[];
  readonly pages: readonly Page[];
  /** APIs with their own paths and formats. */
  readonly apis: readonly MountedApi[];
  /** WebSocket services of modules, besides the live feed. */
  readonly sockets: readonly SocketService[];
  readonly operations: readonly Operation[];
  /** Authenticates operators; undefined if no operations are served. */
  readonly gate: OperatorGate | undefined;
  /** Returns whether all modules have started. By default true. Before that no console operation is executed. */
  readonly isStarted?: () => boolean;
  /** Names of the listed pairs in the form in which links contain them, e.g. `BTC_USDT`. */
  readonly listedPairs: ReadonlySet<string>;
  /** Limits of connections and running requests on the public port; by default `ADMISSION_LIMITS`. */
  readonly admissionLimits?: AdmissionLimits | undefined;
  /** Milliseconds that a stop waits for running requests; default 5,000. */
  readonly finishMs?: number;
}

/** URLs of the server's public port and operators' port on this machine, without a trailing slash. */
export interface Addresses {
  readonly app: string;
  readonly console: string;
}

/** The HTTP servers of the two ports: the public one and the operators'. */
export interface Edge {
  /** Opens the operators' port (console, health and metrics). Resolves to the port's URL. */
  listenToOperators(): Promise<string>;
  /** Opens the public port. Resolves to the port's URL. */
  listenToAll(): Promise<string>;
  /**
   * Prepares the stop while calls and open WebSocket connections are still served. The health check reports it, so that
   * proxies choose other processes. New WebSocket connections are refused, and HTTP connections end with their next
   * answer.
   */
  drain(): void;
  /**
   * Stops accepting connections, closes WebSocket connections with the reason `restart`, and waits at most `finishMs`
   * for running requests. After `drain` the WebSocket connections are closed in groups, so that their clients do not
   * all reconnect at the same time.
   */
  stop(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const IDLE_CHECK_MS = 20;

/**
 * Builds the HTTP servers of the public and the operators' port from endpoints, live feed, sites, pages and
 * operations. The ports are not opened yet.
 */
export async function createEdge(options: EdgeOptions): Promise<Edge> {
  const { config } = options;
  const app = await createHttpServer({
    ...options,
    ...namesOf(config),
    mode: config.mode,
    version: config.version,
    publicUrl: config.publicUrl,
    proxyHeader: config.proxyHeader,
    endpoints: ENDPOINTS,
    pages: [...options.pages, publicHealth(options.health, options.clock)],
  });
  registerSites(app, {
    directories: siteDirectories(config),
    buildsDirectory: buildsDirectory(config),
    publicUrl: config.publicUrl,
    chatUrl: config.chat?.url,
    listedPairs: options.listedPairs,
  });
  const operator = await createConsoleServer({
    ...options,
    mode: config.mode,
    version: config.version,
    isOwnName: ownNames({ host: config.consoleHost, publicUrl: config.consoleUrl }),
    directory: join(config.rootDirectory, 'apps/console/dist'),
  });
  const upgrades = upgradesOf(app, options);
  return {
    listenToOperators: () => listening(operator, config.consoleHost, config.consolePort, 'CONSOLE_PORT'),
    listenToAll: () => listening(app, config.host, config.port, 'PORT'),
    drain: () => {
      options.health.drain();
      endConnectionsWithAnswers(app);
      upgrades.drain();
    },
    stop: async () => {
      await Promise.all([closed(app, options.finishMs), closed(operator), upgrades.stop()]);
    },
  };
}

/**
 * Makes the public port serve WebSocket connections: those of the modules' services and, if this process
 * serves it, of the live feed. Returns the object that drains and stops them.
 */
function upgradesOf(
  app: FastifyInstance,
  { feed, sessions, sockets, limits, config }: EdgeOptions,
): Pick<Upgrades, 'drain' | 'stop'> {
  if (feed !== undefined) {
    feed.attach(app.server, sessions, sockets);
    return feed;
  }
  const { proxyHeader, publicUrl } = config;
  const upgrades = new Upgrades(
    {
      charges: limits,
      proxyHeader,
      publicUrl,
      isOwnName: ownNames(config),
    },
    sockets,
  );
  upgrades.open(app.server);
  return upgrades;
}

/** Returns the folders of the built desktop and mobile sites. */
export function siteDirectories({ rootDirectory }: Config): SiteDirectories {
  return {
    desktop: join(rootDirectory, 'apps/desktop/dist'),
    mobile: join(rootDirectory, 'apps/mobile/dist'),
  };
}

/** Returns the folder that stores earlier builds of the sites. */
export function buildsDirectory({ dataDirectory }: Config): string {
  return join(dataDirectory, 'builds');
}

/**
 * Returns an object with the function that tests `Host` headers at the public port. Requests with another server's host
 * name are refused, as other sites can send them by DNS rebinding.
 */
export function namesOf(config: Config): { isOwnName: (host: string | undefined) => boolean } {
  return { isOwnName: ownNames(config) };
}

/**
 * Milliseconds for which the public health report is cached, so that many requests check the components only once per
 * second.
 */
const HEALTH_SHARED_MS = 1_000;

/**
 * Returns the public health page. It shows only the overall status, not the components, with the HTTP status
 * 503 unless the server is up. A status is shared by all requests within `HEALTH_SHARED_MS`.
 */
export function publicHealth(health: Health, clock: Clock): Page {
  const shared = new SharedAnswer(() => health.status(), { clock, maxAgeMs: HEALTH_SHARED_MS });
  return {
    path: '/health',
    demoOnly: false,
    serve: async () => {
      const status = health.isDraining ? 'draining' : await shared.get();
      return { status: status === 'up' ? 200 : 503, type: 'json', body: JSON.stringify({ status }) };
    },
  };
}

/**
 * Opens a port and resolves to the port's URL. If the port or host cannot be used, the error names `setting`, the name
 * of the port's setting.
 */
export async function listening(
  app: FastifyInstance,
  host: string,
  port: number,
  setting: string,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw cause;
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : 'may not be used';
    throw new Error(`Port ${port} on ${host} ${why}: choose another with ${setting}.`, { cause });
  }
  const address = app.server.address() as AddressInfo;
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny || host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}

/**
 * Reports at the ports of a process that it will stop, and waits `drainMs` milliseconds, so that proxies choose other
 * processes. Does nothing if `drainMs` is 0.
 */
export async function drained(
  edge: Edge,
  { drainMs, log }: { readonly drainMs: number; readonly log: Log },
): Promise<void> {
  if (drainMs === 0) return;
  log.info('app.draining', { ms: drainMs });
  edge.drain();
  await new Promise((resolve) => setTimeout(resolve, drainMs));
}

/**
 * Makes each HTTP connection end with the answer to its next request, so that its client reconnects to another
 * process. The answer to a request that is already running does not end it.
 */
export function endConnectionsWithAnswers(app: FastifyInstance): void {
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
}

/**
 * Stops accepting connections and waits for running requests. After `finishMs` their connections are closed. The wait
 * for connections that were upgraded to WebSockets has no limit.
 */
export async function closed(app: FastifyInstance, finishMs = TIMEOUT_MS): Promise<void> {
  // A keep-alive connection becomes idle only after its running response, so idle connections are closed again and
  // again until none is left.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const cutOff = setTimeout(() => app.server.closeAllConnections(), finishMs);
  await app.close();
  clearInterval(idle);
  clearTimeout(cutOff);
}
