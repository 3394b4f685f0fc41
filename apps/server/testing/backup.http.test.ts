import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditOf } from '../src/commands/backup/audit-of.ts';
import { drill } from '../src/commands/backup/drill.ts';
import { onScratchDatabase } from '../src/commands/replay/scratch-database.ts';
import { createSaver } from '../src/modules/finance/testing/products.ts';
import { depth, balanceText, limit, place } from '../src/modules/spot/testing/orders.ts';
import { LocalFileStore } from '../src/platform/files/file-store.ts';
import { backUp, FILES_FOLDER, newestBackup, restoreBackup } from '../src/platform/backup/backup.ts';
import { bringUpToDate } from '../src/platform/bring-up-to-date.ts';
import { embeddedRuntimeUser } from '../src/platform/database/embedded/settings.ts';
import { openServerSecret } from '../src/platform/secrets/server-secret.ts';
import { stepIdSecret } from '../src/platform/sequencer/step-ids.ts';
import { withRuntimeRole, testDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { anExchange, TestExchange, TestTrader } from './exchange.ts';
import { markAddressKnown } from './mark-address-known.ts';
import { operate, operateAs } from './operators.ts';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));
const log = () => undefined;
const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
/** Maximum number of unsettled payments in the console's list after a restore. */
const RESTORED_SHOWN = 200;

interface Health {
  readonly components: Readonly<Record<string, { readonly isUp: boolean; readonly reason?: string }>>;
}
const folder = mkdtempSync(join(tmpdir(), 'amethyst-backup-'));
const backup = join(folder, 'first');
let exchange: TestExchange;
let anna: TestTrader;

beforeAll(async () => {
  exchange = await anExchange();
  anna = await exchange.aUser({ USDT: '100000', BTC: '3' });
  const bert = await exchange.aUser({ USDT: '100000' });
  await place(anna, limit('sell', '50000', '0.5'));
  await place(bert, limit('buy', '50000', '0.2'));
  await backUp(exchange.database.connection, { folder: backup, madeAt: new Date(exchange.clock.now()) });
});
afterAll(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true });
});

/** Runs `use` with an exchange on a new database that was restored from a backup. */
async function withRestored(from: string, use: (restored: TestExchange) => Promise<void>): Promise<void> {
  const elsewhere = new TestExchange(await testDatabase({ withSchema: false }), {});
  const { connection } = elsewhere.database;
  copyFileSync(join(exchange.dataDirectory, 'secret.key'), join(elsewhere.dataDirectory, 'secret.key'));
  elsewhere.clock.set(exchange.clock.now() - Date.now());
  try {
    await restoreBackup({ connection, folder: from, migrations: directory, log });
    const runtimeRole = 'host' in connection ? embeddedRuntimeUser : undefined;
    await bringUpToDate({ owner: connection, runtimeRole, directory, log });
    await elsewhere.start();
    await use(elsewhere);
  } finally {
    // `close` also audits the ledger of the restored exchange.
    await elsewhere.close();
  }
}

/** Runs `use` with an empty database and drops the database afterwards. */
async function withEmptyDatabase<T>(use: (database: Awaited<ReturnType<typeof testDatabase>>) => Promise<T>) {
  const database = await testDatabase({ withSchema: false });
  try {
    return await use(database);
  } finally {
    await database.drop();
  }
}

it('LIVE-022 a running exchange is backed up at one point in time, and continues from it on another database', async () => {
  const auditBefore = await auditOf(exchange.database.connection);
  const book = await depth(exchange);
  // This order is placed after the backup, so the restored exchange must not have it.
  await place(anna, limit('sell', '60000', '1'));
  await withRestored(backup, async (elsewhere) => {
    expect(await auditOf(elsewhere.database.connection)).toEqual(auditBefore);
    expect(await depth(elsewhere)).toEqual(book);
    const restoredAnna = new TestTrader(elsewhere, anna);
    expect(await balanceText(restoredAnna, 'BTC')).toBe('2.5 + 0.3');
    await place(restoredAnna, limit('sell', '51000', '0.1'));
    expect(await balanceText(restoredAnna, 'BTC')).toBe('2.4 + 0.4');
  });
});

it('LIVE-022 a backup is complete with the uploaded files only, and gets its name afterwards', async () => {
  const { connection } = exchange.database;
  const madeAt = new Date(exchange.clock.now());
  const name = randomUUID();
  const files = mkdtempSync(join(folder, 'uploads-'));
  await new LocalFileStore(files).put(name, Buffer.from('a picture'));
  const withFiles = join(folder, 'with-files');
  await backUp(connection, { folder: withFiles, madeAt, files });
  const copied = await new LocalFileStore(join(withFiles, FILES_FOLDER)).get(name);
  expect(copied?.toString()).toBe('a picture');

  const incomplete = join(folder, 'incomplete');
  await expect(
    backUp(connection, { folder: incomplete, madeAt, files: join(folder, 'none') }),
  ).rejects.toThrow('ENOENT');
  expect(readdirSync(folder)).not.toContain('incomplete');

  // A folder whose name still ends with `.unfinished` does not count as the newest backup, even if its manifest is
  // written.
  const backups = mkdtempSync(join(folder, 'backups-'));
  cpSync(withFiles, join(backups, '2026-01-01'), { recursive: true });
  cpSync(withFiles, join(backups, '2026-01-02.unfinished'), { recursive: true });
  expect(await newestBackup(backups)).toBe(madeAt.getTime());
  rmSync(join(backups, '2026-01-01'), { recursive: true });
  expect(await newestBackup(backups)).toBeUndefined();
});

