import type { AddressInfo } from 'node:net';
import { instant } from '@exchange/core/time.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { FastifyInstance } from 'fastify';
import { createHttpServer, type HttpServerOptions } from '../src/platform/http/server.ts';
import { servedCalls, type ServedCallsOptions } from '../src/platform/http/served-calls.ts';
import type { Session } from '../src/platform/http/route.ts';
import type { Sessions } from '../src/platform/http/sessions.ts';
import { Limits } from '../src/platform/limits/limits.ts';
import type { Log } from '../src/platform/log.ts';
import { Metrics } from '../src/platform/metrics/metrics.ts';
import { unstoredSubmissions } from './unstored-submissions.ts';

/** Creates a log that collects its events in `events`, oldest first. */
export function collectingLog(): Log & {
  readonly events: { level: string; event: string; fields: unknown }[];
} {
  const events: { level: string; event: string; fields: unknown }[] = [];
  const logAt = (level: string) => (event: string, fields?: unknown) => {
    events.push({ level, event, fields });
  };
  return { events, debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
}

/** Creates a session store in memory, by token. A test opens and ends its sessions. */
export function sessionsInMemory(): Sessions & {
  open(token: string, userId: string): Session;
  end(token: string): void;
} {
  const live = new Map<string, Session>();
  const listeners: ((sessionId: string, userId: UserId) => void)[] = [];
  return {
    remembered: (token) => live.get(token),
    find: (token) => live.get(token),
    onSessionEnded: (listener) => {
      listeners.push(listener);
    },
    open: (token, userId) => {
      const session = { id: `session-${token}`, userId: userId as UserId };
      live.set(token, session);
      return session;
    },
    end: (token) => {
      const session = live.get(token);
      live.delete(token);
      if (session !== undefined) for (const listener of listeners) listener(session.id, session.userId);
    },
  };
}

/** Options of the HTTP server that serves a test's routes. */
export type TestEdgeOptions = Omit<HttpServerOptions, 'calls'> & ServedCallsOptions;

export interface RunningEdge {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly port: number;
  readonly log: ReturnType<typeof collectingLog>;
  readonly metrics: Metrics;
  readonly sessions: ReturnType<typeof sessionsInMemory>;
  /** Advances the clocks of the server, including that of the rate limits, by `ms` milliseconds. */
  advanceTime(ms: number): void;
}

/**
 * Starts a listening HTTP server with the given routes and with sessions in memory. The clock of the rate
 * limits moves only by `advanceTime`.
 */
export async function runningEdge(
  options: Partial<TestEdgeOptions>,
  extend: (app: FastifyInstance) => Promise<void> = () => Promise.resolve(),
): Promise<RunningEdge> {
  let passedMs = 0;
  const clock = {
    now: () => instant(Date.now() + passedMs),
    monotonicMs: () => performance.now() + passedMs,
  };
  const log = collectingLog();
  const metrics = new Metrics();
  const sessions = sessionsInMemory();
  const served: TestEdgeOptions = {
    clock,
    log,
    metrics,
    sessions,
    submissions: unstoredSubmissions(),
    // The clock of the rate limits moves only if the test advances it, so a slow machine cannot change the result.
    limits: new Limits({ ...clock, monotonicMs: () => passedMs }),
    proxyHeader: undefined,
    checksAnswers: true,
    mode: 'demo',
    version: '0.0.0',
    publicUrl: undefined,
    endpoints: (options.routes ?? []).map((route) => route.endpoint),
    demands: [],
    routes: [],
    pages: [],
    ...options,
  };
  const app = await createHttpServer({ ...served, calls: servedCalls(served) });
  await extend(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const pass = (ms: number) => {
    passedMs += ms;
  };
  return { app, url: `http://127.0.0.1:${port}`, port, log, metrics, sessions, advanceTime: pass };
}
