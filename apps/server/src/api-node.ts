import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { announceNode, databaseUrlOf, type ClusterNode, type NodeFoundation } from './cluster-node.ts';
import { showsMail, type Config } from './config.ts';
import { createAssets } from './modules/assets/index.ts';
import { apiDocuments, FORWARDED_API, forwardedSocketApi } from './modules/public-api/index.ts';
import { STATUS_PATHS } from './modules/status/index.ts';
import { openNodeReads, sharedReads } from './node-reads.ts';
import { CommandSender, type Commands } from './platform/cluster/command-sender.ts';
import { COMMAND_MS } from './platform/cluster/commands.ts';
import { forwardedApi, forwardedCalls, forwardedPage } from './platform/cluster/forwarded-calls.ts';
import { ForwardedSockets } from './platform/cluster/forwarded-sockets.ts';
import { createEdge, drained } from './platform/edge.ts';
import { TextSockets } from './platform/feed/text-sockets.ts';
import { Health } from './platform/health/health.ts';
import type { Page } from './platform/http/page.ts';
import { isServed } from './platform/http/registration.ts';
import { LIMITS, Limits } from './platform/limits/limits.ts';
import { DEV_MAIL_PATHS } from './platform/mail/dev-pages.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import { newId, systemRandom } from './platform/secrets/random.ts';
import { openNodeSessions } from './platform/session/node-sessions.ts';
import { lookedUpAgain } from './platform/session/replica-sessions.ts';

/**
 * Creates a server process that delivers pages, answers API calls over HTTP, and holds the WebSocket
 * connections of trading programs. It admits requests, finds sessions, counts calls against rate limits and
 * checks fields; the writer process executes the calls and serves the messages of the connections. Calls that only read
 * the database, such as lists of past orders, are answered from a replica if REPLICA_DATABASE_URL is set. The node has
 * no balances and no order books, and its database connections can only read.
 */
export async function createApiNode(foundation: NodeFoundation): Promise<ClusterNode> {
  const { config, clock, log, link } = foundation;
  const metrics = new Metrics();
  metrics.measureProcess();
  const { pool, sessions, isReplica } = openNodeSessions({
    databaseUrl: databaseUrlOf(config),
    databaseLog: foundation.databaseLog,
    name: 'exchange api node',
    clock,
  });
  const name = newId(systemRandom, clock.now());
  const commands = new CommandSender({
    link,
    name,
    version: config.version,
    clock,
    log,
    metrics,
    sessionEnded: (id, userId) => sessions.forget([{ id, userId }]),
    sessionsUncertain: () => sessions.recheckAll(),
  });
  const health = new Health();
  health.watch('database', async () => ({ isUp: true, facts: { replica: String(await isReplica()) } }));
  health.watch('nats', () => commands.linkHealth());
  // Without a writer all API nodes are equally limited, so none reports itself unhealthy: each still delivers the
  // sites, and calls wait some seconds for the next writer before they are refused.
  health.watchDispensable('writer', () => commands.writerHealth());
  const local = await openNodeReads(foundation, { sessions, metrics });
  if (local !== undefined) health.watchDispensable('reads', () => local.reads.health());
  const shared = metrics.counter(
    'shared_reads_total',
    'Calls that were answered by the command that this API node sent for another caller.',
  );
  const onShared = (count: number) => shared.add(count);
  const { pairs } = createAssets({ mode: config.mode });
  const edge = await createEdge({
    config,
    clock,
    log,
    metrics,
    health,
    limits: new Limits(clock, foundation.limits ?? LIMITS),
    feed: undefined,
    sessions: lookedUpAgain(sessions, isReplica),
    calls: forwardedCalls(
      ENDPOINTS.filter((endpoint) => isServed(endpoint, config.mode)),
      { commands, clock, reads: local?.reads, shared: sharedReads, onShared },
    ),
    apis: [forwardedApi(FORWARDED_API, { commands, clock, onShared })],
    pages: nodePages(config, commands),
    sockets: [
      new TextSockets(new ForwardedSockets(forwardedSocketApi(clock), { commands, metrics }), { clock }),
    ],
    operations: [],
    gate: undefined,
    listedPairs: new Set(pairs.map(({ pair }) => `${pair.base}_${pair.quote}`)),
    admissionLimits: foundation.admissionLimits,
    finishMs: COMMAND_MS + 1_000,
  });
  let endSigns: () => void = () => undefined;
  return {
    listen: async () => {
      endSigns = announceNode(foundation, { name, health, figures: () => commands.figures() });
      const address = await edge.listenToOperators();
      log.info('app.operators_port_open', { console: address });
      return { app: await edge.listenToAll(), console: address };
    },
    drain: () => drained(edge, { drainMs: config.drainMs, log }),
    stop: async () => {
      await edge.stop();
      endSigns();
      commands.stop();
      await local?.stop();
      await pool.end();
    },
  };
}

/**
 * Returns the pages of an API node besides the two sites: the documents of the API, which the node delivers
 * itself, and pages that the writer renders.
 */
function nodePages(config: Config, commands: Commands): readonly Page[] {
  const mailPaths = showsMail(config) ? DEV_MAIL_PATHS : [];
  return [
    ...apiDocuments(config.version),
    ...STATUS_PATHS.map((path) => forwardedPage({ path, demoOnly: false }, commands)),
    ...mailPaths.map((path) => forwardedPage({ path, demoOnly: true }, commands)),
  ];
}
