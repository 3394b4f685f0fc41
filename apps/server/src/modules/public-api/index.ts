/**
 * public-api: the trading API for programs, with calls and formats compatible with Binance's API, which most
 * trading tools support. It reads and trades through the same modules as the apps: one market, one ledger,
 * one set of limits.
 */
import type { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { OfferedProtocol } from '../../platform/cluster/forwarded-sockets.ts';
import type { TextProtocol } from '../../platform/feed/text-sockets.ts';
import type { SocketService } from '../../platform/feed/upgrades.ts';
import type { MountedApi } from '../../platform/http/mounted-api.ts';
import type { Page } from '../../platform/http/page.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Random } from '../../platform/secrets/random.ts';
import type { Log } from '../../platform/log.ts';
import type { Submissions } from '../../platform/sequencer/submission.ts';
import type { IdOrigin } from '../../platform/sequencer/step-ids.ts';
import type { Assets } from '../assets/index.ts';
import type { Market } from '../market/index.ts';
import type { ApiKeys, RequestLog } from '../api-keys/index.ts';
import type { Deposits } from '../deposits/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Records, Spot } from '../spot/index.ts';
import type { SubAccounts } from '../sub-accounts/index.ts';
import type { Withdrawals } from '../withdrawals/index.ts';
import { DayTickers } from './day-tickers.ts';
import { chartRoutes } from './chart-routes.ts';
import { ApiCalls } from './call-routes.ts';
import { ListenKeys } from './listen-keys.ts';
import { MarketStreams } from './market-streams-feed.ts';
import { ownsSocketPath, shutdownEvent, SocketApi, SOCKET_LIMITS } from './socket-routes.ts';
import { listenKeyRoutes } from './stream-key-routes.ts';
import { socketsOf, StreamsFeed } from './streams-feed.ts';
import { StreamTopics } from './stream-topics.ts';
import { UserStreams } from './user-streams.ts';
import { listingRoutes } from './listing-routes.ts';
import { marketRoutes } from './market-routes.ts';
import { openApiPage } from './open-api-routes.ts';
import { changeRoutes } from './order-change-routes.ts';
import { listRoutes } from './order-list-routes.ts';
import { ListedPairs } from './pair-routes.ts';
import { referencePages } from './reference-routes.ts';
import { API_PREFIXES, busyAnswer, isOpenRead, noAnswer, PublicApi } from './routes.ts';
import { ApiMarket } from './service.ts';
import { tradingRoutes } from './trading-routes.ts';
import { subAccountRoutes } from './sub-account-routes.ts';
import { createApiTrading, sessionIds } from './trading-service.ts';
import { walletRoutes } from './wallet-routes.ts';
import { ApiWallet } from './wallet-service.ts';

export { createFollowedStreams } from './followed-streams-feed.ts';

/** The trading API as offered by API nodes and feed nodes, which forward its requests to another process. */
export const FORWARDED_API = {
  prefixes: API_PREFIXES,
  busy: busyAnswer,
  noAnswer,
  isShared: isOpenRead,
} as const;

/** The WebSocket API as offered by processes that forward its messages to the writer. */
export function forwardedSocketApi(clock: Clock): OfferedProtocol {
  const { messageBytes, messagesPerSecond } = SOCKET_LIMITS;
  return {
    owns: ownsSocketPath,
    messageBytes,
    messagesPerSecond,
    farewell: () => shutdownEvent(clock),
    unavailable: 'the exchange is starting: connect again',
  };
}

/** The pages with the OpenAPI document and the reference of the API, which are the same on every process. */
export function apiDocuments(version: string): readonly Page[] {
  return [openApiPage(version), ...referencePages(version)];
}

interface PublicApiParts {
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly assets: Assets;
  readonly market: Market;
  readonly spot: Spot;
  readonly records: Records;
  readonly identity: Identity;
  readonly keys: ApiKeys;
  readonly requests: RequestLog;
  readonly deposits: Deposits;
  readonly offered: OfferedNetworks;
  readonly withdrawals: Withdrawals;
  readonly subAccounts: SubAccounts;
  readonly submissions: Submissions;
  readonly reader: Reader;
  /**
   * Returns the sequence number of the journal step in which an id was generated, and the id's number within that step.
   */
  readonly originOf: (id: string) => IdOrigin;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly random: Random;
}

/** Creates the public trading API. */
export function createPublicApi(parts: PublicApiParts): {
  readonly name: 'public api';
  readonly apis: readonly MountedApi[];
  readonly sockets: readonly SocketService[];
  readonly pages: readonly Page[];
  /**
   * Data streams by name, for readers on other machines: of market data, and of users by their
   * listen keys.
   */
  readonly streams: { readonly market: StreamTopics; readonly users: ListenKeys };
  /** The WebSocket API, for connections that other machines hold. */
  readonly socketApi: TextProtocol;
  start(): void;
  stop(): Promise<void>;
} {
  const { limits, spot, metrics, clock } = parts;
  const market = new ApiMarket(parts);
  const trading = createApiTrading({ ...parts, spot });
  const dayTickers = new DayTickers(market);
  const shared = {
    market,
    trading,
    dayTickers,
    limits,
    offered: parts.offered,
    pairs: new ListedPairs(market),
  };
  const users = new UserStreams({ ...parts, trading });
  const listenKeys = new ListenKeys({ ...parts, users });
  const handlers = [
    ...marketRoutes(shared),
    ...tradingRoutes(shared),
    ...changeRoutes(shared),
    ...listRoutes(shared),
    ...walletRoutes({ ...shared, wallet: new ApiWallet(parts) }),
    ...subAccountRoutes({ ...parts, trading }),
    ...listenKeyRoutes(listenKeys),
    ...chartRoutes(shared),
    ...listingRoutes(shared),
  ];
  const calls = new ApiCalls(parts);
  const topics = new StreamTopics(clock, (symbol) => streams.isListed(symbol));
  const streams = new MarketStreams({ ...parts, market, dayTickers, topics });
  const streamSockets = new StreamsFeed({ clock, topics, users: listenKeys });
  const socketApi = new SocketApi({
    ...parts,
    calls,
    handlers,
    users,
    newSessionId: sessionIds(parts),
    endSession: (sessionId) => spot.endSession(sessionId),
  });
  metrics.gauge('api_streams_connections', 'Open connections for streams', () => streamSockets.size);
  metrics.gauge('api_sockets_connections', 'Open connections of the WebSocket API', () => socketApi.size);
  metrics.gauge('api_streams', 'Streams of market data that are read', () => topics.size);
  metrics.gauge('api_user_streams', 'Users whose events are read', () => users.size);
  return {
    name: 'public api',
    apis: [new PublicApi({ ...parts, calls, handlers })],
    sockets: socketsOf([streamSockets, socketApi], { clock }),
    pages: apiDocuments(parts.version),
    streams: { market: topics, users: listenKeys },
    socketApi,
    start: () => {
      streams.start();
      users.start();
      listenKeys.start();
    },
    stop: async () => {
      await streams.stop();
      await users.stop();
      await listenKeys.stop();
    },
  };
}