it('LIVE-022 a backup made during trading contains every order acknowledged before it, and passes the audit', async () => {
  const trader = await exchange.aUser({ USDT: '100000' });
  const acknowledged: string[] = [];
  const stop = new AbortController();
  const trade = async () => {
    while (!stop.signal.aborted) {
      const { id } = await place(trader, limit('buy', '49000', '0.001', { timeInForce: 'IOC' }));
      acknowledged.push(id);
    }
  };
  const trading = Promise.all([trade(), trade()]);
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(20));
  const acknowledgedBefore = acknowledged.slice();
  await backUp(exchange.database.connection, {
    folder: join(folder, 'busy'),
    madeAt: new Date(exchange.clock.now()),
  });
  stop.abort();
  await trading;
  expect(acknowledged.length).toBeGreaterThan(acknowledgedBefore.length);
  await withEmptyDatabase(async ({ connection, pool }) => {
    await restoreBackup({ connection, folder: join(folder, 'busy'), migrations: directory, log });
    expect(await auditOf(connection)).toMatchObject({ problems: [] });
    const { rows } = await pool.query<{ id: string }>('select id from spot_order where id = any($1)', [
      acknowledgedBefore,
    ]);
    expect(rows).toHaveLength(acknowledgedBefore.length);
  });
});

it('LIVE-023 the drill restores, audits and replays beside the running exchange, and finds a row changed manually', async () => {
  const secret = stepIdSecret(await openServerSecret({ dataDirectory: exchange.dataDirectory }));
  const { connection, pool } = exchange.database;
  const options = { connection, secret, madeAt: new Date(exchange.clock.now()) };
  const unchanged = await drill({ ...options, folder: join(folder, 'good') });
  expect(unchanged).toMatchObject({ problems: [] });
  expect(unchanged.steps).toBeGreaterThan(4);
  expect(unchanged.entries).toBeGreaterThan(4);
  await pool.query("update spot_order set fee = fee + 1 where status = 'filled'");
  const { problems } = await drill({ ...options, folder: join(folder, 'changed') });
  await pool.query("update spot_order set fee = fee - 1 where status = 'filled'");
  expect(problems).toEqual([expect.stringContaining('orders')]);
});

it('LIVE-022 a backup is readable by its owner only and does not contain the server’s secret', () => {
  for (const name of ['', ...readdirSync(backup)])
    expect([name, statSync(join(backup, name)).mode & 0o077]).toEqual([name, 0]);
  const secret = readFileSync(join(exchange.dataDirectory, 'secret.key'), 'utf8').trim();
  for (const name of readdirSync(backup).filter((file) => file.endsWith('.gz')))
    expect(gunzipSync(readFileSync(join(backup, name))).includes(secret)).toBe(false);
});

it('LIVE-024 a restore refuses a non-empty database and a changed backup, and leaves no data', async () => {
  const restore = (connection: TestExchange['database']['connection']) =>
    restoreBackup({ connection, folder: backup, migrations: directory, log });
  await expect(restore(exchange.database.connection)).rejects.toThrow('empty database only');
  const file = join(backup, 'public.user_account.copy.gz');
  const original = readFileSync(file);
  const text = gunzipSync(original).toString('utf8');
  writeFileSync(file, gzipSync(text.replace('maker-1', 'maker-2').replace('\tt\tf\t', '\tf\tf\t')));
  await withEmptyDatabase(async ({ connection, pool }) => {
    await expect(restore(connection)).rejects.toThrow('is not what was written');
    expect((await pool.query('select 1 from user_account')).rowCount).toBe(0);
  });
  writeFileSync(file, original);
});

