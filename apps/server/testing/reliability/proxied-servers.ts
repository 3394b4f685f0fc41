import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copySeededData } from '../../../../tools/testing/seeded-data.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded/supervisor.ts';
import { embeddedRuntimeUser } from '../../src/platform/database/embedded/settings.ts';
import type { Guard } from '../guard.ts';
import { FaultProxy } from '../faults/fault-proxy.ts';
import { unregisterResource, registerResource } from './resources.ts';
import { folderBesideDatabase, guardedFolder, ServerProcess } from './server-process.ts';

/** A dedicated PostgreSQL with built servers, each connected through its own fault proxy. */
export class ProxiedServers {
  readonly servers: readonly ServerProcess[];
  readonly proxies: readonly FaultProxy[];
  readonly database: EmbeddedPostgres;
  private readonly guard: Guard;

  private constructor(parts: {
    guard: Guard;
    database: EmbeddedPostgres;
    servers: readonly ServerProcess[];
    proxies: readonly FaultProxy[];
  }) {
    this.guard = parts.guard;
    this.database = parts.database;
    this.servers = parts.servers;
    this.proxies = parts.proxies;
  }

  /**
   * Starts the database with the demo's data and prepares `count` servers, which the caller starts. All servers share
   * one folder.
   */
  static async prepare(count: number): Promise<ProxiedServers> {
    const { folder, guard } = guardedFolder();
    copySeededData(folder);
    const dataDirectory = join(folder, 'database');
    const database = await startEmbeddedPostgres({ dataDirectory, log: () => undefined });
    const serverDirectory = folderBesideDatabase(folder);
    const proxies: FaultProxy[] = [];
    const servers: ServerProcess[] = [];
    while (servers.length < count) {
      const proxy = await FaultProxy.start(database.connection);
      proxies.push(proxy);
      const databaseOwnerUrl = proxy.connectionString;
      const databaseUrl = withServerRole(databaseOwnerUrl);
      const within = { dataDirectory: serverDirectory, guard };
      servers.push(await ServerProcess.prepare({ databaseUrl, databaseOwnerUrl, within }));
    }
    const prepared = new ProxiedServers({ guard, database, servers, proxies });
    registerResource(prepared);
    return prepared;
  }

  /** Stops all servers and the database and removes their files. */
  async close(): Promise<void> {
    for (const server of this.servers) await server.close();
    for (const proxy of this.proxies) await proxy.close();
    const { host } = this.database.connection;
    await this.database.stop();
    unregisterResource(this);
    rmSync(host, { recursive: true, force: true });
    await this.guard.cleanUp();
  }
}

function withServerRole(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = embeddedRuntimeUser;
  return url.href;
}
