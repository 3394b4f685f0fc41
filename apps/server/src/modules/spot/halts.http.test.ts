import type { OrderId } from '@exchange/core/ids.ts';
import { secondsConfig } from '@exchange/wire/seconds.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { WebSocket } from 'ws';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { operate as operatorCall } from '../../../testing/operators.ts';
import { BTC_USDT, detail, balanceText, limit, place } from './testing/orders.ts';

describe('halting a pair', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  async function operate(path: string, fields?: Record<string, string>) {
    const answer = await operatorCall(exchange, `/ops/${path}`, fields);
    const result = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, ...result } as Record<string, unknown>;
  }

  it('SPOT-160 an operator halts a pair with a reason: at once no new orders and no amending, but cancelling works', async () => {
    const trader = await exchange.aUser({ USDT: '2000' });
    const { id } = await place(trader, limit('buy', '49000', '0.01'));
    const halt = { status: 'cancelOnly', reason: 'the index is in doubt', publicCause: 'prices' };
    expect(await operate('pairs/btcusdt/status', halt)).toMatchObject({
      status: 'cancelOnly',
      symbol: 'btcusdt',
    });
    expect(await trader.call(wire.createOrder, limit('buy', '49000', '0.01'))).toMatchObject({
      code: -10,
      errKey: 'l.pair_cancel_only',
    });
    const oco = { ...BTC_USDT, tradeType: 'buy', amount: '0.01', limitPrice: '1', stopPrice: '2' } as const;
    expect(await trader.call(wire.createOco, oco)).toMatchObject({ errKey: 'l.pair_cancel_only' });
    expect(await trader.call(wire.amendOrder, { id, amount: '0.005' })).toMatchObject({
      errKey: 'l.pair_cancel_only',
    });
    const basics = await exchange.call(wire.spotBasics, { baseCoin: 'BTC', quoteCoin: 'USDT' });
    expect(basics.data[0]).toMatchObject({ status: 'cancelOnly' });
    await exchange.restart();
    expect(await trader.call(wire.amendOrder, { id, amount: '0.005' })).toMatchObject({
      errKey: 'l.pair_cancel_only',
    });
    expect(await trader.request(wire.cancelOrder, { id })).toMatchObject({ status: 3 });
    await operate('pairs/btcusdt/status', { status: 'open', reason: 'it was a false alarm' });
    await place(trader, limit('buy', '49000', '0.01'));
    await trader.request(wire.cancelAllOrders);
  });

  it('SPOT-161 every change of a pair’s status is stored with author, reason and previous status, and cannot be altered', async () => {
    await operate('pairs/ltcusdt/status', { status: 'closed', reason: 'a fork', publicCause: 'network' });
    await operate('pairs/ltcusdt/status', { status: 'open', reason: 'over' });
    const { pool } = exchange.database;
    const { rows } = await pool.query(
      `select status, status_before, set_by, reason from spot_pair_status_history where symbol = 'ltcusdt' order by sequence`,
    );
    expect(rows).toEqual([
      { status: 'closed', status_before: 'open', set_by: 'owner', reason: 'a fork' },
      { status: 'open', status_before: 'closed', set_by: 'owner, approved by approver', reason: 'over' },
    ]);
    await expect(pool.query('delete from spot_pair_status_history')).rejects.toThrow('append-only');
    const { pairs } = await operate('pairs');
    expect(pairs).toContainEqual(
      expect.objectContaining({
        symbol: 'ltcusdt',
        status: 'open',
        by: 'owner, approved by approver',
        reason: 'over',
      }),
    );
    expect(exchange.log.lines.filter(({ event }) => event === 'spot.pair_status_set').length).toBeGreaterThan(
      1,
    );
  });

  it('SPOT-162 a change without a reason, to an unknown status or of an unknown pair is refused', async () => {
    expect(
      await operate('pairs/ltcusdt/status', { status: 'closed', reason: ' ', publicCause: 'other' }),
    ).toMatchObject({
      status: 400,
      key: 'l.field_required',
      field: 'reason',
    });
    expect(await operate('pairs/ltcusdt/status', { status: 'shut', reason: 'x' })).toMatchObject({
      field: 'status',
    });
    expect(
      await operate('pairs/nothing/status', { status: 'closed', reason: 'x', publicCause: 'other' }),
    ).toMatchObject({
      status: 400,
      key: 'l.unknown_pair',
    });
  });

  it('SPOT-163 subscribers of the pairs topic receive the change', async () => {
    const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}/bb/app/ws`);
    const messages: { topic?: string; type?: string; data?: unknown }[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ op: 'subscribe', topics: ['pairs'] }));
    await eventually(() => expect(messages).toHaveLength(1));
    expect(messages[0]).toMatchObject({ topic: 'pairs', type: 'snapshot' });
    expect(messages[0]!.data).toContainEqual({ symbol: 'xrpusdt', status: 'open' });
    await operate('pairs/xrpusdt/status', {
      status: 'cancelOnly',
      reason: 'test',
      publicCause: 'maintenance',
    });
    // The public notice of the halt is published in a second message, after the one about the halt itself.
    await eventually(() => expect(messages).toHaveLength(3));
    expect(messages[1]).toMatchObject({
      type: 'update',
      data: [{ symbol: 'xrpusdt', status: 'cancelOnly', pause: { cause: 'other' } }],
    });
    expect(messages[2]).toMatchObject({
      data: [{ symbol: 'xrpusdt', status: 'cancelOnly', pause: { cause: 'maintenance' } }],
    });
    socket.close();
  });

  const pauseOf = async (baseCoin: string) => {
    const { data } = await exchange.call(wire.spotBasics, { baseCoin, quoteCoin: 'USDT' });
    return { status: data[0]?.status, pause: data[0]?.pause };
  };

  it('SPOT-1250 a halt is explained to users with its public reason, note and time of news, until the pair opens; its own reason is not', async () => {
    const newsAt = String(exchange.clock.now() + 3_600_000);
    const halt = { status: 'cancelOnly', reason: 'sanctions hit', publicCause: 'maintenance', newsAt };
    const note = { noteEn: 'The book is checked.', noteZh: '正在检查盘口。' };
    expect(await operate('pairs/dogeusdt/status', { ...halt, noteEn: 'Only English' })).toMatchObject({
      status: 400,
      field: 'noteZh',
    });
    expect(await operate('pairs/dogeusdt/status', { ...halt, publicCause: '' })).toMatchObject({
      key: 'l.field_required',
      field: 'publicCause',
    });
    expect(await operate('pairs/dogeusdt/status', { ...halt, publicCause: 'sanctions' })).toMatchObject({
      key: 'l.field_choice',
      field: 'publicCause',
    });
    expect(await operate('pairs/dogeusdt/status', { ...halt, newsAt: '1' })).toMatchObject({
      field: 'newsAt',
    });
    expect(await pauseOf('DOGE')).toEqual({ status: 'open', pause: undefined });
    await operate('pairs/dogeusdt/status', { ...halt, ...note });
    const explained = {
      status: 'cancelOnly',
      pause: {
        cause: 'maintenance',
        newsTime: Number(newsAt),
        note: { 'en-US': note.noteEn, 'zh-CN': note.noteZh },
      },
    };
    expect(await pauseOf('DOGE')).toEqual(explained);
    await exchange.restart();
    expect(await pauseOf('DOGE')).toEqual(explained);
    const page = await (await fetch(`${exchange.url}/status?lang=zh-CN`)).text();
    expect(page).toContain('原因：系统维护');
    expect(page).toContain(note.noteZh);
    expect(page).not.toContain('sanctions');
    // Setting the same status of the pair with another notice changes only the published notice.
    await operate('pairs/dogeusdt/status', { ...halt, publicCause: 'other', newsAt: '' });
    expect(await pauseOf('DOGE')).toEqual({ status: 'cancelOnly', pause: { cause: 'other' } });
    await operate('pairs/dogeusdt/status', { status: 'open', reason: 'over' });
    expect(await pauseOf('DOGE')).toEqual({ status: 'open', pause: undefined });
    const { rows } = await exchange.database.pool.query(
      `select cause, ended_at is not null as ended from trading_pause where subject = 'dogeusdt' order by id`,
    );
    expect(rows).toEqual([
      { cause: 'maintenance', ended: true },
      { cause: 'other', ended: true },
    ]);
  });

  it('SPOT-1250 halts of one pair at the same time all succeed, and the notice is that of one of them', async () => {
    const causes = ['maintenance', 'technical', 'prices'];
    const answers = await Promise.all(
      causes.map((publicCause) =>
        operate('pairs/adausdt/status', { status: 'closed', reason: 'at once', publicCause }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(['closed', 'closed', 'closed']);
    const { pause } = await pauseOf('ADA');
    expect(causes).toContain(pause?.cause);
    await operate('pairs/adausdt/status', { status: 'open', reason: 'over' });
    expect(await pauseOf('ADA')).toEqual({ status: 'open', pause: undefined });
  });

  it('SPOT-1251 the pairs of a halted coin are shown as paused with the coin and its public reason, and lifting clears it', async () => {
    await operate('assets/ltc/halt', { reason: 'the node is in doubt', publicCause: 'network' });
    expect(await pauseOf('LTC')).toEqual({ status: 'cancelOnly', pause: { coin: 'LTC', cause: 'network' } });
    await operate('assets/ltc/lift', { reason: 'the node is well' });
    expect(await pauseOf('LTC')).toEqual({ status: 'open', pause: undefined });
  });

  it('SEC-1253 a stop of new positions is explained with its public reason until open terms are published', async () => {
    const configOf = async () => {
      const { open, pause, version } = (await exchange.call(secondsConfig, {})).data;
      return { open, pause, version };
    };
    const terms = { durations: '60:0.8:5', symbols: 'btcusdt', feeRate: '0.01', maxStake: '100' };
    await operate('seconds/terms', { ...terms, open: '1', reason: 'a test' });
    expect(await configOf()).toEqual({ open: 1, pause: undefined, version: 1 });
    expect(await operate('seconds/stop', { reason: 'the feed is late' })).toMatchObject({
      field: 'publicCause',
    });
    const stop = { reason: 'the feed is late', publicCause: 'prices' };
    await operate('seconds/stop', stop);
    expect(await configOf()).toEqual({ open: 0, pause: { cause: 'prices' }, version: 2 });
    await operate('seconds/stop', { ...stop, publicCause: 'technical' });
    expect(await configOf()).toEqual({ open: 0, pause: { cause: 'technical' }, version: 2 });
    await operate('seconds/terms', { ...terms, open: '1', version: '2', reason: 'a test' });
    expect(await configOf()).toEqual({ open: 1, pause: undefined, version: 3 });
  });

  it('SPOT-167 a late cancel is answered from memory for every caller', async () => {
    const [owner, stranger] = [await exchange.aUser({ USDT: '1000' }), await exchange.aUser()];
    const order = await place(owner, limit('buy', '49000', '0.01'));
    await owner.request(wire.cancelOrder, { id: order.id });
    const id = order.id as OrderId;
    const { spot } = exchange.doors;
    const connect = vi.spyOn(exchange.database.pool, 'connect');
    const refusals = await Promise.all(
      [owner, stranger].map((user) => spot.cancel(user.id, id).catch((cause: unknown) => String(cause))),
    );
    const symbols = [owner, stranger].map((user) => spot.symbolInMemory(user.id, id));
    expect(symbols).toEqual(['btcusdt', undefined]);
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
    expect(refusals[0]).toContain('l.order_not_open');
    expect(refusals[1]).toContain('l.not_found');
    await exchange.restart();
    expect(await owner.call(wire.cancelOrder, { id })).toMatchObject({ errKey: 'l.order_not_open' });
    expect(await detail(owner, order)).toMatchObject({ status: 3 });
    expect(await balanceText(owner, 'USDT')).toBe('1000 + 0');
  });
});
