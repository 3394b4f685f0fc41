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
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../../../testing/eventually.ts';
import { ask, EmbeddedSandbox, killHard } from '../../../../testing/embedded-sandbox.ts';
import { readLockFile } from './lock-file.ts';
import { stateOf } from './processes.ts';
import { askForPassword } from './password.ts';
import { embeddedRuntimeUser } from './settings.ts';
import type { EmbeddedPostgres } from './supervisor.ts';

// Making a cluster takes longer than all the rest: most tests share one and leave it stopped.
const sandbox = new EmbeddedSandbox();
beforeEach(() => void (sandbox.messages.length = 0));
afterEach(() => sandbox.stopAll());
afterAll(() => sandbox.clear());

async function timed<T>(what: string, action: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await action();
  console.log(`${what}: ${Math.round(performance.now() - began)} ms`);
  return result;
}

function until(what: string, condition: () => boolean): Promise<void> {
  return eventually(() => expect(condition(), what).toBe(true), 5);
}

const people = 'SELECT name FROM person';
const setAda = `TRUNCATE person; INSERT INTO person VALUES ('Ada')`;

/** A lock file as PostgreSQL leaves it, naming process `pid`. */
function writeLock(cluster: string, pid: number): void {
  writeFileSync(
    join(cluster, 'postmaster.pid'),
    `${pid}\n${cluster}\n1700000000\n5432\n/nowhere\n\n1 1\nready   \n`,
  );
}

it('DB-001 makes the database at the first start and finds it again at the second', async () => {
  const first = await timed('first start (initdb and start)', () => sandbox.start());
  await ask(first.connection, `CREATE TABLE person AS SELECT 'Ada' AS name`);
  await first.stop();
  expect(stateOf(first.pid)).not.toBe('alive');
  const second = await timed('warm start', () => sandbox.start());
  expect(await ask(second.connection, people)).toEqual([{ name: 'Ada' }]);
  await timed('stop', () => second.stop());
});

