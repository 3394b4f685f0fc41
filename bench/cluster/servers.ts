import { urlOf, type BenchDatabase } from '../measuring/postgres.ts';
import { LIVE_SERVER, repositoryRoot, startProgram, type RunningProgram } from '../measuring/programs.ts';

/** The addresses of the two ports of a server: the users' and the operators'. */
export interface ServerAddresses {
  readonly app: string;
  readonly console: string;
}

export interface ClusterServerOptions {
  readonly role: 'writer' | 'api';
  readonly natsUrl: string;
  readonly database: BenchDatabase;
  /** Folder of the server's own data; it is created by the server. */
  readonly dataFolder: string;
  /** Address of a replica that an API node reads; undefined if it reads none. */
  readonly replicaUrl?: string | undefined;
  /** `demo` has a market with the exchange's own orders; the default `live` has none. */
  readonly mode?: 'live' | 'demo';
}

/** Settings of a demo, which needs no mail server. */
const DEMO_SERVER: typeof LIVE_SERVER = { ...LIVE_SERVER, MODE: 'demo', SMTP_URL: '' };

/** Starts a server of a cluster: `program` is the bundled `measuring/server.ts`. */
export function startClusterServer(
  program: string,
  { role, natsUrl, database, dataFolder, replicaUrl = '', mode = 'live' }: ClusterServerOptions,
): Promise<RunningProgram<ServerAddresses>> {
  const environment = {
    ...(mode === 'demo' ? DEMO_SERVER : LIVE_SERVER),
    ROLE: role,
    NATS_URL: natsUrl,
    DATABASE_URL: urlOf(database),
    REPLICA_DATABASE_URL: replicaUrl,
    DATA_DIR: dataFolder,
  };
  return startProgram(program, [repositoryRoot], { environment });
}

/** Returns the processor time in microseconds that servers have used together since their starts. */
export async function processorTimeOf(servers: readonly RunningProgram<unknown>[]): Promise<number> {
  const times = await Promise.all(servers.map((server) => server.request<number>('processor time')));
  return times.reduce((sum, time) => sum + time, 0);
}
