import pg from 'pg';

/** What we read of a driver's connection beyond its published face. */
interface Watched {
  readonly processID: number;
  /** The query whose answer is awaited; null when there is none. */
  readonly _activeQuery?: object | null;
  readonly connection: { readonly stream: { destroy(): void } };
}

const LOOK_EVERY_MS = 1_000;
/** Looks at which the same query was still awaited before the database is asked about it. */
const SUSPICIOUS_LOOKS = 2;
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Breaks connections whose other end has gone without saying so: nothing would ever answer them. A query
 * that merely takes long is told apart by asking the database, on a new connection, what its session does.
 * Where one connection is dead, those that lie idle are given up as well. Ends with the pool.
 */
export function breakDeadConnections(pool: pg.Pool, settings: pg.ClientConfig): void {
  const clients = new Set<Watched>();
  const seen = new Map<Watched, { query: object; looks: number }>();
  let isProbing = false;

  const suspects = (): Watched[] => {
    for (const client of clients) {
      const query = client._activeQuery ?? undefined;
      const before = seen.get(client);
      if (query === undefined) seen.delete(client);
      else seen.set(client, { query, looks: before?.query === query ? before.looks + 1 : 0 });
    }
    return [...seen].filter(([, { looks }]) => looks >= SUSPICIOUS_LOOKS).map(([client]) => client);
  };

  const look = async (): Promise<void> => {
    // A pool that ended without a connection had none to remove.
    if (pool.ended) clearInterval(looking);
    const suspected = suspects();
    if (isProbing || suspected.length === 0) return;
    isProbing = true;
    try {
      const busy = await busySessions(settings, suspected);
      const dead = suspected.filter((client) => !busy.has(client.processID) && seen.has(client));
      if (dead.length === 0) return;
      const idle = [...clients].filter((client) => !seen.has(client));
      for (const { connection } of [...dead, ...idle]) connection.stream.destroy();
    } catch {
      // The database cannot be asked either: what will become of the connections is not known yet.
    } finally {
      isProbing = false;
    }
  };

  const looking = setInterval(() => void look(), LOOK_EVERY_MS);
  looking.unref();
  pool.on('connect', (client) => clients.add(client as unknown as Watched));
  pool.on('remove', (client) => {
    clients.delete(client as unknown as Watched);
    seen.delete(client as unknown as Watched);
    if (pool.ending && clients.size === 0) clearInterval(looking);
  });
}

/** Which of these sessions the database is working for, or has been within the time they are suspected for. */
async function busySessions(settings: pg.ClientConfig, suspected: readonly Watched[]): Promise<Set<number>> {
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
      [suspected.map(({ processID }) => processID), SUSPICIOUS_LOOKS * LOOK_EVERY_MS],
    );
    return new Set(rows.map(({ pid }) => pid));
  } finally {
    await client.end().catch(() => undefined); // whether it ends politely does not matter
  }
}