it('LIVE-027 KEY-011 KEY-012 KEY-038 WDR-1175 a restored exchange sends, cancels and rejects no withdrawals until two operators have compared it with the chains', async () => {
  const saver = await createSaver(exchange, { USDT: '100' });
  const request = { asset: 'USDT', network: 'TRC20', amount: Decimal.parse('20'), address: TRON };
  const emptyFields = { addressId: undefined, memo: undefined, remark: undefined };
  await exchange.advanceTime(DAY_MS + HOUR_MS);
  await markAddressKnown(exchange, saver.id, 'USDT', 'TRC20', TRON);
  const submit = () =>
    exchange.doors.withdrawals.withdrawals.submit(saver.id, {
      ...request,
      ...emptyFields,
    });
  const [{ id }, paid] = [await submit(), await submit()];
  const madeAt = new Date(exchange.clock.now());
  await backUp(exchange.database.connection, { folder: join(folder, 'paying'), madeAt });
  await withRestored(join(folder, 'paying'), async (elsewhere) => {
    const state = async () => {
      await elsewhere.doors.withdrawals.jobs.advance();
      const { rows } = await elsewhere.database.pool.query<{ status: number; txid: string | null }>(
        'select status, txid from withdrawal where id = $1',
        [id],
      );
      return rows[0]!;
    };
    const stateBefore = await state();
    await elsewhere.advanceTime(HOUR_MS);
    expect(await state()).toEqual(stateBefore);
    const decider = { by: 'test', persons: 1 } as const;
    // A withdrawal may have been paid between the backup and the restore. Until it is compared with the chain, it can
    // be neither cancelled nor decided.
    const { review, withdrawals } = elsewhere.doors.withdrawals;
    const refused = { refusal: { key: 'l.withdraw_restoring' } };
    await expect(withdrawals.cancel(saver.id, id)).rejects.toMatchObject(refused);
    await expect(review.decide(id, 'limit', decider)).rejects.toMatchObject(refused);
    await expect(review.requireDecidable(id, 'limit', 1)).rejects.toMatchObject(refused);
    expect(await state()).toEqual(stateBefore);
    const lost = randomUUID();
    const addRestored = (ids: readonly string[]) =>
      elsewhere.database.pool.query(
        `insert into restored_payment (id, restored_from, asset, amount, address, txid)
         select payment.id, $2, 'USDT', 19, $3, 'a transaction' from unnest($1::text[]) as payment(id)`,
        [ids, elsewhere.doors.withdrawals.pause.pausedBy, TRON],
      );
    const restoredList = async () => {
      const list = await operateAs(elsewhere, 'owner', '/ops/withdrawals/restored');
      return (await list.json()) as {
        payments: readonly Record<string, string>[];
        total: number;
        hasMore: boolean;
      };
    };
    await addRestored([paid.id, lost]);
    const { payments } = await restoredList();
    expect(payments.find((payment) => payment['id'] === paid.id)).toMatchObject({
      owner: saver.id,
      withdrawal: 'pending',
      settledBy: 'its withdrawal',
    });
    const settle = async (payment: string, fields: Record<string, string> = {}) =>
      (
        await operate(elsewhere, `/ops/withdrawals/restored/${payment}/settle`, {
          reason: 'compared with the chain',
          ...fields,
        })
      ).status;
    // Adds more unsettled payments than the console lists. They sort before the two payments of the test, so the list
    // contains neither of those two.
    const others = Array.from({ length: RESTORED_SHOWN + 1 }, (_, index) => ` other ${index}`);
    await addRestored(others);
    const full = await restoredList();
    expect(full).toMatchObject({ total: RESTORED_SHOWN + 3, hasMore: true });
    expect(full.payments.map((payment) => payment['id'])).not.toContain(paid.id);
    expect(await settle(paid.id)).toBe(200);
    expect((await withdrawals.require(paid.id)).status).toBe('processing');
    expect(await settle(lost)).toBe(400);
    expect(await settle(lost, { settlement: 'correction 1' })).toBe(200);
    await elsewhere.database.pool.query('delete from restored_payment where id = any($1)', [others]);
    await elsewhere.doors.withdrawals.review.decide(id, 'approve', decider);
    const approved = await state();
    expect(approved.status).not.toBe(stateBefore.status);
    expect(approved.txid).toBeNull();
    const withdrawalsHealth = async () => {
      const health = (await (await fetch(`${elsewhere.consoleUrl}/health`)).json()) as Health;
      return health.components['withdrawals'];
    };
    expect(await withdrawalsHealth()).toMatchObject({
      isUp: false,
      reason: expect.stringContaining('restored'),
    });

    const pauses = async () => {
      const answer = await operateAs(elsewhere, 'owner', '/ops/withdrawals/pause');
      return ((await answer.json()) as { pauses: readonly Readonly<Record<string, unknown>>[] }).pauses;
    };
    expect(await pauses()).toMatchObject([{ isCompared: true, unsettled: 0 }]);

    const resumption = { reason: 'compared with the chain' };
    expect((await operateAs(elsewhere, 'owner', '/ops/withdrawals/resume', resumption)).status).toBe(202);
    expect(await state()).toEqual(approved);
    expect((await operate(elsewhere, '/ops/withdrawals/resume', resumption)).status).toBe(200);
    await eventually(async () => expect((await state()).txid).not.toBeNull());
    expect(await withdrawalsHealth()).toMatchObject({ isUp: true });
    expect(await pauses()).toEqual([]);
    await elsewhere.restart();
    expect(await withdrawalsHealth()).toMatchObject({ isUp: true });
  });
});

it('LIVE-023 a drill by a role that may not create databases names the missing privilege', async () => {
  const connection = withRuntimeRole(exchange.database.connection);
  // A database server given by TEST_DATABASE_URL has a single role, and it may create databases, so the test does not
  // apply there.
  if (connection === exchange.database.connection) return;
  await expect(onScratchDatabase(connection, 'drill', () => Promise.resolve())).rejects.toThrow('CREATEDB');
});
