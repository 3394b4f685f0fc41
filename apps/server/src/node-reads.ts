import { convertRecords } from '@exchange/wire/convert.ts';
import { proofRecords } from '@exchange/wire/deposit.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { pastOrders } from '@exchange/wire/fill-explanation.ts';
import { gridOrders } from '@exchange/wire/grid.ts';
import {
  indexSources,
  kline,
  marketDepth,
  marketDetails,
  marketsByQuote,
  marketSymbols,
  marketTrades,
} from '@exchange/wire/market.ts';
import { messageCount } from '@exchange/wire/message.ts';
import { accountEvents, tradeRecords } from '@exchange/wire/portfolio.ts';
import { proofFiles, proofTape, proofVoids } from '@exchange/wire/proof.ts';
import { liabilities } from '@exchange/wire/proofs.ts';
import { recordedParts } from '@exchange/wire/recorded-book.ts';
import { recurringBuys } from '@exchange/wire/recurring.ts';
import { secondsMovements } from '@exchange/wire/seconds.ts';
import { fillRecords, orderDetail, orderRecords, spotMovements } from '@exchange/wire/spot.ts';
import { stamps } from '@exchange/wire/stamps.ts';
import { subAccountTransfers } from '@exchange/wire/sub-account.ts';
import { taxDisposals, taxLots } from '@exchange/wire/tax.ts';
import { debts } from '@exchange/wire/treasury.ts';
import { composeReads } from './compose.ts';
import type { NodeFoundation } from './cluster-node.ts';
import { LocalReads } from './platform/cluster/local-reads.ts';
import { POOL_SIZES } from './platform/database/connection-counts.ts';
import { CurrentReplica } from './platform/database/current-replica.ts';
import { databaseOver } from './platform/database/database.ts';
import { openDatabase } from './platform/database/pool.ts';
import { Health } from './platform/health/health.ts';
import type { ServedCall } from './platform/http/identified-call.ts';
import { servedHere } from './platform/http/serve-route.ts';
import type { Sessions } from './platform/http/sessions.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import type { Submissions } from './platform/sequencer/submission.ts';
import type { DatabaseServer } from './platform/start-database.ts';
import { StateNotLoaded } from './platform/state-not-loaded.ts';
import { unstartedPlatform } from './unstarted-platform.ts';

/**
 * The calls that an API node can answer from a replica of the database instead of the writer. The use case of
 * such a call reads nothing but the database: no state of started modules, no secret, and no file of the data folder.
 * It writes nothing. The endpoint has no access requirement besides a session. Decision 243 has the reasons.
 */
export const nodeReads: ReadonlySet<Endpoint> = new Set<Endpoint>([
  accountEvents,
  convertRecords,
  debts,
  exportRecords,
  fillRecords,
  gridOrders,
  liabilities,
  messageCount,
  orderDetail,
  orderRecords,
  pastOrders,
  proofFiles,
  proofRecords,
  proofTape,
  proofVoids,
  recordedParts,
  recurringBuys,
  secondsMovements,
  spotMovements,
  stamps,
  subAccountTransfers,
  taxDisposals,
  taxLots,
  tradeRecords,
]);

/**
 * The calls of market data, whose answers come from the writer's memory and are the same for every caller of a language.
 * An API node sends one command for identical calls of several callers. The cost of such a call in rate limits must not depend
 * on its fields.
 */
export const sharedReads: ReadonlySet<Endpoint> = new Set<Endpoint>([
  indexSources,
  kline,
  marketDepth,
  marketDetails,
  marketsByQuote,
  marketSymbols,
  marketTrades,
]);

/**
 * Fields with which a call of the list needs more than the database: with `entry`, the events of a person's other
 * accounts are searched, which the writer knows.
 */
const FIELDS_FOR_WRITER: ReadonlyMap<Endpoint, string> = new Map<Endpoint, string>([
  [accountEvents, 'entry'],
]);

/** The calls that an API node answers itself, and a function that closes what they need. */
export interface NodeReads {
  readonly reads: LocalReads;
  stop(): Promise<void>;
}

/**
 * Opens the calls that an API node answers from the replica REPLICA_DATABASE_URL. Resolves to undefined if this
 * setting or the address of the primary is not set; the writer then answers all calls.
 */
export async function openNodeReads(
  foundation: NodeFoundation,
  { sessions, metrics }: { readonly sessions: Sessions; readonly metrics: Metrics },
): Promise<NodeReads | undefined> {
  const { config, clock, log, link, databaseLog } = foundation;
  const { databaseUrl, replicaDatabaseUrl } = config;
  if (databaseUrl === undefined || replicaDatabaseUrl === undefined) return undefined;
  const open = (connectionString: string, name: string, size: number) =>
    openDatabase({ connection: { connectionString }, log: databaseLog, name, size, isReadOnly: true });
  const primary = open(databaseUrl, 'exchange api node positions', POOL_SIZES.positions);
  const pool = open(replicaDatabaseUrl, 'exchange api node reads', POOL_SIZES.replica);
  const replica = new CurrentReplica({ primary, replica: pool, clock });
  const platform = unstartedPlatform(
    { config, clock, log, end: () => undefined },
    {
      database: unusedServer(pool, replicaDatabaseUrl),
      // The health and the metrics of modules that are not started are not shown.
      health: new Health(),
      metrics: new Metrics(),
    },
  );
  const { routes, stop } = await composeReads(platform, databaseOver(replica.connections));
  const parts = {
    clock,
    log,
    metrics,
    sessions,
    limits: platform.limitCounters,
    submissions: NO_SUBMISSIONS,
    demands: [],
    proxyHeader: config.proxyHeader,
    checksAnswers: false,
  };
  const calls = routes
    .filter(({ endpoint }) => nodeReads.has(endpoint))
    .map((route) => withoutField(servedHere(route, parts), FIELDS_FOR_WRITER.get(route.endpoint)));
  return {
    reads: new LocalReads({
      replica,
      calls,
      clock,
      log,
      metrics,
      isConnected: () => link.isConnected,
    }),
    stop: async () => {
      await stop();
      await Promise.all([primary.end(), pool.end()]);
    },
  };
}

/** Returns a call that is left to the writer if the field `field` was sent. */
function withoutField(call: ServedCall, field: string | undefined): ServedCall {
  if (field === undefined) return call;
  return {
    endpoint: call.endpoint,
    serve: (identified, admit) => {
      if (identified.fields[field] !== undefined) throw new StateNotLoaded(`the data for ${field}`);
      return call.serve(identified, admit);
    },
  };
}

/** An API node answers no call with an idempotency key itself. */
const NO_SUBMISSIONS: Pick<Submissions, 'serve'> = {
  serve: () => {
    throw new Error('an API node executes no submissions');
  },
};

/** The database server of modules that are not started: its pools only read. */
function unusedServer(pool: DatabaseServer['pool'], connectionString: string): DatabaseServer {
  const lane = { pool, reader: pool };
  return {
    connection: { connectionString },
    owner: { connectionString },
    pool,
    reader: pool,
    replica: pool,
    lanes: { requests: lane, operators: lane },
    embedded: undefined,
    bringUpToDate: () => Promise.reject(new Error('an API node does not migrate')),
    isSchemaCurrent: () => Promise.resolve(true),
    health: () => Promise.resolve({ isUp: true }),
    replicaHealth: undefined,
    stop: () => Promise.resolve(),
  };
}
