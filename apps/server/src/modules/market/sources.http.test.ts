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
/** Lets time go by, also where too few sources are left for an index. */
const pass = (ms: number) => {
  exchange.clock.shift(ms);
  exchange.prices.quote();
};
/** Everything that was switched is in force. */
const waited = () => pass(SWITCH_WAIT_MS + 1_000);
const stateOf = async (id: string) => (await sources()).sources.find((source) => source.id === id)?.state;

it('LIVE-005 everybody sees the sources of a pair, what each says, and which count', async () => {
  const { index, sources: list } = await sources();
  expect(index).toBe('50000');
  expect(list.map(({ id, state, price }) => [id, state, price])).toEqual(
    ['one', 'two', 'three'].map((id) => [id, 'counts', '50000']),
  );
  const unknown = await exchange.call(indexSources, { symbol: 'nothing' });
  expect(unknown.errKey).toBe('l.unknown_pair');
});

it('LIVE-006 an operator switches a source off with a note to everybody, and few sources take a second person, and so does switching on', async () => {
  const off = await operateAs(exchange, 'owner', '/ops/sources/two/off', { ...NOTE, ...REASON });
  // Two would be left of three.
  expect(off.status).toBe(202);
  expect(await stateOf('two')).toBe('counts');
  const { proposal } = (await off.json()) as { proposal: string };
  const approved = await operateAs(exchange, 'approver', `/ops/proposals/${proposal}/approve`, REASON);
  expect(approved.status).toBe(200);
  const shown = async (language: string) => (await sources(language)).sources.find(({ id }) => id === 'two')!;
  // Everybody reads it before it is so, and from when it will be.
  pass(SWITCH_WAIT_MS - 5_000);
  await eventually(async () => expect(await stateOf('two')).toBe('counts'));
  expect(await shown('en-US')).toMatchObject({ state: 'counts', price: '50000', note: NOTE.noteEn });
  expect((await shown('en-US')).since).toBeGreaterThan(exchange.clock.now());
  waited();
  await eventually(async () =>
    expect(exchange.doors.market.latestPoint('btcusdt')?.flags).toEqual(['degraded']),
  );
  expect(await shown('en-US')).toMatchObject({ state: 'off', price: '', note: NOTE.noteEn });
  expect((await shown('zh-CN')).note).toBe(NOTE.noteZh);
  expect((await shown('ko-KR')).note).toBe(NOTE.noteEn);
  expect((await shown('ja-JP')).note).toBe(NOTE.noteJa);

  const audit = await operateAs(exchange, 'owner', '/ops/sources');
  expect(await audit.json()).toMatchObject({
    sources: [{ source: 'one' }, { source: 'two', state: 'off', reason: REASON.reason }, { source: 'three' }],
  });
  const { pool } = exchange.database;
  await expect(pool.query('delete from market_source_change')).rejects.toThrow('append-only');

  const on = await operate(exchange, '/ops/sources/two/on', REASON);
  expect(on.status).toBe(200);
  expect(await stateOf('two')).toBe('off');
  waited();
  await eventually(async () => expect(await stateOf('two')).toBe('counts'));
  expect((await sources()).sources.find(({ id }) => id === 'two')).toMatchObject({ note: '', since: null });
});

it('LIVE-006 a restart keeps what is switched', async () => {
  const { clock, log, doors } = exchange;
  const afterAStart = async () => {
    const switches = new SourceSwitches({ clock, log, database: doors.database });
    await switches.load(['one', 'two', 'three']);
    return switches.list().map(({ isOn, willBeOn }) => [isOn, willBeOn]);
  };
  const [on, off] = [
    [true, true],
    [false, false],
  ];
  expect(await afterAStart()).toEqual([on, on, on]);
  await operate(exchange, '/ops/sources/three/off', { ...NOTE, ...REASON });
  expect(await afterAStart()).toEqual([on, on, [true, false]]);
  waited();
  expect(await afterAStart()).toEqual([on, on, off]);
  await operate(exchange, '/ops/sources/three/on', REASON);
  expect(await afterAStart()).toEqual([on, on, [false, true]]);
  waited();
  expect(await afterAStart()).toEqual([on, on, on]);
});

it('LIVE-006 a source that is not there and a note that is missing are refused', async () => {
  const unknown = await operate(exchange, '/ops/sources/four/off', { ...NOTE, ...REASON });
  expect(unknown.status).toBe(400);
  const silent = await operate(exchange, '/ops/sources/one/off', REASON);
  expect(silent.status).toBe(400);
  expect(await stateOf('one')).toBe('counts');
});
