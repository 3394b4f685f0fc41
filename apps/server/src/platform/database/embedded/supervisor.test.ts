import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../../../testing/eventually.ts';
import { runSql, EmbeddedSandbox, killHard } from '../../../../testing/embedded-sandbox.ts';
import { errorMessage } from '../../error-message.ts';
import { readLockFile } from './lock-file.ts';
import { stateOf } from './processes.ts';
import { setPasswordRequired } from './password.ts';
import { embeddedRuntimeUser } from './settings.ts';
import type { EmbeddedPostgres } from './supervisor.ts';

// Creating a PostgreSQL data directory is slow, so most tests use the same one or copies of it. Each test must leave
// its server stopped.
const sandbox = new EmbeddedSandbox();
beforeEach(() => void (sandbox.messages.length = 0));
afterEach(() => sandbox.stopAll());
afterAll(() => sandbox.clear());

/** Copies the shared data folder, after its first start, to folders with these names. */
async function copyShared(names: readonly string[]): Promise<void> {
  if (!existsSync(join(sandbox.root, 'database/cluster'))) await (await sandbox.start()).stop();
  sandbox.copy('database', names);
}

async function timed<T>(label: string, action: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await action();
  console.log(`${label}: ${Math.round(performance.now() - began)} ms`);
  return result;
}

function until(label: string, condition: () => boolean): Promise<void> {
  return eventually(() => expect(condition(), label).toBe(true), 5);
}

const people = 'SELECT name FROM person';
const setAda = `TRUNCATE person; INSERT INTO person VALUES ('Ada')`;

/** Writes a lock file of PostgreSQL with process id `pid` into the data directory. */
function writeLock(cluster: string, pid: number): void {
  writeFileSync(
    join(cluster, 'postmaster.pid'),
    `${pid}\n${cluster}\n1700000000\n5432\n/nowhere\n\n1 1\nready   \n`,
  );
}

it('DB-001 the first start creates the database and the second finds it', async () => {
  const first = await timed('first start (initdb and start)', () => sandbox.start());
  await runSql(first.connection, `CREATE TABLE person AS SELECT 'Ada' AS name`);
  await first.stop();
  expect(stateOf(first.pid)).not.toBe('alive');
  const second = await timed('warm start', () => sandbox.start());
  expect(await runSql(second.connection, people)).toEqual([{ name: 'Ada' }]);
  await timed('stop', () => second.stop());
});