it('DB-002 listens on nothing but a socket that only its own account may reach', async () => {
  const postgres = await sandbox.start();
  const folder = statSync(postgres.connection.host);
  expect(folder.mode & 0o777).toBe(0o700);
  expect(folder.uid).toBe(statSync(postgres.dataDirectory).uid);
  expect(Buffer.byteLength(postgres.connection.host)).toBeLessThan(80);
  expect(await ask(postgres.connection, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
});

it('DB-060 has a role that owns nothing, also on data of before there was one', async () => {
  const asRuntime = (postgres: EmbeddedPostgres) => ({ ...postgres.connection, user: embeddedRuntimeUser });
  const me = `SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication AS may
    FROM pg_roles WHERE rolname = current_user`;
  const first = await sandbox.start();
  expect(await ask(asRuntime(first), me)).toEqual([{ rolname: embeddedRuntimeUser, may: false }]);
  await ask(first.connection, `DROP ROLE ${embeddedRuntimeUser}`);
  await first.stop();
  const second = await sandbox.start();
  expect(await ask(asRuntime(second), me)).toEqual([{ rolname: embeddedRuntimeUser, may: false }]);
});

it('DB-890 asks either role for a password, that of data of before too, and a lost one shuts nobody out', async () => {
  const login = async (postgres: EmbeddedPostgres, change: object) =>
    ask({ ...postgres.connection, ...change }, 'SELECT 1 AS one').then(
      () => 'in',
      (failure: unknown) => (failure instanceof Error ? failure.message : String(failure)),
    );
  const requirePassword = async (postgres: EmbeddedPostgres) => {
    for (const user of [postgres.connection.user, embeddedRuntimeUser]) {
      expect(await login(postgres, { user })).toBe('in');
      // The server reads its new rules a moment after it was told to.
      await vi.waitFor(
        async () =>
          expect(await login(postgres, { user, password: 'guessed' })).toContain('authentication failed'),
        { timeout: 10_000 },
      );
      expect(await login(postgres, { user, password: '' })).not.toBe('in');
    }
    expect(await ask(postgres.connection, people)).toEqual([{ name: 'Ada' }]);
  };
  const first = await sandbox.start('secret');
  await ask(first.connection, `CREATE TABLE person AS SELECT 'Ada' AS name`);
  await requirePassword(first);
  const kept = `SELECT DISTINCT split_part(rolpassword, ':', 1) AS kind FROM pg_authid WHERE rolcanlogin`;
  expect(await ask(first.connection, kept)).toEqual([{ kind: 'SCRAM-SHA-256$1' }]);
  const file = join(dirname(first.dataDirectory), 'password');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const password = readFileSync(file, 'utf8').trim();
  expect(password).toMatch(/^[\w-]{43}$/);
  await first.stop();
  // As an earlier version left it: no password, and nobody asked for one.
  rmSync(file);
  askForPassword(first.dataDirectory, false);
  const second = await sandbox.start('secret');
  await requirePassword(second);
  // Lost while it is asked for, and another's: as after copies of parts of the folder.
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

it('DB-013 clears the socket folders of databases that are gone, and no other', async () => {
  const [gone, stays, alive] = await Promise.all(
    ['gone', 'stays', 'alive'].map((name) => sandbox.start(name)),
  );
  const folders = [gone!, stays!, alive!].map(({ connection }) => connection.host);
  await gone!.stop();
  await stays!.stop();
  rmSync(join(sandbox.root, 'gone'), { recursive: true });
  // What is not ours keeps its folder.
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
    expect(await ask(alive!.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  } finally {
    rmSync(foreign, { recursive: true });
  }
});

it('DB-003 runs with the settings that keep acknowledged commits, checksums and UTF-8', async () => {
  const postgres = await sandbox.start();
  const rows = await ask<{ name: string; setting: string }>(
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

it('DB-004 adopts the server that a killed parent left behind, watches it and stops it', async () => {
  const { child, report } = await sandbox.startInChild();
  await ask(report.connection, setAda);
  await killHard(child);
  expect(stateOf(report.pid)).toBe('alive');

  const adopted = await timed('adoption', () => sandbox.start());
  expect(adopted.pid).toBe(report.pid);
  expect(sandbox.messages).toContain('database adopted');
  expect(await ask(adopted.connection, people)).toEqual([{ name: 'Ada' }]);

  let exits = 0;
  adopted.onUnexpectedExit(() => (exits += 1));
  process.kill(adopted.pid, 'SIGKILL');
  await until('the exit of an adopted server is noticed', () => exits === 1);
  await adopted.ensureRunning();
  expect(await ask(adopted.connection, people)).toEqual([{ name: 'Ada' }]);
  await adopted.stop();
  expect(stateOf(adopted.pid)).not.toBe('alive');
  expect(exits).toBe(1);
});

it('DB-005 comes up after server and database were killed together', async () => {
  const { child, report } = await sandbox.startInChild();
  await ask(report.connection, setAda);
  process.kill(report.pid, 'SIGKILL');
  await killHard(child);
  const postgres = await timed('start after kill -9 of both', () => sandbox.start());
  expect(postgres.pid).not.toBe(report.pid);
  expect(await ask(postgres.connection, people)).toEqual([{ name: 'Ada' }]);
});

it('DB-006 clears a lock whose process number now belongs to another program', async () => {
  const first = await sandbox.start();
  await first.stop();
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    writeLock(first.dataDirectory, stranger.pid ?? 0);
    const second = await sandbox.start();
    expect(await ask(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(stateOf(stranger.pid ?? 0)).toBe('alive');
  } finally {
    stranger.kill('SIGKILL');
  }
});

it('DB-006 clears a lock whose process is dead but not collected', async () => {
  const first = await sandbox.start();
  await first.stop();
  // The first shell's child becomes one of the second, which knows nothing of it, and then of `sleep`.
  const careless = spawn('sh', ['-c', 'sleep 600 & exec sh -c "echo $!; exec sleep 600"'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [output] = (await once(careless.stdout, 'data')) as [Buffer];
    const corpse = Number(output.toString());
    // A shell that has not yet become `sleep` may collect its child; a stopped one cannot.
    careless.kill('SIGSTOP');
    process.kill(corpse, 'SIGKILL');
    await until('the child is a zombie', () => stateOf(corpse) === 'zombie');
    writeLock(first.dataDirectory, corpse);
    const second = await sandbox.start();
    expect(await ask(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  } finally {
    careless.kill('SIGKILL');
  }
});

it('DB-007 reports a killed database and restarts it with everything that was committed', async () => {
  const postgres = await sandbox.start();
  await ask(postgres.connection, setAda);
  const killed = postgres.pid;
  const noticed = new Promise<void>((resolve) => postgres.onUnexpectedExit(resolve));
  process.kill(killed, 'SIGKILL');
  await timed('restart after kill -9 of the database', () =>
    Promise.all([postgres.ensureRunning(), postgres.ensureRunning()]),
  );
  await noticed;
  expect(postgres.pid).not.toBe(killed);
  expect(await ask(postgres.connection, people)).toEqual([{ name: 'Ada' }]);
  const healthy = postgres.pid;
  await postgres.ensureRunning();
  expect(postgres.pid).toBe(healthy);
});

it('DB-008 waits for a server that is stopping, then starts', async () => {
  const first = await sandbox.start();
  const stopping = first.stop();
  // Until the signal has reached the server, it answers as any healthy one.
  await until('the server stops', () => readLockFile(first.dataDirectory)?.status !== 'ready');
  const second = await sandbox.start();
  await stopping;
  expect(second.pid).not.toBe(first.pid);
  expect(await ask(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await expect(first.ensureRunning()).rejects.toThrow('stopped');
});

it('DB-009 restarts a server that is alive but whose socket was deleted', async () => {
  const first = await sandbox.start();
  rmSync(join(first.connection.host, '.s.PGSQL.5432'));
  const second = await sandbox.start();
  expect(second.pid).not.toBe(first.pid);
  expect(await ask(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('DB-010 gives two starts at once the same server', async () => {
  const [one, two] = await Promise.all([sandbox.start('twice'), sandbox.start('twice')]);
  expect(one.pid).toBe(two.pid);
  expect(readdirSync(join(sandbox.root, 'twice')).sort()).toEqual(['cluster', 'log', 'password']);
});

it('DB-011 survives a kill in the middle of making the database', async () => {
  const child = sandbox.spawnChild('halfway');
  const home = join(sandbox.root, 'halfway');
  const drafts = () => (existsSync(home) ? readdirSync(home).filter((name) => name.includes('.draft-')) : []);
  await until('initdb has begun', () => drafts().some((name) => existsSync(join(home, name, 'base'))));
  await killHard(child);
  expect(existsSync(join(home, 'cluster'))).toBe(false);
  const postgres = await sandbox.start('halfway');
  expect(await ask(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(drafts()).toEqual([]);
});

it('DB-012 refuses a cluster made by a PostgreSQL that is not here, in words for the operator', async () => {
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
