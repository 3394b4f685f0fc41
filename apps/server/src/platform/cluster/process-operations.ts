import * as described from '@exchange/wire/console/cluster.ts';
import { serveList, type Operation } from '../console/operation.ts';
import type { KnownDatabase } from '../database/known-databases.ts';
import type { Processes } from './processes.ts';

const SERVES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    all: 'everything: the exchange is this one process',
    writer: 'executes all calls and publishes all data, while it leads',
    api: 'pages and calls, which the writer executes',
    feed: 'live data over WebSockets',
    worker: 'jobs that need only the database, such as the sending of mail, while no other worker does',
  }),
);

interface ClusterParts {
  readonly processes: Pick<Processes, 'list'>;
  /** Reads the state of the exchange's databases. */
  readonly databases: () => Promise<readonly KnownDatabase[]>;
}

/** Returns the console operations for the processes and databases of the exchange. */
export function clusterOperations({ processes, databases }: ClusterParts): Operation[] {
  return [
    serveList(described.processes, async () => ({
      list: (await processes.list()).map((process) => ({
        name: process.name,
        place: process.place,
        role: process.role,
        serves: SERVES.get(process.role) ?? 'what a newer version describes',
        state: process.state,
        since: process.since,
        waitsFor: process.waitsFor,
        epoch: process.epoch === undefined ? undefined : Number(process.epoch),
        writerHeardMs: process.writerHeardMs,
        pending: process.pending,
        takeover: process.takeover,
        stepsBehind: process.stepsBehind,
        sockets: process.sockets,
        version: process.version,
        startedAt: process.startedAt,
        heardAt: process.heardAt,
      })),
    })),
    serveList(described.databases, async () => ({
      list: (await databases()).map((database) => ({
        id: database.id,
        name: database.name,
        part: database.part,
        state: database.state,
        since: database.since,
        address: database.address,
        bytesBehind: database.bytesBehind,
        msBehind: database.msBehind,
        commits: database.commits,
        version: database.version,
      })),
    })),
  ];
}
