import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Clock } from '../clock.ts';
import { inLane } from '../database/lanes.ts';
import type { Health } from '../health/health.ts';
import { Admission, OPERATOR_ADMISSION_LIMITS } from '../http/admission.ts';
import { FORM_LIMITS } from '../http/form.ts';
import { hostOf } from '../http/own-names.ts';
import { CONTENT_TYPES, type PageAnswer } from '../http/page.ts';
import { privatePageHeaders } from '../http/security-headers.ts';
import { isCrossSiteWrite } from '../http/unwelcome.ts';
import { Limits } from '../limits/limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Operation } from './operation.ts';
import type { OperatorGate } from './gate.ts';
import {
  DEMO_CODES_PATH,
  DEMO_CODES_STYLE,
  DEMO_CODES_STYLE_PATH,
  demoCodesPage,
} from './demo-codes-page.ts';
import { serveOperations } from './serve-operations.ts';

export interface ConsoleServerOptions {
  readonly clock: Clock;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly mode: string;
  readonly version: string;
  readonly log: Log;
  readonly operations: readonly Operation[];
  /** Names of the listed pairs in the form in which links contain them, e.g. `BTC_USDT`. */
  readonly listedPairs: ReadonlySet<string>;
  /** Authenticates operators; undefined if no operations are served. */
  readonly gate: OperatorGate | undefined;
  /** Returns whether all modules have started; by default true. Before that no operation is executed. */
  readonly isStarted?: (() => boolean) | undefined;
  /** Folder of the built console application, whose files are served. */
  readonly directory: string;
  /** Tests whether a `Host` header names this server. Requests with other host names are refused. */
  readonly isOwnName: (host: string | undefined) => boolean;
}

const HEADERS = { ...privatePageHeaders(undefined), 'cache-control': 'no-store' };

/**
 * Creates the server of the operators' port, which serves health of all components, metrics, operations and the
 * console, and in a demo the operators' authenticator codes. It does not listen yet.
 */
export async function createConsoleServer(options: ConsoleServerOptions): Promise<FastifyInstance> {
  const { clock, health, metrics, mode, version } = options;
  const startMs = clock.monotonicMs();
  const app = fastify({
    logger: false,
    requestTimeout: 30_000,
    bodyLimit: FORM_LIMITS.bodyBytes,
    forceCloseConnections: 'idle',
  });
  refuseForeignNames(app, options.isOwnName);
  refuseOtherSites(app);

  app.get('/', (_request, reply) => reply.redirect('/ops', 302));
  await servePage(app, options.directory);
  app.get('/health', async (_request, reply) => {
    const report = await inLane('operators', () => health.report());
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
    const body = await inLane('operators', () => metrics.text());
    return reply.headers({ ...HEADERS, 'content-type': metrics.registry.contentType }).send(body);
  });
  new Admission({
    limits: OPERATOR_ADMISSION_LIMITS,
    charges: new Limits(clock),
    metrics: undefined,
    proxyHeader: undefined,
  }).guard(app.server);
  serveDemoCodes(app, options.gate);
  serveOperations(app, { ...options, headers: HEADERS });
  return app;
}

/**
 * In a demo, serves the page with the operators' authenticator codes, and its style sheet. Outside of a demo,
 * serves nothing.
 */
function serveDemoCodes(app: FastifyInstance, gate: OperatorGate | undefined): void {
  const codes = gate?.demoCodes;
  if (codes === undefined) return;
  app.get(DEMO_CODES_PATH, async (_request, reply) => send(reply, demoCodesPage(await codes())));
  app.get(DEMO_CODES_STYLE_PATH, (_request, reply) => send(reply, { type: 'css', body: DEMO_CODES_STYLE }));
}

/**
 * Refuses requests whose `Host` header names another server. They occur if the name of another site resolves to this
 * server's address (DNS rebinding).
 */
function refuseForeignNames(app: FastifyInstance, isOwnName: ConsoleServerOptions['isOwnName']): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isOwnName(hostOf(request.raw))) done();
    else void reply.code(421).type(CONTENT_TYPES.text).send('This is the operator’s port of another name.\n');
  });
}

/** Refuses requests that change data and come from pages of other sites. */
function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isCrossSiteWrite(request.raw)) done();
    else void reply.code(403).type(CONTENT_TYPES.json).send('{"error":"Not from another site."}');
  });
}

/**
 * Serves the built console: its page at `/ops`, its files below `/ops/app/`. If the console is not built, `/ops`
 * answers 404 with a hint to the operator.
 */
async function servePage(app: FastifyInstance, directory: string): Promise<void> {
  const page = join(directory, 'index.html');
  const body = existsSync(page) ? readFileSync(page, 'utf8') : undefined;
  app.get('/ops', (_request, reply) =>
    body === undefined
      ? reply.code(404).type(CONTENT_TYPES.text).send('The console is not built: run "npm run build".\n')
      : send(reply, { type: 'html', body }),
  );
  if (body === undefined) return;
  await app.register(fastifyStatic, {
    root: directory,
    prefix: '/ops/app/',
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => {
      for (const [name, value] of Object.entries(HEADERS)) void reply.header(name, value);
    },
  });
}

function send(reply: FastifyReply, { type, body }: PageAnswer): FastifyReply {
  return reply.headers({ ...HEADERS, 'content-type': CONTENT_TYPES[type] }).send(body);
}
