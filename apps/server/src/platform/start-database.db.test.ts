import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withRuntimeRole, testDatabase, urlOf } from '../../testing/database.ts';
import { serverAccount } from './database/embedded/account.ts';
import { secureDataDirectory } from './database/embedded/data-directory.ts';
import { stateOf } from './database/embedded/processes.ts';
import { clientOptions } from './database/pool.ts';
import { startDatabase, type DatabaseServer } from './start-database.ts';

const rootDirectory = fileURLToPath(new URL('../../../..', import.meta.url));
const others = 0o007;

describe('the data folder and its database', () => {
  let dataDirectory: string;
  let started: DatabaseServer[];
  beforeEach(() => {
    started = [];
    dataDirectory = mkdtempSync(join(tmpdir(), 'amethyst-data-'));
    chmodSync(dataDirectory, 0o755);
  });
  afterEach(async () => {
    for (const server of started) await server.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  const start = async (): Promise<DatabaseServer> => {
    const noUrls = { databaseUrl: undefined, databaseOwnerUrl: undefined, replicaDatabaseUrl: undefined };
    const server = await startDatabase({ ...noUrls, dataDirectory, rootDirectory, log: () => undefined });
    started.push(server);
    return server;
  };

  it('DB-066 the data folder is closed to other users, when created and when it was open', async () => {
    const first = await start();
    const account = serverAccount(join(dataDirectory, 'database/cluster'));
    const folder = statSync(dataDirectory);
    const [mode, gid] = account.dropsRights ? [0o710, account.gid] : [0o700, folder.gid];
    expect(folder).toMatchObject({ gid });
    expect(folder.mode & 0o777).toBe(mode);
    expect(existsSync(join(dataDirectory, 'database/cluster/PG_VERSION'))).toBe(true);
    await first.stop();
    started.pop();
    chmodSync(dataDirectory, 0o777);
    const second = await start();
    expect(statSync(dataDirectory).mode & others).toBe(0);
    expect((await second.pool.query('select current_user as role')).rows).toEqual([
      { role: 'exchange_runtime' },
    ]);
  });

  it('LIVE-014 a connection error names the setting of the unreachable database', async () => {
    const database = await testDatabase();
    const [here, away] = [urlOf(database.connection), 'postgres://nobody@127.0.0.1:9/none'];
    const startWith = (databaseUrl: string, databaseOwnerUrl: string) =>
      startDatabase({
        databaseUrl,
        databaseOwnerUrl,
        replicaDatabaseUrl: undefined,
        dataDirectory,
        rootDirectory,
        log: () => undefined,
      });
    try {
      await expect(startWith(away, here)).rejects.toThrow(/^DATABASE_URL: .*ECONNREFUSED/);
      await expect(startWith(here, away)).rejects.toThrow(/^DATABASE_OWNER_URL: .*ECONNREFUSED/);
    } finally {
      await database.drop();
    }
  });

  it('DB-066 a folder with other content keeps its permissions', () => {
    const warned: string[] = [];
    const secureAndRead = (path: string) => {
      secureDataDirectory(path, undefined, (_level, message) => warned.push(message));
      return statSync(path).mode & 0o777;
    };
    expect(secureAndRead(join(dataDirectory, 'new', 'data'))).toBe(0o700);
    const home = join(dataDirectory, 'home');
    mkdirSync(home);
    chmodSync(home, 0o755);
    writeFileSync(join(home, 'letter.txt'), 'to a friend');
    expect(secureAndRead(home)).toBe(0o755);
    expect(warned).toHaveLength(1);
    writeFileSync(join(home, 'secret.key'), '');
    expect(secureAndRead(home)).toBe(0o700);
  });

  it('DB-063 a single role works with a warning in the log; two roles are separated', async () => {
    const testDb = await testDatabase({ withSchema: false });
    const warned: string[] = [];
    const startAndMigrate = async (databaseUrl: string, databaseOwnerUrl: string | undefined) => {
      const server = await startDatabase({
        databaseUrl,
        databaseOwnerUrl,
        replicaDatabaseUrl: undefined,
        dataDirectory,
        rootDirectory,
        log: (level, message) => void (level === 'warn' && warned.push(message)),
      });
      await server.bringUpToDate();
      const { rows } = await server.pool.query(`select has_table_privilege('ledger_entry', 'DELETE') as may`);
      await server.stop();
      return rows;
    };
    const owner = urlOf(testDb.connection);
    expect(await startAndMigrate(owner, undefined)).toEqual([{ may: true }]);
    expect(warned.splice(0)).toEqual(['role owns its tables']);
    expect(await startAndMigrate(urlOf(withRuntimeRole(testDb.connection)), owner)).toEqual([{ may: false }]);
    expect(warned).toEqual([]);
    await testDb.drop();
  });

  it('CLU-101 a standby that found everything in place reads only the migrations again', async () => {
    const testDb = await testDatabase({ withSchema: false });
    const startNext = async () => {
      const server = await startDatabase({
        databaseUrl: urlOf(withRuntimeRole(testDb.connection)),
        databaseOwnerUrl: urlOf(testDb.connection),
        replicaDatabaseUrl: undefined,
        dataDirectory,
        rootDirectory,
        log: () => undefined,
      });
      started.push(server);
      return server;
    };
    try {
      const standby = await startNext();
      expect(await standby.isSchemaCurrent()).toBe(false);
      const writer = await startNext();
      expect(await writer.bringUpToDate()).toBe(true);
      const owner = new pg.Client(clientOptions(testDb.connection, 'test'));
      await owner.connect();
      const mayWrite = async () => {
        const { rows } = await owner.query<{ may: boolean }>(
          `select has_table_privilege('exchange_runtime', 'ledger_entry', 'INSERT') as may`,
        );
        return rows[0]!.may;
      };
      const revoke = 'revoke insert on ledger_entry from exchange_runtime';

      expect(await standby.isSchemaCurrent()).toBe(true);
      await owner.query(revoke);
      expect(await standby.bringUpToDate()).toBe(false);
      // The test has revoked the privilege after `isSchemaCurrent` had found all privileges complete, which does not
      // happen in operation. The privilege is still missing, so `bringUpToDate` has not checked the privileges again.
      expect(await mayWrite()).toBe(false);
      // `isSchemaCurrent` now detects that the privilege is missing, so the standby grants it when it takes over.
      expect(await standby.isSchemaCurrent()).toBe(true);
      expect(await standby.bringUpToDate()).toBe(false);
      expect(await mayWrite()).toBe(true);
      await owner.end();
    } finally {
      for (const server of started.splice(0)) await server.stop();
      await testDb.drop();
    }
  });

  it('DB-072 the embedded database keeps running for another process that is its writer', async () => {
    const first = await start();
    const writer = new pg.Client(clientOptions(first.connection, 'exchange-writer'));
    // If the test fails, this connection may end with an error, which must not hide the failure.
    writer.on('error', () => undefined);
    await writer.connect();
    await writer.query('select pg_advisory_lock(7301441882)');
    const second = await start();
    const { pid } = second.embedded!;
    expect(pid).toBe(first.embedded!.pid);
    await second.stop();
    expect(stateOf(pid)).toBe('alive');
    expect((await writer.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await writer.end();
    await first.stop();
    expect(stateOf(pid)).not.toBe('alive');
    started.length = 0;
  });
});
