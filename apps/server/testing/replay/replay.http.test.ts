import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderStory } from '../../src/commands/replay/order-story.ts';
import { replaySteps, type ReplayOptions } from '../../src/commands/replay/replay-steps.ts';
import { stateHashes } from '../../src/commands/replay/state-hashes.ts';
import { databaseOver } from '../../src/platform/database/database.ts';
import { inSnapshot } from '../../src/platform/database/snapshot.ts';
import { openServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { stepIdSecret } from '../../src/platform/sequencer/step-ids.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { anExchange, type TestExchange } from '../exchange.ts';
import { recordingLog } from '../recording-log.ts';
import { tradeEverything } from './everything.ts';

describe('a replay of the step journal', () => {
  let exchange: TestExchange;
  let copy: TestDatabase;
  let secret: Uint32Array;
  let partlyFilledOrder: string;

  beforeAll(async () => {
    exchange = await anExchange();
    copy = await testDatabase();
    secret = stepIdSecret(await openServerSecret({ dataDirectory: exchange.dataDirectory }));
    partlyFilledOrder = await tradeEverything(exchange);
  });

  afterAll(async () => {
    await copy.drop();
    await exchange.close();
  });

  function replayInto(target: TestDatabase, options: Partial<ReplayOptions> = {}) {
    return inSnapshot(exchange.doors.database.reader, async (source) => {
      const targetDatabase = { connection: target.connection, database: databaseOver(target.pool) };
      const replayed = await replaySteps({
        source,
        target: targetDatabase,
        secret,
        log: recordingLog(),
        ...options,
      });
      return {
        ...replayed,
        source: await stateHashes(source, replayed.state),
        made: await stateHashes(targetDatabase.database.reader, replayed.state),
      };
    });
  }

  it('REPLAY-001 FIN-019 FUND-021 MIN-018 SUB-013 TRE-034 rebuilds the same books, trades, balances and ledger on an empty database', async () => {
    const { from, steps, source, made } = await replayInto(copy);
    expect(from).toBe(0);
    expect(steps).toBeGreaterThan(15);
    expect(made).toEqual(source);
    expect(source.map(({ name, rows }) => [name, rows > 0])).toEqual(source.map(({ name }) => [name, true]));
  });

  it('REPLAY-002 continues from a base copy, and finds rows that were changed outside the journal', async () => {
    const half = await testDatabase();
    try {
      const first = await replayInto(half, { until: 8 });
      expect(first.last).toBeLessThanOrEqual(8);
      const second = await replayInto(half);
      expect(second.from).toBe(first.last);
      expect(second.made).toEqual(second.source);
      await half.pool.query("update spot_order set fee = fee + 1 where status = 'filled'");
      const third = await replayInto(half);
      const differing = third.made.filter(({ hash }, at) => hash !== third.source[at]?.hash);
      expect(differing.map(({ name }) => name)).toEqual(['orders']);
    } finally {
      await half.drop();
    }
  });

  it('REPLAY-003 prints the history of one order: each request, its time, and the state after it', async () => {
    const empty = await testDatabase();
    try {
      const story = orderStory(partlyFilledOrder);
      await replayInto(empty, { onStep: story.listen });
      expect(story.lines.length).toBeGreaterThanOrEqual(3);
      expect(story.lines[0]).toContain('spot.place');
      expect(story.lines.join('\n')).toMatch(/maker 0\.\d+ at \d+/);
      expect(story.lines.at(-1)).toContain('"state":"cancelled"');
    } finally {
      await empty.drop();
    }
  });

  it('REPLAY-005 does not apply a limit to entries written before the limit existed', async () => {
    const [oldJournal, empty] = [await testDatabase(), await testDatabase()];
    const write = (steps: readonly (readonly [number, string, object])[]) =>
      oldJournal.pool.query('insert into step_journal (sequence, steps) values ($1, $2)', [
        steps.at(-1)![0],
        steps.map(([n, name, input]) => JSON.stringify([n, 1_795_625_296_000 + n, name, input])).join('\n'),
      ]);
    const replayed = async () =>
      inSnapshot(databaseOver(oldJournal.pool).reader, async (source) => {
        const target = { connection: empty.connection, database: databaseOver(empty.pool) };
        return (await replaySteps({ source, target, secret, log: recordingLog() })).steps;
      });
    try {
      const owner = '01a2139b-9783-7b31-b04e-a881a8231e1c';
      const amounts = [{ asset: 'USDT', amount: '40000000' }];
      // The inputs of these journal commands lack the fields `confirmations`, `requestsMost` and `persons`,
      // as in a journal that was written before these were added. A replay must execute them.
      const request = {
        owner,
        asset: 'USDT',
        network: 'TRC20',
        amount: '40000',
        holdUntil: 0,
        price: '1',
        address: 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc',
        limits: { day: '50000000', month: '75000000', auto: '1000' },
      };
      const requests = Array.from({ length: 21 }, (_, n) => [n + 2, 'withdrawals.submit', request] as const);
      await write([[1, 'faucet.fund', { owner, wanted: amounts, kind: 'inventory.funded' }], ...requests]);
      expect(await replayed()).toBe(22);
      const { rows } = await empty.pool.query<{ id: string }>('select id from withdrawal order by id');
      expect(rows).toHaveLength(21);
      await write(
        rows.map(({ id }, n) => [
          n + 23,
          'withdrawals.decide',
          { id, owner, verdict: 'approve', by: 'operator' },
        ]),
      );
      expect(await replayed()).toBe(21);
    } finally {
      await Promise.all([oldJournal.drop(), empty.drop()]);
    }
  });

  it('REPLAY-004 names the step that cannot be replayed if the base copy does not belong to the journal', async () => {
    const unrelated = await testDatabase();
    try {
      await unrelated.pool.query('update writer set sequence = 6');
      await expect(replayInto(unrelated)).rejects.toThrow(/step \d+ \(spot\.\w+\) cannot be repeated/);
    } finally {
      await unrelated.drop();
    }
  });
});
