import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { expect, it } from 'vitest';
import { AUDIT_CHECKS, HOLDS } from '../src/money.ts';
import { audit, Ledger, userAddress, worldAddress } from '../src/modules/ledger/index.ts';
import { databaseOver } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { readMigrationFiles } from '../src/platform/database/migration-files.ts';
import { testDatabase } from './database.ts';
import { runStep } from './run-step.ts';
import { sequencerFixture } from './sequenced.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
/** Version of the last migration before those that add the tables of the products. */
const OLD_VERSION = 21;
const TABLES = ['ledger_account', 'ledger_entry'] as const;
const log = () => undefined;

it('LIVE-020 released migrations are unchanged, and newer ones have higher versions', async () => {
  const released = readFileSync(join(migrations, 'released.sha256'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/) as [hash: string, file: string]);
  const files = await readMigrationFiles(migrations);
  const hashes = new Map(files.map((file) => [file.version, file.sha256.toString('hex')]));
  const releasedHashes = new Map(released.map(([hash, file]) => [Number(file.slice(0, 4)), hash]));
  for (const [version, hash] of releasedHashes)
    expect([version, hashes.get(version)]).toEqual([version, hash]);
  const last = Math.max(...releasedHashes.keys());
  for (const version of hashes.keys()) expect(releasedHashes.has(version) || version > last).toBe(true);
});

/**
 * Returns the newest commit that the current branch shares with main, or HEAD in a repository without main.
 * Undefined without git.
 */
function landedCommit(): string | undefined {
  for (const main of ['main', 'origin/main', 'HEAD']) {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', main], {
      cwd: migrations,
      encoding: 'utf8',
    });
    if (status === 0) return stdout.trim();
  }
  return undefined;
}
const landed = landedCommit();

it.skipIf(landed === undefined)('LIVE-1080 migrations that landed on main are unchanged', () => {
  const changes = ['diff', '--name-status', '--no-renames', '--diff-filter=MD', landed!, '--', '*.sql'];
  expect(execFileSync('git', changes, { cwd: migrations, encoding: 'utf8' })).toBe('');
});

it('LIVE-021 a database of an older version keeps its ledger through every later migration', async () => {
  const source = await sequencerFixture();
  const database = await testDatabase({ withSchema: false });
  const folder = mkdtempSync(join(tmpdir(), 'amethyst-upgrade-'));
  try {
    const ledger = new Ledger({ reader: source.database.reader, log: source.log });
    source.sequencer.join(ledger);
    await source.sequencer.start();
    const user = randomUUID() as UserId;
    await ledger.prepare(user);
    for (const amount of ['100.5', '0.000000000000000001', '77777777777.123456789'])
      await runStep(source.sequencer, 'test', {}, (step) =>
        ledger.post(step, 'faucet.claimed', step.newId(), [
          {
            source: worldAddress('USDT', 'demo'),
            destination: userAddress(user, 'spot', 'available'),
            asset: 'USDT',
            amount: Decimal.parse(amount),
          },
        ]),
      );
    const auditBefore = await audit(source.database.reader, HOLDS, AUDIT_CHECKS);
    expect(auditBefore).toMatchObject({ entries: 3, problems: [] });

    for (const { version, name } of await readMigrationFiles(migrations)) {
      const file = `${String(version).padStart(4, '0')}_${name}.sql`;
      if (version <= OLD_VERSION) copyFileSync(join(migrations, file), join(folder, file));
    }
    const { connection, pool } = database;
    expect(await migrate({ connection, directory: folder, log })).toMatchObject({ version: OLD_VERSION });
    for (const table of TABLES) {
      const { rows } = await source.testDatabase.pool.query<{ text: string }>(
        `SELECT json_agg(t)::text AS text FROM ${table} t`,
      );
      await pool.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
        rows[0]!.text,
      ]);
    }
    const { applied } = await migrate({ connection, directory: migrations, log });
    expect(applied.length).toBeGreaterThan(10);
    const auditAfter = await audit(databaseOver(pool).reader, HOLDS, AUDIT_CHECKS);
    expect(auditAfter).toEqual(auditBefore);
    expect((await migrate({ connection, directory: migrations, log })).applied).toEqual([]);
  } finally {
    await source.end();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});
