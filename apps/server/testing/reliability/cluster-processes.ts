import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copySeededData } from '../../../../tools/testing/seeded-data.ts';
import { CONNECTIONS_MAX } from '../../src/platform/database/connection-counts.ts';
import { embeddedRuntimeUser } from '../../src/platform/database/embedded/settings.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded/supervisor.ts';
import { CuttableLine } from '../faults/cuttable-line.ts';
import { FaultProxy } from '../faults/fault-proxy.ts';
import type { Guard } from '../guard.ts';
import { NatsServer } from '../nats.ts';
import { registerResource, unregisterResource } from './resources.ts';
import { folderBesideDatabase, guardedFolder, ServerProcess } from './server-process.ts';

/** The roles of a cluster's processes, with the number of processes of each role. */
const COUNTS = { writer: 2, api: 2, feed: 1, worker: 2 } as const;
export type ClusterRole = keyof typeof COUNTS;

/**
 * A process of a cluster, with the proxies through which it connects to NATS and to the database, and which can
 * interrupt these connections.
 */
export interface ClusterMember {
  readonly role: ClusterRole;
  readonly server: ServerProcess;
  readonly natsLine: CuttableLine;
  readonly databaseLine: FaultProxy;
}

const SPARE_CONNECTIONS = 30;

/** A cluster of built servers with the demo's data: two writers, two API nodes, a feed node, two workers, and NATS. */
export class ClusterProcesses {
  readonly members: readonly ClusterMember[];
  readonly database: EmbeddedPostgres;
  readonly nats: NatsServer;
  /** Folder of the servers' data. */
  readonly folder: string;
  private readonly guard: Guard;

  private constructor(parts: {
    members: readonly ClusterMember[];
    database: EmbeddedPostgres;
    nats: NatsServer;
    folder: string;
    guard: Guard;
  }) {
    this.members = parts.members;
    this.database = parts.database;
    this.nats = parts.nats;
    this.folder = parts.folder;
    this.guard = parts.guard;
  }

  /** Starts the database and NATS, and prepares the servers, which the caller starts. */
  static async prepare(): Promise<ClusterProcesses> {
    const { folder, guard } = guardedFolder();
    copySeededData(folder);
    const database = await startEmbeddedPostgres({
      dataDirectory: join(folder, 'database'),
      log: () => undefined,
      connectionsMax:
        COUNTS.writer * CONNECTIONS_MAX.writer +
        COUNTS.api * CONNECTIONS_MAX.apiNode +
        COUNTS.feed * CONNECTIONS_MAX.node +
        COUNTS.worker * CONNECTIONS_MAX.worker +
        SPARE_CONNECTIONS,
    });
    const serverDirectory = folderBesideDatabase(folder);
    const nats = await NatsServer.start();
    const members: ClusterMember[] = [];
    for (const [role, count] of Object.entries(COUNTS) as [ClusterRole, number][])
      for (let index = 0; index < count; index += 1)
        members.push(await prepareMember(role, { database, nats, folder: serverDirectory, guard }));
    const prepared = new ClusterProcesses({ members, database, nats, folder: serverDirectory, guard });
    registerResource(prepared);
    return prepared;
  }

  ofRole(role: ClusterRole): readonly ClusterMember[] {
    return this.members.filter((member) => member.role === role);
  }

  /** Stops all servers, NATS and the database, and removes their files. */
  async close(): Promise<void> {
    await Promise.all(this.members.map(({ server }) => server.close()));
    for (const { natsLine, databaseLine } of this.members) {
      await natsLine.close();
      await databaseLine.close();
    }
    await this.nats.stop();
    const { host } = this.database.connection;
    await this.database.stop();
    unregisterResource(this);
    rmSync(host, { recursive: true, force: true });
    await this.guard.cleanUp();
  }
}

async function prepareMember(
  role: ClusterRole,
  {
    database,
    nats,
    folder,
    guard,
  }: Pick<ClusterProcesses, 'database' | 'nats' | 'folder'> & { readonly guard: Guard },
): Promise<ClusterMember> {
  const natsLine = await CuttableLine.open(nats.port);
  const databaseLine = await FaultProxy.start(database.connection);
  const databaseUrl = new URL(databaseLine.connectionString);
  databaseUrl.username = embeddedRuntimeUser;
  const server = await ServerProcess.prepare({
    databaseUrl: databaseUrl.href,
    databaseOwnerUrl: role === 'writer' ? databaseLine.connectionString : '',
    within: { dataDirectory: folder, guard },
    settings: {
      ROLE: role,
      NATS_URL: `nats://127.0.0.1:${natsLine.port}`,
      WORKERS: role === 'writer' ? 'on' : 'off',
      // API nodes answer lists themselves; the only database takes the place of the replica.
      REPLICA_DATABASE_URL: role === 'api' ? databaseUrl.href : '',
      DRAIN_SECONDS: '0',
    },
  });
  return {
    role,
    server,
    natsLine,
    databaseLine,
  };
}
