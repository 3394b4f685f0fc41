import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded/supervisor.ts';
import { FaultProxy } from '../faults/fault-proxy.ts';
import { noteClosed, noteOpened } from './opened.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

/** A PostgreSQL of our own and built servers on it, each behind a proxy of its own that can break the line. */
export class ProxiedServers {
  readonly servers: readonly ServerProcess[];
  readonly proxies: readonly FaultProxy[];
  readonly database: EmbeddedPostgres;
  private readonly folder: string;

  private constructor(parts: {
    folder: string;
    database: EmbeddedPostgres;
    servers: readonly ServerProcess[];
    proxies: readonly FaultProxy[];
  }) {
    this.folder = parts.folder;
    this.database = parts.database;
    this.servers = parts.servers;
    this.proxies = parts.proxies;
  }

  /** The database runs and the servers, which share one data folder, have not been started. */
  static async prepare(count: number): Promise<ProxiedServers> {
    const folder = temporaryFolder();
    const dataDirectory = join(folder, 'database');
    const database = await startEmbeddedPostgres({ dataDirectory, log: () => undefined });
    const proxies: FaultProxy[] = [];
    const servers: ServerProcess[] = [];
    while (servers.length < count) {
      const proxy = await FaultProxy.before(database.connection);
      proxies.push(proxy);
      const databaseUrl = proxy.connectionString;
      servers.push(await ServerProcess.prepare({ databaseUrl, dataDirectory: join(folder, 'server') }));
    }
    const prepared = new ProxiedServers({ folder, database, servers, proxies });
    noteOpened(prepared);
    return prepared;
  }

  /** Ends whatever still runs and removes the files. */
  async close(): Promise<void> {
    for (const server of this.servers) await server.close();
    for (const proxy of this.proxies) await proxy.close();
    const { host } = this.database.connection;
    await this.database.stop();
    noteClosed(this);
    rmSync(host, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
