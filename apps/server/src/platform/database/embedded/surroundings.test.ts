import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runSql, EmbeddedSandbox } from '../../../../testing/embedded-sandbox.ts';
import { serverAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { copyPackage, findPackage, linkLibraries } from './platform-package.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot)
  console.log('not root: what only root meets (other accounts, unreachable folders) is not tested');

const sandbox = new EmbeddedSandbox();
afterEach(() => sandbox.stopAll());
afterAll(() => sandbox.clear());

describe.runIf(isRoot)('started by root', () => {
  // Data folder shared by several tests, because creating PostgreSQL's data directory is slow.
  const folder = join(sandbox.root, 'shared');
  const shared = join('shared', 'data');
  beforeAll(() => mkdirSync(folder));

  it('DB-020 PostgreSQL runs as an unprivileged account', async () => {
    const postgres = await sandbox.start(shared);
    expect(statSync(postgres.dataDirectory).uid).toBe(serverAccount(undefined).uid);
    const status = readFileSync(`/proc/${postgres.pid}/status`, 'utf8');
    expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).toBe(String(serverAccount(undefined).uid));
    expect(/^Groups:\t(.*)$/m.exec(status)?.[1]?.trim()).toBe('');
  });

  it('DB-021 data are stored elsewhere when the account cannot enter the folder, and are found again', async () => {
    const options = sandbox.options(join('unreachable', 'checkout', 'data'));
    mkdirSync(join(sandbox.root, 'unreachable'), { mode: 0o700 });
    const first = await sandbox.startWith(options);
    expect(dirname(dirname(first.dataDirectory))).toBe(options.relocationRoot);
    expect(sandbox.messages).toContain(
      'database lives outside the data directory, which its account may not enter',
    );
    await runSql(first.connection, `CREATE TABLE person AS SELECT 'Ada' AS name`);
    await first.stop();

    // The database stays in the relocated folder, even if PostgreSQL's account can enter the intended folder by then.
    chmodSync(join(sandbox.root, 'unreachable'), 0o755);
    const second = await sandbox.startWith(options);
    expect(second.dataDirectory).toBe(first.dataDirectory);
    expect(await runSql(second.connection, 'SELECT name FROM person')).toEqual([{ name: 'Ada' }]);
    await second.stop();

    rmSync(dirname(second.dataDirectory), { recursive: true });
    await expect(sandbox.startWith(options)).rejects.toThrow(/LOCATION.txt says .* does not exist/);
  });

  it('DB-022 no empty database is created when the path to an existing one becomes inaccessible', async () => {
    const first = await sandbox.start(shared);
    await first.stop();
    chmodSync(folder, 0o700);
    await expect(sandbox.start(shared)).rejects.toThrow(/cannot be reached .* any more/);
    chmodSync(folder, 0o755);
    expect((await sandbox.start(shared)).dataDirectory).toBe(first.dataDirectory);
  });

  it('DB-023 the database starts for an ordinary user, and for root on that user’s data', async () => {
    const nobody = { uid: 65_534, gid: 65_534 };
    const home = join(sandbox.root, 'home');
    mkdirSync(home);
    spawnSync('chown', ['65534:65534', home]);
    const probe = spawnSync(
      process.execPath,
      ['-e', `require('fs').readdirSync(${JSON.stringify(process.cwd())})`],
      {
        ...nobody,
        cwd: '/',
      },
    );
    if (probe.status !== 0) {
      console.log('skipped: an ordinary user may not run Node or read this checkout');
      return;
    }
    const name = join('home', 'data');
    const { report, child } = await sandbox.startInChild(name, {
      ...nobody,
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home },
    });
    expect(statSync(report.dataDirectory).uid).toBe(nobody.uid);
    await runSql(report.connection, `CREATE TABLE person AS SELECT 'Ada' AS name`);
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));

    const byRoot = await sandbox.start(name);
    expect(await runSql(byRoot.connection, 'SELECT name FROM person')).toEqual([{ name: 'Ada' }]);
    expect(statSync(byRoot.dataDirectory).uid).toBe(nobody.uid);
  });

  it('DB-024 a cluster that belongs to root after a copy is started', async () => {
    const first = await sandbox.start(shared);
    await first.stop();
    spawnSync('chown', ['-R', 'root:root', folder]);
    const second = await sandbox.start(shared);
    expect(await runSql(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

const shipped = findPackage();

describe.runIf(shipped !== undefined)("npm's PostgreSQL package", () => {
  const closed = join(sandbox.root, 'closed');
  const native = join(closed, 'native');
  beforeAll(() => {
    mkdirSync(closed);
    cpSync(shipped?.native ?? '', native, {
      recursive: true,
      filter: (source) =>
        !/lib(pq|ecpg|pgtypes|icu\w+)[^/]*\.so(\.\d+)?$/.test(source) && !source.endsWith('.a'),
    });
  });

  it('DB-025 the package is copied once to the cache when the account cannot read it', () => {
    chmodSync(closed, 0o700);
    const cache = join(sandbox.root, 'cache');
    const from = { native, version: shipped?.version ?? '' };
    const copy = copyPackage(from, cache, (_level, message) => sandbox.messages.push(message));
    expect(copy).toBe(join(cache, `postgresql-${from.version}`));
    const account = serverAccount(undefined);
    const versionCheck = spawnSync(join(copy ?? '', 'bin', 'postgres'), ['--version'], {
      ...(isRoot ? { uid: account.uid, gid: account.gid } : {}),
      cwd: '/',
      encoding: 'utf8',
    });
    expect(versionCheck.stdout).toContain('PostgreSQL');
    const copiedAt = statSync(copy ?? '').ctimeMs;
    expect(copyPackage(from, cache, () => undefined)).toBe(copy);
    expect(statSync(copy ?? '').ctimeMs).toBe(copiedAt);
  });

  it('DB-026 the library links that npm cannot contain are created', () => {
    const link = join(native, 'lib', 'libpq.so.5');
    expect(existsSync(link)).toBe(false);
    expect(linkLibraries(native)).toBe(true);
    expect(linkLibraries(native)).toBe(true);
    expect(existsSync(link)).toBe(process.platform === 'linux');
    const versionCheck = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
    expect(versionCheck.stdout).toContain('PostgreSQL');
  });

  it('DB-027 is not taken from a cache folder that others may write', () => {
    const cache = join(sandbox.root, 'a cache folder that other users may write is not used');
    mkdirSync(cache);
    chmodSync(cache, 0o777);
    const from = { native: shipped?.native ?? '', version: shipped?.version ?? '' };
    expect(copyPackage(from, cache, () => undefined)).toBeUndefined();
  });

  it('DB-028 the package is found first and is recent enough', () => {
    const binaries = findBinaries({
      account: serverAccount(undefined),
      majorVersion: undefined,
      searchPath: '/usr/bin',
      cacheDirectories: [join(sandbox.root, 'cache')],
      log: () => undefined,
    });
    expect(binaries.majorVersion).toBeGreaterThanOrEqual(15);
  });
});
