import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Health } from '../health/health.ts';
import { CONTENT_TYPES, type PageAnswer } from '../http/page.ts';
import { isLoopback } from '../http/own-names.ts';
import { pageHeaders } from '../http/security-headers.ts';
import { isCrossSiteWrite } from '../http/unwelcome.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Operation } from './operation.ts';
import { OPERATOR_PAGE, OPERATOR_STYLE } from './page.ts';
import { OPERATOR_SCRIPT } from './page-script.ts';
import { serveOperations } from './serve-operations.ts';

export interface ConsoleServerOptions {
  readonly clock: Clock;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly mode: string;
  readonly version: string;
  readonly log: Log;
  readonly operations: readonly Operation[];
  /** Who has it may do what operators may; undefined: nobody may. */
  readonly operatorToken: string | undefined;
  /** The second person's, for what needs one. */
  readonly approverToken: string | undefined;
  /** Where it listens; on a loopback address only requests to a loopback name are answered. */
  readonly host: string;
}

const HEADERS = { ...pageHeaders(undefined), 'cache-control': 'no-store' };

/**
 * The operator's port: health with its parts, metrics, what operators may do, and a page for all of it. It
 * does not listen yet.
 */
export function createConsoleServer(options: ConsoleServerOptions): FastifyInstance {
  const { clock, health, metrics, mode, version } = options;
  const startMs = clock.monotonicMs();
  const app = fastify({ logger: false, requestTimeout: 30_000, forceCloseConnections: 'idle' });
  if (isLoopback(options.host)) refuseForeignNames(app);
  refuseOtherSites(app);

  app.get('/', (_request, reply) => reply.redirect('/ops', 302));
  registerText(app, '/ops', { type: 'html', body: OPERATOR_PAGE });
  registerText(app, '/ops/ops.css', { type: 'css', body: OPERATOR_STYLE });
  registerText(app, '/ops/ops.js', { type: 'javascript', body: OPERATOR_SCRIPT });
  app.get('/health', async (_request, reply) => {
    const report = await health.report();
    const uptimeSeconds = Math.round((clock.monotonicMs() - startMs) / 1_000);
    const body = JSON.stringify({
      status: report.status,
      mode,
      version,
      uptimeSeconds,
      components: report.components,
    });
    return send(reply.code(report.status === 'up' ? 200 : 503), { type: 'json', body });
  });
  app.get('/metrics', async (_request, reply) => {
    const body = await metrics.text();
    return reply.headers({ ...HEADERS, 'content-type': metrics.registry.contentType }).send(body);
  });
  serveOperations(app, { ...options, headers: HEADERS });
  return app;
}

/** A page elsewhere could point a name of its own at the loopback and read along: only loopback names are served. */
function refuseForeignNames(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (isLoopback(name)) done();
    else void reply.code(421).type(CONTENT_TYPES.text).send('This is the operator’s port of another name.\n');
  });
}

/** Whatever a page of another site wants to change here, it does not. */
function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isCrossSiteWrite(request.raw)) done();
    else void reply.code(403).type(CONTENT_TYPES.json).send('{"error":"Not from another site."}');
  });
}

function registerText(app: FastifyInstance, path: string, answer: PageAnswer): void {
  app.get(path, (_request, reply) => send(reply, answer));
}

function send(reply: FastifyReply, { type, body }: PageAnswer): FastifyReply {
  return reply.headers({ ...HEADERS, 'content-type': CONTENT_TYPES[type] }).send(body);
}
