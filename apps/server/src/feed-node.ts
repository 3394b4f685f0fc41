import { announceNode, databaseUrlOf, type ClusterNode, type NodeFoundation } from './cluster-node.ts';
import { createAssets } from './modules/assets/index.ts';
import { createFollowedStreams } from './modules/public-api/index.ts';
import { CutOff } from './platform/cluster/cut-off.ts';
import { ExecutionNotice } from './platform/cluster/execution-notice.ts';
import { createFeedEdge } from './platform/cluster/feed-edge.ts';
import { ClusterFollower } from './platform/cluster/follower.ts';
import { drained, namesOf } from './platform/edge.ts';
import { FeedHub } from './platform/feed/hub.ts';
import { Health } from './platform/health/health.ts';
import { LIMITS, Limits } from './platform/limits/limits.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import { newId, systemRandom } from './platform/secrets/random.ts';
import { openNodeSessions } from './platform/session/node-sessions.ts';
import { lookedUpAgain } from './platform/session/replica-sessions.ts';

/**
 * Creates a server process that delivers live data over WebSockets: the feed of the apps, and the streams of
 * the public API. It has no balances and no order books, and its database connections can only read. The
 * writer process sends it the data over the link.
 */
export async function createFeedNode(foundation: NodeFoundation): Promise<ClusterNode> {
  const { config, clock, log, link } = foundation;
  const metrics = new Metrics();
  metrics.measureProcess();
  const limits = new Limits(clock, foundation.limits ?? LIMITS);
  const { pool, sessions, isReplica } = openNodeSessions({
    databaseUrl: databaseUrlOf(config),
    databaseLog: foundation.databaseLog,
    name: 'exchange feed node',
    clock,
  });
  const name = newId(systemRandom, clock.now());
  const follower = new ClusterFollower({
    link,
    name,
    clock,
    log,
    metrics,
    sessionEnded: (id, userId) => sessions.forget([{ id, userId }]),
    userShared: (userId) => feed.share(userId),
  });
  const notice = new ExecutionNotice({ source: follower, link, clock });
  const feed: FeedHub = new FeedHub({
    clock,
    log,
    metrics,
    charges: limits,
    source: notice,
    ...namesOf(config),
    proxyHeader: config.proxyHeader,
    publicUrl: config.publicUrl,
  });
  const health = new Health();
  health.watch('database', async () => ({ isUp: true, facts: { replica: String(await isReplica()) } }));
  health.watch('nats', () => follower.linkHealth());
  // Without a writer all feed nodes are equally limited, so none reports itself unhealthy: clients stay connected and
  // keep the last data that they received.
  health.watchDispensable('writer', () => follower.writerHealth());
  const edge = await createFeedEdge({
    config,
    clock,
    log,
    metrics,
    health,
    limits,
    feed,
    sessions: lookedUpAgain(sessions, isReplica),
    sockets: createFollowedStreams({
      clock,
      metrics,
      assets: createAssets({ mode: config.mode }),
      source: follower,
    }),
    admissionLimits: foundation.admissionLimits,
  });
  const cutOff = new CutOff({
    link,
    clock,
    onCutOff: () => {
      log.warn('cluster.clients_handed_over', { connections: feed.connections });
      void feed.suspend();
    },
    onConnected: () => feed.resume(),
  });
  let endSigns: () => void = () => undefined;
  return {
    listen: async () => {
      cutOff.start();
      notice.start();
      endSigns = announceNode(foundation, {
        name,
        health,
        figures: () => {
          const { epoch, writerHeardMs, pending } = follower.figures();
          return {
            epoch,
            writerHeardMs,
            pending,
            sockets: feed.connections,
          };
        },
      });
      const address = await edge.listenToOperators();
      log.info('app.operators_port_open', { console: address });
      return { app: await edge.listenToAll(), console: address };
    },
    drain: () => drained(edge, { drainMs: config.drainMs, log }),
    stop: async () => {
      await cutOff.stop();
      await notice.stop();
      await edge.stop();
      endSigns();
      follower.stop();
      await pool.end();
    },
  };
}
