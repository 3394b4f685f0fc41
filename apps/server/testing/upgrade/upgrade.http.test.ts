import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@exchange/core/time.ts';
import { financeOrders } from '@exchange/wire/finance.ts';
import { fundRecords } from '@exchange/wire/fund.ts';
import { miningOrders } from '@exchange/wire/mining.ts';
import { secondsOrders } from '@exchange/wire/seconds.ts';
import { subscriptionRecords } from '@exchange/wire/subscription.ts';
import { demoLogin } from '@exchange/wire/user.ts';
import { withdrawalRecords } from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditOf } from '../../src/commands/backup/audit-of.ts';
import { drill } from '../../src/commands/backup/drill.ts';
import { restoreBackup } from '../../src/platform/backup/backup.ts';
import { bringUpToDate } from '../../src/platform/bring-up-to-date.ts';
import { embeddedRuntimeUser } from '../../src/platform/database/embedded/settings.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { openServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { stepIdSecret } from '../../src/platform/sequencer/step-ids.ts';
import { depth, limit, place } from '../../src/modules/spot/testing/orders.ts';
import { testDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { TestExchange, TestTrader } from '../exchange.ts';
import { OLD, writeOldBackup } from './old-backup.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'amethyst-upgrade-'));
const log = () => undefined;
let exchange: TestExchange;

beforeAll(async () => {
  writeOldBackup(join(folder, 'old'));
  const database = await testDatabase({ withSchema: false });
  exchange = new TestExchange(database, { settings: { SERVER_SECRET: OLD.secret } });
  // The exchange's clock continues from the time at which the backup was made.
  exchange.clock.set(OLD.madeAt - Date.now());
});
afterAll(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true });
});

/** Signs in the demo trader, who has orders of every product in the backup. */
async function signInDemoTrader(): Promise<TestTrader> {
  const { data } = await exchange.call(demoLogin);
  return new TestTrader(exchange, { ...data, id: data.userId as TestTrader['id'] });
}

it('LIVE-025 a backup of an older version is restored unchanged, and its ledger is the same before and after every later migration', async () => {
  const { connection } = exchange.database;
  const { schema } = await restoreBackup({ connection, folder: join(folder, 'old'), migrations, log });
  expect(schema).toBe(OLD.schema);
  expect(await auditOf(connection)).toEqual(OLD.audit);
  const { applied } = await migrate({ connection, directory: migrations, log });
  expect(applied[0]).toBeGreaterThan(OLD.schema);
  expect(await auditOf(connection)).toEqual(OLD.audit);
});

it('LIVE-026 a failed migration leaves ledger and schema unchanged, and the next start continues from there', async () => {
  const { connection, pool } = exchange.database;
  const broken = join(folder, 'broken');
  cpSync(migrations, broken, { recursive: true });
  writeFileSync(
    join(broken, '9000_broken.sql'),
    'update ledger_account set balance = balance + 1; alter table spot_order add column half text; select 1 / 0;',
  );
  await expect(migrate({ connection, directory: broken, log })).rejects.toThrow('9000_broken failed');
  expect(await auditOf(connection)).toEqual(OLD.audit);
  await expect(pool.query('select half from spot_order')).rejects.toThrow('does not exist');
  const runtimeRole = 'host' in connection ? embeddedRuntimeUser : undefined;
  await bringUpToDate({ owner: connection, runtimeRole, directory: migrations, log });
  await exchange.start();
});

it('LIVE-025 orders that were open in the older version continue in this version', async () => {
  const trader = await signInDemoTrader();
  const lists = [
    financeOrders,
    miningOrders,
    fundRecords,
    subscriptionRecords,
    secondsOrders,
    withdrawalRecords,
  ] as const;
  for (const list of lists) {
    const page: { readonly list: readonly unknown[] } = await trader.request<(typeof lists)[number]>(list);
    expect([list.path, page.list.length > 0]).toEqual([list.path, true]);
  }
  const { list: running } = await trader.request(financeOrders, { status: '1' });
  // A new user's order fills a part of an order that was restored from the backup.
  const { asks } = await depth(exchange);
  const [price, amount] = asks[0]!;
  await exchange.setPrice('btcusdt', String(price));
  const buyer = await exchange.aUser({ USDT: '100000' });
  await place(buyer, limit('buy', String(price), '0.001'));
  expect((await depth(exchange)).asks[0]).toEqual([price, Number((amount - 0.001).toFixed(8))]);
  await exchange.advanceTime(15 * DAY_MS);
  const laterTrader = await signInDemoTrader();
  const { finance, mining, fund, subscription } = exchange.doors;
  for (const { jobs } of [finance, mining, fund, subscription]) await jobs.settle();
  await eventually(async () => {
    const { list } = await laterTrader.request(secondsOrders, { entryStatus: '0' });
    expect(list).toEqual([]);
    const runningLater = await laterTrader.request(financeOrders, { status: '1' });
    expect(runningLater.list.length).toBeLessThan(running.length);
  });
});

it('LIVE-025 the journal of the older version, with the steps of this version, replays to the same state', async () => {
  const secret = stepIdSecret(
    await openServerSecret({ configuredSecret: OLD.secret, dataDirectory: exchange.dataDirectory }),
  );
  const madeAt = new Date(exchange.clock.now());
  const { connection } = exchange.database;
  const report = await drill({ connection, secret, madeAt, folder: join(folder, 'new') });
  expect(report).toMatchObject({ problems: [] });
  expect(report.entries).toBeGreaterThan(OLD.audit.entries);
});
