import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_CHECKS, HOLDS } from '../../apps/server/src/money.ts';
import { audit, Reconciliation } from '../../apps/server/src/modules/ledger/index.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { testDatabase, type TestDatabase } from '../../apps/server/testing/database.ts';
import { recordingLog } from '../../apps/server/testing/recording-log.ts';
import { fillLargeData, type FilledData } from './fill.ts';

describe('the large data folder', () => {
  let target: TestDatabase;
  let filled: FilledData;

  beforeAll(async () => {
    target = await testDatabase();
    filled = await fillLargeData(target.connection, { scale: 0.0001, now: Date.now() });
  });

  afterAll(() => target.drop());

  it('REPO-970 has the rows of its scale and passes the audit', async () => {
    expect(filled).toMatchObject({ users: 100, accounts: 511 });
    expect(filled.trades).toBeGreaterThan(1_900);
    const report = await audit(databaseOver(target.pool).reader, HOLDS, AUDIT_CHECKS);
    expect(report).toMatchObject({ problems: [], entries: filled.entries, accounts: filled.accounts });
  });

  it('REPO-971 passes the reconciliation and its full pass', async () => {
    const halted: string[] = [];
    const halting = {
      halt: (asset: string) => Promise.resolve(void halted.push(asset)),
      haltAll: () => Promise.resolve(void halted.push('everything')),
    };
    const reconciliation = new Reconciliation({
      store: databaseOver(target.pool).store,
      halting,
      holds: HOLDS,
      clock: systemClock,
      log: recordingLog(),
      fullPassMs: Number.MAX_SAFE_INTEGER,
    });
    const { problems } = await reconciliation.reconcile();
    expect({ problems, halted }).toEqual({ problems: [], halted: [] });
    expect(reconciliation.lastFullPassAt).toBeDefined();
  });
});
