import { indexSources } from '@exchange/wire/market.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { SourceSwitches, SWITCH_WAIT_MS } from './source-switches.ts';

let exchange: TestExchange;
beforeAll(async () => (exchange = await anExchange()));
afterAll(() => exchange.close());

const NOTE = { noteEn: 'Maintenance there', noteZh: '对方维护中', noteJa: '先方でメンテナンス中' };
const REASON = { reason: 'its prices stand still' };

async function sources(language = 'en-US') {
  const { data } = await exchange.call(
    indexSources,
    { symbol: 'btcusdt' },
    { headers: { 'accept-language': language } },
  );
  return data;
}
/**
 * Advances the clock and has all test price sources send new quotes, even while too few of them are switched on for an
 * index.
 */
const pass = (ms: number) => {
  exchange.clock.shift(ms);
  exchange.prices.quote();
};
/**
 * Advances the clock until all switches of price sources have taken effect, and has the sources send new
 * quotes.
 */
const waitForSwitches = () => pass(SWITCH_WAIT_MS + 1_000);
const stateOf = async (id: string) => (await sources()).sources.find((source) => source.id === id)?.state;

it('LIVE-005 the sources of a pair are public, with their prices and states', async () => {
  const { index, sources: list } = await sources();
  expect(index).toBe('50000');
  expect(list.map(({ id, state, price }) => [id, state, price])).toEqual(
    ['one', 'two', 'three'].map((id) => [id, 'counts', '50000']),
  );
  const unknown = await exchange.call(indexSources, { symbol: 'nothing' });
  expect(unknown.errKey).toBe('l.unknown_pair');
});

it('LIVE-006 an operator switches a source off with a public note; a second person is needed if few sources remain, and for switching on', async () => {
  const proposed = await operateAs(exchange, 'owner', '/ops/sources/two/off', { ...NOTE, ...REASON });
  // The switch needs a second operator, because only two of three price sources would remain.
  expect(proposed.status).toBe(202);
  expect(await stateOf('two')).toBe('counts');
  const { proposal } = (await proposed.json()) as { proposal: string };
  const approved = await operateAs(exchange, 'approver', `/ops/proposals/${proposal}/approve`, REASON);
  expect(approved.status).toBe(200);
  const shownSource = async (language: string) =>
    (await sources(language)).sources.find(({ id }) => id === 'two')!;
  // The price source's note is public before the switch takes effect, with the time at which it
  // will.
  pass(SWITCH_WAIT_MS - 5_000);
  await eventually(async () => expect(await stateOf('two')).toBe('counts'));
  expect(await shownSource('en-US')).toMatchObject({ state: 'counts', price: '50000', note: NOTE.noteEn });
  expect((await shownSource('en-US')).since).toBeGreaterThan(exchange.clock.now());
  waitForSwitches();
  await eventually(async () =>
    expect(exchange.doors.market.latestPoint('btcusdt')?.flags).toEqual(['degraded']),
  );
  expect(await shownSource('en-US')).toMatchObject({ state: 'off', price: '', note: NOTE.noteEn });
  expect((await shownSource('zh-CN')).note).toBe(NOTE.noteZh);
  expect((await shownSource('ko-KR')).note).toBe(NOTE.noteEn);
  expect((await shownSource('ja-JP')).note).toBe(NOTE.noteJa);

  const listed = await operateAs(exchange, 'owner', '/ops/sources');
  expect(await listed.json()).toMatchObject({
    sources: [{ source: 'one' }, { source: 'two', state: 'off', reason: REASON.reason }, { source: 'three' }],
  });
  const { pool } = exchange.database;
  await expect(pool.query('delete from market_source_change')).rejects.toThrow('append-only');

  const switchedOn = await operate(exchange, '/ops/sources/two/on', REASON);
  expect(switchedOn.status).toBe(200);
  expect(await stateOf('two')).toBe('off');
  waitForSwitches();
  await eventually(async () => expect(await stateOf('two')).toBe('counts'));
  expect((await sources()).sources.find(({ id }) => id === 'two')).toMatchObject({ note: '', since: null });
});

it('LIVE-006 switches survive a restart', async () => {
  const { clock, log, doors } = exchange;
  const statesAfterStart = async () => {
    const switches = new SourceSwitches({ clock, log, database: doors.database });
    await switches.load(['one', 'two', 'three']);
    return switches.list().map(({ isOn, willBeOn }) => [isOn, willBeOn]);
  };
  const [on, off] = [
    [true, true],
    [false, false],
  ];
  expect(await statesAfterStart()).toEqual([on, on, on]);
  await operate(exchange, '/ops/sources/three/off', { ...NOTE, ...REASON });
  expect(await statesAfterStart()).toEqual([on, on, [true, false]]);
  waitForSwitches();
  expect(await statesAfterStart()).toEqual([on, on, off]);
  await operate(exchange, '/ops/sources/three/on', REASON);
  expect(await statesAfterStart()).toEqual([on, on, [false, true]]);
  waitForSwitches();
  expect(await statesAfterStart()).toEqual([on, on, on]);
});

it('LIVE-006 an unknown source and a missing note are refused', async () => {
  const unknown = await operate(exchange, '/ops/sources/four/off', { ...NOTE, ...REASON });
  expect(unknown.status).toBe(400);
  const withoutNote = await operate(exchange, '/ops/sources/one/off', REASON);
  expect(withoutNote.status).toBe(400);
  expect(await stateOf('one')).toBe('counts');
});
