import pg from 'pg';

/** The members of the driver's client that this module uses, including undocumented ones. */
interface DriverClient {
  readonly processID: number;
  /** The connection's unanswered query; null if there is none. */
  readonly _activeQuery?: object | null;
  readonly connection: { readonly stream: { destroy(): void } };
}

const CHECK_EVERY_MS = 1_000;
/**
 * Number of checks, one per second, after which an unanswered query is suspicious. A query over another connection then
 * determines whether the database is still executing it.
 */
const SUSPICIOUS_CHECKS = 2;
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Closes a pool's connections whose other end has disappeared without closing them, because their queries would never
 * be answered. To distinguish dead connections from long queries, it reads over a new connection which of the database
 * sessions are executing a query. When a connection is dead, the pool's idle connections are closed too. Stops when the
 * pool ends.
 */
export function breakDeadConnections(pool: pg.Pool, settings: pg.ClientConfig): void {
  const clients = new Set<DriverClient>();
  const waitingQueries = new Map<DriverClient, { query: object; checks: number }>();
  let isProbing = false;

  const suspects = (): DriverClient[] => {
    for (const client of clients) {
      const query = client._activeQuery ?? undefined;
      const previous = waitingQueries.get(client);
      if (query === undefined) waitingQueries.delete(client);
      else waitingQueries.set(client, { query, checks: previous?.query === query ? previous.checks + 1 : 0 });
    }
    return [...waitingQueries]
      .filter(([, { checks }]) => checks >= SUSPICIOUS_CHECKS)
      .map(([client]) => client);
  };

  const check = async (): Promise<void> => {
    // A pool that ends without open connections emits no `remove` event, so the timer is cleared here.
    if (pool.ended) clearInterval(timer);
    const suspected = suspects();
    if (isProbing || suspected.length === 0) return;
    isProbing = true;
    try {
      const busy = await busySessions(settings, suspected);
      const dead = suspected.filter((client) => !busy.has(client.processID) && waitingQueries.has(client));
      if (dead.length === 0) return;
      const idle = [...clients].filter((client) => !waitingQueries.has(client));
      for (const { connection } of [...dead, ...idle]) connection.stream.destroy();
    } catch {
      // The database does not answer over the new connection either, so no connection is closed.
    } finally {
      isProbing = false;
    }
  };

  const timer = setInterval(() => void check(), CHECK_EVERY_MS);
  timer.unref();
  pool.on('connect', (client) => clients.add(client as unknown as DriverClient));
  pool.on('remove', (client) => {
    clients.delete(client as unknown as DriverClient);
    waitingQueries.delete(client as unknown as DriverClient);
    if (pool.ending && clients.size === 0) clearInterval(timer);
  });
}

/**
 * Returns the process ids of those suspected database sessions that are executing a query or have executed
 * one in the last two seconds.
 */
async function busySessions(
  settings: pg.ClientConfig,
  suspected: readonly DriverClient[],
): Promise<Set<number>> {
  const client = new pg.Client({
    ...settings,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any($1)
       and (state = 'active' or state_change > clock_timestamp() - $2 * interval '1 ms')`,
      [suspected.map(({ processID }) => processID), SUSPICIOUS_CHECKS * CHECK_EVERY_MS],
    );
    return new Set(rows.map(({ pid }) => pid));
  } finally {
    await client.end().catch(() => undefined); // a failure to disconnect is ignored
  }
}