it('DB-002 the server listens only on a socket that its own account can reach', async () => {
  const postgres = await sandbox.start();
  const folder = statSync(postgres.connection.host);
  expect(folder.mode & 0o777).toBe(0o700);
  expect(folder.uid).toBe(statSync(postgres.dataDirectory).uid);
  expect(Buffer.byteLength(postgres.connection.host)).toBeLessThan(80);
  expect(await runSql(postgres.connection, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
});

it('DB-060 the runtime role owns nothing and is added to clusters of older versions', async () => {
  const asRuntime = (postgres: EmbeddedPostgres) => ({ ...postgres.connection, user: embeddedRuntimeUser });
  const me = `SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication AS may
    FROM pg_roles WHERE rolname = current_user`;
  const first = await sandbox.start();
  expect(await runSql(asRuntime(first), me)).toEqual([{ rolname: embeddedRuntimeUser, may: false }]);
  await runSql(first.connection, `DROP ROLE ${embeddedRuntimeUser}`);
  await first.stop();
  const second = await sandbox.start();
  expect(await runSql(asRuntime(second), me)).toEqual([{ rolname: embeddedRuntimeUser, may: false }]);
});

it('DB-890 both roles require a password, also in older clusters, and a lost password file locks nobody out', async () => {
  const login = async (postgres: EmbeddedPostgres, change: object) =>
    runSql({ ...postgres.connection, ...change }, 'SELECT 1 AS one').then(() => 'in', errorMessage);
  const requirePassword = async (postgres: EmbeddedPostgres) => {
    for (const user of [postgres.connection.user, embeddedRuntimeUser]) {
      expect(await login(postgres, { user })).toBe('in');
      // After the signal PostgreSQL reloads `pg_hba.conf` with a short delay, so the test waits.
      await expect
        .poll(() => login(postgres, { user, password: 'guessed' }))
        .toContain('authentication failed');
      expect(await login(postgres, { user, password: '' })).not.toBe('in');
    }
    expect(await runSql(postgres.connection, people)).toEqual([{ name: 'Ada' }]);
  };
  await copyShared(['secret']);
  const first = await sandbox.start('secret');
  await runSql(first.connection, `DROP TABLE IF EXISTS person; CREATE TABLE person AS SELECT 'Ada' AS name`);
  await requirePassword(first);
  const storedKinds = `SELECT DISTINCT split_part(rolpassword, ':', 1) AS kind FROM pg_authid WHERE rolcanlogin`;
  expect(await runSql(first.connection, storedKinds)).toEqual([{ kind: 'SCRAM-SHA-256$1' }]);
  const file = join(dirname(first.dataDirectory), 'password');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const password = readFileSync(file, 'utf8').trim();
  expect(password).toMatch(/^[\w-]{43}$/);
  await first.stop();
  // The test brings the data folder into the state of an older version: there is no password file, and PostgreSQL
  // requires no password.
  rmSync(file);
  setPasswordRequired(first.dataDirectory, false);
  const second = await sandbox.start('secret');
  await requirePassword(second);
  // The password file is lost while PostgreSQL requires a password, and is later replaced by a wrong one, as after
  // incomplete copies of the data folder.
  await second.stop();
  rmSync(file);
  const third = await sandbox.start('secret');
  await requirePassword(third);
  await third.stop();
  writeFileSync(file, `${password}\n`);
  const fourth = await sandbox.start('secret');
  await requirePassword(fourth);
  await fourth.stop();
  const logs = join(dirname(first.dataDirectory), 'log');
  for (const name of existsSync(logs) ? readdirSync(logs) : [])
    expect(readFileSync(join(logs, name), 'utf8')).not.toContain(password);
});

it('DB-013 socket folders of deleted databases are removed, and no others', async () => {
  const names = ['gone', 'stays', 'alive'];
  await copyShared(names);
  const [gone, stays, alive] = await Promise.all(names.map((name) => sandbox.start(name)));
  const folders = [gone!, stays!, alive!].map(({ connection }) => connection.host);
  await gone!.stop();
  await stays!.stop();
  rmSync(join(sandbox.root, 'gone'), { recursive: true });
  // A socket folder that also contains other files is not removed.
  const foreign = join(dirname(folders[0]!), basename(folders[0]!).replace(/.{12}$/, 'ffffffffffff'));
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'cluster.txt'), '/gone/for/good\n');
  writeFileSync(join(foreign, 'letter.txt'), 'to a friend');
  const { uid, gid } = statSync(folders[0]!);
  chownSync(foreign, uid, gid);
  try {
    await sandbox.start();
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true]);
    expect(readdirSync(foreign)).toContain('letter.txt');
    expect(sandbox.messages).toContain('socket folders of deleted databases cleared');
    expect(await runSql(alive!.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  } finally {
    rmSync(foreign, { recursive: true });
  }
});

