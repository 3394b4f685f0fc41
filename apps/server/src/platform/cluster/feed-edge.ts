import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock } from '../clock.ts';
import { createConsoleServer } from '../console/server.ts';
import { closed, endConnectionsWithAnswers, listening, publicHealth, type Edge } from '../edge.ts';
import type { FeedHub } from '../feed/hub.ts';
import type { SocketService } from '../feed/upgrades.ts';
import type { Health } from '../health/health.ts';
import { Admission, ADMISSION_LIMITS, type AdmissionLimits } from '../http/admission.ts';
import { FOREIGN_NAME_STATUS, FOREIGN_NAME_TEXT, hostOf, ownNames } from '../http/own-names.ts';
import { CONTENT_TYPES } from '../http/page.ts';
import { HTTP_LIMITS } from '../http/server.ts';
import type { Sessions } from '../http/sessions.ts';
import { UpgradeableRequest } from '../http/upgradeable-request.ts';
import type { Limits } from '../limits/limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';

interface FeedEdgeOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly limits: Limits;
  readonly feed: FeedHub;
  readonly sessions: Sessions;
  readonly sockets: readonly SocketService[];
  readonly admissionLimits?: AdmissionLimits | undefined;
}

/** Maximum size in bytes of a request body. No request to a feed node needs a body. */
const BODY_BYTES_MAX = 1_024;
const REQUEST_MS = 10_000;

/**
 * Builds the two servers of a feed node. The public server serves WebSocket connections and `/health`. The server on
 * the operators' port serves health and metrics, but no console operations.
 */
export async function createFeedEdge(options: FeedEdgeOptions): Promise<Edge> {
  const { config, feed, sessions, sockets, metrics, limits } = options;
  const isOwnName = ownNames(config);
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: HTTP_LIMITS.keepAliveMs,
    forceCloseConnections: 'idle',
    http: {
      IncomingMessage: UpgradeableRequest,
      maxHeaderSize: HTTP_LIMITS.headerBytes,
      headersTimeout: HTTP_LIMITS.headersMs,
    },
  });
  servePublicPages(app, options, isOwnName);
  new Admission({
    limits: options.admissionLimits ?? ADMISSION_LIMITS,
    charges: limits,
    metrics,
    proxyHeader: config.proxyHeader,
  }).guard(app.server);
  const operator = await createConsoleServer({
    ...options,
    mode: config.mode,
    version: config.version,
    operations: [],
    listedPairs: new Set(),
    gate: undefined,
    isOwnName: ownNames({ host: config.consoleHost, publicUrl: config.consoleUrl }),
    directory: join(config.rootDirectory, 'apps/console/dist'),
  });
  feed.attach(app.server, sessions, sockets);
  return {
    listenToOperators: () => listening(operator, config.consoleHost, config.consolePort, 'CONSOLE_PORT'),
    listenToAll: () => listening(app, config.host, config.port, 'PORT'),
    drain: () => {
      options.health.drain();
      endConnectionsWithAnswers(app);
      feed.drain();
    },
    stop: async () => {
      await Promise.all([closed(app), closed(operator), feed.stop()]);
    },
  };
}

function servePublicPages(
  app: FastifyInstance,
  { health, clock }: Pick<FeedEdgeOptions, 'health' | 'clock'>,
  isOwnName: (host: string | undefined) => boolean,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isOwnName(hostOf(request.raw))) done();
    else void reply.code(FOREIGN_NAME_STATUS).type(CONTENT_TYPES.text).send(FOREIGN_NAME_TEXT);
  });
  const page = publicHealth(health, clock);
  app.get(page.path, async (_request, reply) => {
    const { status = 200, type, body } = await page.serve(new URLSearchParams());
    return reply.code(status).type(CONTENT_TYPES[type]).header('cache-control', 'no-store').send(body);
  });
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .type(CONTENT_TYPES.text)
      .send(
        'This machine serves live data over WebSockets only; the proxy sends everything else to the writer.\n',
      ),
  );
}
