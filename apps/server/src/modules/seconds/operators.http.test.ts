import { checkSettlement, contentsOf } from '@exchange/core/seconds-proof.ts';
import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import * as proof from '@exchange/wire/proof.ts';
import * as wire from '@exchange/wire/seconds.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import type { Operation } from '../../platform/console/operation.ts';
import { DEMO_TERMS } from './demo.ts';
import { createPlayer, ticket } from './testing/players.ts';

/**
 * Duration of the positions in seconds. It is long enough for the price change of the test to come
 * before the expiry, also on a slow machine.
 */
const SECONDS = 12;
const SOURCE_ON = '/ops/sources/:source/on';
const AT_ONCE = 4;
/**
 * Paths of operations that this test does not call, because changing the results of positions is their public
 * purpose.
 * The tests of CON-009 cover them.
 */
const PUBLIC = new Set(['/ops/seconds/voids/:symbol']);
/**
 * Pattern of the paths of operations that this test does not call, because they would lock out the operator
 * who makes the other calls.
 */
const OWN_ACCESS = /^\/ops\/(session|operators|proposals)/;

/** A valid sample request of an operator's operation: a value for each path part and field. */
function sampleOf({ path, fields = {} }: Operation, player: TestTrader, now: number) {
  const parts: Readonly<Record<string, string>> = {
    user: player.id,
    symbol: 'btcusdt',
    asset: 'usdt',
    code: 'btc',
    source: 'two',
    session: '1',
  };
  const texts: Readonly<Record<string, string>> = {
    durations: '2:0.5:5 6:0.1:5',
    symbols: 'btcusdt',
    feeRate: '0.09',
    status: 'cancelOnly',
    blockedCountries: 'US',
    openCountries: 'DE',
    newsAt: String(now + 3_600_000),
  };
  const byKind = {
    text: 'a text',
    longText: 'a text',
    decimal: '100',
    whole: '1',
    switch: '0',
    percent: '0.001',
    durations: '2:0.5:5',
  } as const;
  const values = Object.entries(fields).map(([name, { kind, choices }]) => {
    const made =
      kind === 'time' || kind === 'day'
        ? String(now)
        : kind === 'choice' || kind === 'several'
          ? choices?.[0]
          : byKind[kind];
    return [name, texts[name] ?? made ?? ''] as const;
  });
  const filled = path.replaceAll(/:(\w+)/g, (_, part: string) => parts[part] ?? '1');
  return { path: filled, fields: { ...Object.fromEntries(values), reason: 'to try it' } };
}

describe('operators and open positions', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  it('CON-021 CON-024 every operation is called while positions are open, and none changes a result', async () => {
    const { seconds } = exchange.doors.seconds;
    const duration = { second: SECONDS, rate: Decimal.parse('0.8'), minimum: Decimal.parse('5') };
    const feeRate = Decimal.parse('0.01');
    await seconds.publish(
      { ...DEMO_TERMS, durations: [duration], feeRate },
      { by: 'test', reason: 'a test' },
    );
    await seconds.fund('USDT', Decimal.parse('1000'), 'demo');
    const [up, down] = [await createPlayer(exchange, '100'), await createPlayer(exchange, '100')];
    // The target user of the operations has a position too, as other users do, because the test requires that
    // the operations change the result of none of them.
    const targetUser = await createPlayer(exchange, '100');
    const fields = (direction: 'up' | 'down') => ({
      ...ticket(direction, '10'),
      ...wire.durationField(String(SECONDS)),
    });
    const [won, lost, touched] = await Promise.all([
      up.request(wire.openSeconds, fields('up')),
      down.request(wire.openSeconds, fields('down')),
      targetUser.request(wire.openSeconds, fields('up')),
    ]);
    await eventually(async () => {
      expect((await down.request(wire.secondsDetail, { id: lost.id })).buyPrice).toBeDefined();
    });
    await exchange.setPrice('btcusdt', '50100');

    const calls = exchange.operations.filter(
      ({ method, path }) => method === 'POST' && !PUBLIC.has(path) && !OWN_ACCESS.test(path),
    );
    const answers = new Map<string, number>();
    // Operations that check a version are refused after another publication, so they run first.
    const [versioned, unversioned] = [true, false].map((isVersioned) =>
      calls.filter(({ versionOf, path }) => path !== SOURCE_ON && (versionOf !== undefined) === isVersioned),
    );
    const make = async (waiting: Operation[]) => {
      for (let operation = waiting.shift(); operation !== undefined; operation = waiting.shift()) {
        const { path, fields } = sampleOf(operation, targetUser, exchange.clock.now());
        answers.set(operation.path, (await operate(exchange, path, fields)).status);
      }
    };
    // Both operators sign in once beforehand, because each concurrent call without a session would sign in
    // itself.
    for (const name of ['owner', 'approver']) await operateAs(exchange, name, '/ops/assets');
    await make(versioned!);
    await Promise.all(Array.from({ length: AT_ONCE }, () => make(unversioned!)));
    // Switching a price source on changes the evidence for switching it off, so the operation that switches it on is
    // called last.
    await make(calls.filter(({ path }) => path === SOURCE_ON));
    expect(answers.size).toBe(calls.length);
    expect([...answers].filter(([, status]) => status >= 500)).toEqual([]);
    // The operations with the greatest effects are among those that returned the status 200.
    const done = [...answers].filter(([, status]) => status === 200).map(([path]) => path);
    expect(done).toEqual(
      expect.arrayContaining([
        '/ops/seconds/terms',
        '/ops/seconds/stop',
        '/ops/pairs/:symbol/status',
        '/ops/assets/:asset/halt',
        '/ops/users/:user/freeze',
        '/ops/sources/:source/off',
      ]),
    );
    await operate(exchange, '/ops/assets/usdt/lift', { reason: 'to settle' });

    const expected = [
      [won.id, 'win', '18'],
      [lost.id, 'lose', '0'],
      [touched.id, 'win', '18'],
    ] as const;
    for (const [id, result, credited] of expected) {
      const { data } = await eventually(async () => {
        const answer = await exchange.call(proof.proofSettlement, { id });
        expect(answer.code).toBe(1);
        return answer;
      });
      expect(data).toMatchObject({ result, credited, entryPrice: '50000', settlePrice: '50100' });
      expect(data.terms).toMatchObject({ profitRate: '0.8', feeRate: '0.01', seconds: SECONDS });
      const hashes = contentsOf(data).map((line) => createHash('sha256').update(line).digest('hex'));
      expect(Object.values(checkSettlement(data, hashes)).every(Boolean)).toBe(true);
    }
  });
});