it('DB-003 the server runs with durable commits, checksums and UTF-8', async () => {
  const postgres = await sandbox.start();
  const rows = await runSql<{ name: string; setting: string }>(
    postgres.connection,
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes',
      'data_checksums', 'jit', 'wal_init_zero', 'wal_level', 'server_encoding', 'min_wal_size')`,
  );
  expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    jit: 'off',
    wal_init_zero: 'off',
    wal_level: 'replica',
    server_encoding: 'UTF8',
    min_wal_size: '512',
  });
});

it('DB-004 a server left behind by a killed parent is adopted, monitored and stopped', async () => {
  const { child, report } = await sandbox.startInChild();
  await runSql(report.connection, setAda);
  await killHard(child);
  expect(stateOf(report.pid)).toBe('alive');

  const adopted = await timed('adoption', () => sandbox.start());
  expect(adopted.pid).toBe(report.pid);
  expect(sandbox.messages).toContain('database adopted');
  expect(await runSql(adopted.connection, people)).toEqual([{ name: 'Ada' }]);

  let exits = 0;
  adopted.onUnexpectedExit(() => (exits += 1));
  process.kill(adopted.pid, 'SIGKILL');
  await until('the exit of an adopted server is noticed', () => exits === 1);
  await adopted.ensureRunning();
  expect(await runSql(adopted.connection, people)).toEqual([{ name: 'Ada' }]);
  await adopted.stop();
  expect(stateOf(adopted.pid)).not.toBe('alive');
  expect(exits).toBe(1);
});

it('DB-005 the database starts after server and database were killed together', async () => {
  const { child, report } = await sandbox.startInChild();
  await runSql(report.connection, setAda);
  process.kill(report.pid, 'SIGKILL');
  await killHard(child);
  const postgres = await timed('start after kill -9 of both', () => sandbox.start());
  expect(postgres.pid).not.toBe(report.pid);
  expect(await runSql(postgres.connection, people)).toEqual([{ name: 'Ada' }]);
});

it('DB-006 a lock whose process id belongs to another program is cleared', async () => {
  const first = await sandbox.start();
  await first.stop();
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    writeLock(first.dataDirectory, stranger.pid ?? 0);
    const second = await sandbox.start();
    expect(await runSql(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(stateOf(stranger.pid ?? 0)).toBe('alive');
  } finally {
    stranger.kill('SIGKILL');
  }
});

it('DB-006 a lock whose process is a zombie is cleared', async () => {
  const first = await sandbox.start();
  await first.stop();
  // Creates a zombie process: the child of the first shell is adopted by the second shell, which
  // becomes `sleep` and never waits for it.
  const careless = spawn('sh', ['-c', 'sleep 600 & exec sh -c "echo $!; exec sleep 600"'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [output] = (await once(careless.stdout, 'data')) as [Buffer];
    const corpse = Number(output.toString());
    // A shell that has not become `sleep` yet could read its child's exit status, so the process is suspended
    // first. The child then stays a zombie.
    careless.kill('SIGSTOP');
    process.kill(corpse, 'SIGKILL');
    await until('the child is a zombie', () => stateOf(corpse) === 'zombie');
    writeLock(first.dataDirectory, corpse);
    const second = await sandbox.start();
    expect(await runSql(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  } finally {
    careless.kill('SIGKILL');
  }
});

it('DB-007 a killed database is reported and restarted with all committed data', async () => {
  const postgres = await sandbox.start();
  await runSql(postgres.connection, setAda);
  const killed = postgres.pid;
  const noticed = new Promise<void>((resolve) => postgres.onUnexpectedExit(resolve));
  process.kill(killed, 'SIGKILL');
  await timed('restart after kill -9 of the database', () =>
    Promise.all([postgres.ensureRunning(), postgres.ensureRunning()]),
  );
  await noticed;
  expect(postgres.pid).not.toBe(killed);
  expect(await runSql(postgres.connection, people)).toEqual([{ name: 'Ada' }]);
  const healthy = postgres.pid;
  await postgres.ensureRunning();
  expect(postgres.pid).toBe(healthy);
});

it('DB-008 a start waits for a stopping server', async () => {
  const first = await sandbox.start();
  const stopping = first.stop();
  // PostgreSQL's lock file says `ready` until the signal to stop has arrived, so the test waits for that.
  await until('the server stops', () => readLockFile(first.dataDirectory)?.status !== 'ready');
  const second = await sandbox.start();
  await stopping;
  expect(second.pid).not.toBe(first.pid);
  expect(await runSql(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await expect(first.ensureRunning()).rejects.toThrow('stopped');
});

it('DB-009 a running server whose socket was deleted is restarted', async () => {
  const first = await sandbox.start();
  rmSync(join(first.connection.host, '.s.PGSQL.5432'));
  const second = await sandbox.start();
  expect(second.pid).not.toBe(first.pid);
  expect(await runSql(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('DB-010 concurrent starts share the same server', async () => {
  const [first, second] = await Promise.all([sandbox.start('twice'), sandbox.start('twice')]);
  expect(first.pid).toBe(second.pid);
  expect(readdirSync(join(sandbox.root, 'twice')).sort()).toEqual(['cluster', 'log', 'password']);
});

it('DB-011 a kill during the creation of the database leaves no partial cluster', async () => {
  const child = sandbox.spawnChild('halfway');
  const home = join(sandbox.root, 'halfway');
  const drafts = () => (existsSync(home) ? readdirSync(home).filter((name) => name.includes('.draft-')) : []);
  await until('initdb has begun', () => drafts().some((name) => existsSync(join(home, name, 'base'))));
  await killHard(child);
  expect(existsSync(join(home, 'cluster'))).toBe(false);
  const postgres = await sandbox.start('halfway');
  expect(await runSql(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(drafts()).toEqual([]);
});

it('DB-012 a cluster of an unavailable PostgreSQL version is refused with a sentence for the operator', async () => {
  const first = await sandbox.start();
  await first.stop();
  const versionFile = join(first.dataDirectory, 'PG_VERSION');
  const version = readFileSync(versionFile, 'utf8');
  try {
    writeFileSync(versionFile, '9\n');
    await expect(sandbox.start()).rejects.toThrow(/no PostgreSQL 9 for .*Looked at: .*version \d+/);
  } finally {
    writeFileSync(versionFile, version);
  }
});
