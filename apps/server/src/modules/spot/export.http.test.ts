import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { secondsTransfer } from '@exchange/wire/seconds.ts';
import * as wire from '@exchange/wire/spot.ts';
import { loginRecords } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import type { RequestFields } from '../../../testing/calling.ts';
import { testDatabase } from '../../../testing/database.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { byForm } from '../../../../../tools/test-form.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { limit, market, place } from './testing/orders.ts';
import { storeOrders } from './testing/stored-history.ts';

const DAY_MS = 86_400_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const MOST_WAITED = /http_file_buffered_bytes_max (\d+)/;
/**
 * Maximum number of bytes that an export may buffer: about one page of rows and the contents of socket
 * buffers.
 */
const BUFFER_MAX = 1_000_000;

type Filters = RequestFields<typeof exportRecords>;

function formOf(fields: Filters): string {
  return new URLSearchParams(fields as Record<string, string>).toString();
}

const aroundNow = () => ({ startTime: String(Date.now() - DAY_MS), endTime: String(Date.now() + DAY_MS) });

describe('exports', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange({ limits: { ...NO_LIMITS, signedInRead: LIMITS.signedInRead } });
  });
  afterAll(() => exchange.close());

  /**
   * Downloads a CSV export of the trader's orders, fills, account events or movements; without other times,
   * of the period from a day ago to a day ahead.
   */
  async function exported(trader: TestTrader, fields: Filters, headers: Record<string, string> = {}) {
    const response = await fetch(`${exchange.url}${API_BASE}${exportRecords.path}`, {
      method: 'POST',
      headers: { ...FORM, 'x-access-token': trader.token, ...headers },
      body: formOf({ ...aroundNow(), ...fields }),
    });
    return {
      response,
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer()),
    };
  }

  /** Downloads a CSV export of the trader and returns its rows, keyed by heading. No cell may be quoted. */
  async function rowsOf(trader: TestTrader, fields: Filters): Promise<Record<string, string>[]> {
    const { text } = await exported(trader, fields);
    const [head, ...lines] = text
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split(','));
    return lines.map((cells) => Object.fromEntries(head!.map((heading, n) => [heading, cells[n] ?? ''])));
  }

  /** Starts an export whose reader is paused; the caller must resume or destroy the response. */
  async function slowly(trader: TestTrader, fields: Filters): Promise<IncomingMessage> {
    const asking = request(`${exchange.url}${API_BASE}${exportRecords.path}`, {
      method: 'POST',
      headers: { ...FORM, 'x-access-token': trader.token },
      agent: false,
    });
    asking.end(formOf({ ...aroundNow(), ...fields }));
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return response;
  }

  it('PORT-1013 an export of events has a line per event with the paid and received amounts', async () => {
    const [maker, taker] = [await exchange.aUser({ BTC: '1' }), await exchange.aUser({ USDT: '1000' })];
    await place(maker, limit('sell', '50000', '0.01'));
    await place(taker, limit('buy', '50000', '0.01'));
    const open = await place(taker, limit('buy', '49000.1', '0.001'));
    await taker.request(wire.cancelOrder, { id: open.id });
    await taker.request(secondsTransfer, { amount: '100', currency: 'USDT', type: '1' });
    const events = await rowsOf(taker, { kind: 'events' });
    expect(events.map((row) => row['Movement'])).toEqual([
      'seconds.deposited',
      'spot.traded',
      'inventory.funded',
    ]);
    expect(events[0]).toMatchObject({
      Paid: '100',
      'Paid coin': 'USDT',
      'Paid from': 'spot',
      Received: '100',
      'Received coin': 'USDT',
      'Received in': 'seconds',
      Fee: '',
    });
    expect(events[1]).toMatchObject({
      Paid: '500',
      'Paid coin': 'USDT',
      Received: '0.00999',
      'Received coin': 'BTC',
      Fee: '0.00001',
      'Fee coin': 'BTC',
    });
    expect(await rowsOf(taker, { kind: 'events', currency: 'BTC' })).toHaveLength(1);
  });

  it('SPOT-238 hold what the lists show: orders, fills and movements, newest first, with exact figures and times in UTC', async () => {
    const [maker, taker] = [await exchange.aUser({ BTC: '1' }), await exchange.aUser({ USDT: '1000' })];
    const resting = await place(maker, limit('sell', '50000', '0.01'));
    const bought = await place(taker, limit('buy', '50000', '0.004'));
    const open = await place(taker, limit('buy', '49000.1', '0.001'));
    await taker.request(wire.cancelOrder, { id: open.id });

    const orders = await rowsOf(taker, { kind: 'orders' });
    expect(orders.map((row) => [row['Order ID'], row['Status'], row['Side'], row['Pair']])).toEqual([
      [open.id, 'cancelled', 'buy', 'BTC/USDT'],
      [bought.id, 'filled', 'buy', 'BTC/USDT'],
    ]);
    expect(orders[0]).toMatchObject({
      'Time (UTC)': new Date(open.createTime).toISOString(),
      Price: '49000.10',
      Amount: '0.001',
      Reason: 'user',
    });

    const [fill] = await rowsOf(taker, { kind: 'fills' });
    const { list } = await taker.request(wire.fillRecords);
    expect(fill).toEqual({
      'Time (UTC)': new Date(list[0]!.ts).toISOString(),
      'Trade ID': list[0]!.tradeId,
      'Order ID': bought.id,
      Pair: 'BTC/USDT',
      Side: 'buy',
      Role: 'taker',
      Price: list[0]!.price,
      Amount: list[0]!.amount,
      Total: list[0]!.total,
      Fee: list[0]!.fee,
      'Fee coin': 'BTC',
    });
    expect((await rowsOf(maker, { kind: 'fills' }))[0]).toMatchObject({
      'Order ID': resting.id,
      Role: 'maker',
    });

    await exchange.doors.movements.catchUp();
    const moved = await rowsOf(taker, { kind: 'movements', currency: 'USDT' });
    const statement = await taker.request(wire.spotMovements, { currency: 'USDT', pageSize: '100' });
    expect(moved.map((row) => [row['Movement ID'], row['Amount'], row['Balance after']])).toEqual(
      statement.list.map(({ id, amount, balance }) => [id, amount, balance]),
    );
    expect(moved.some((row) => /^-\d/.test(row['Amount']!))).toBe(true);
    await maker.request(wire.cancelAllOrders);
  });

  it('SPOT-231 a client id that is a formula is exported as text', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    const hostile = ['=1+1', `=HYPERLINK("http://x","y")`, '@SUM(A1)', '+1', '-2+3', '-1', 'a,"b"'];
    for (const clientId of hostile) await place(trader, limit('buy', '49000', '0.001', { clientId }));
    const { text } = await exported(trader, { kind: 'orders' });
    for (const cell of [
      ",'=1+1,",
      `,"'=HYPERLINK(""http://x"",""y"")",`,
      ",'@SUM(A1),",
      ",'+1,",
      ",'-2+3,",
      ',-1,',
      ',"a,""b""",',
    ])
      expect(text).toContain(cell);
    await trader.request(wire.cancelAllOrders);
  });

  it('SPOT-248 have headings in the caller’s language; a file that is not plain ASCII has a UTF-8 mark', async () => {
    const trader = await exchange.aUser();
    const chinese = await exported(trader, { kind: 'fills' }, { 'x-lang': 'zh-CN' });
    expect(chinese.text).toMatch(/^\uFEFF时间（UTC）,成交号,.*\r\n$/);
    const english = await exported(trader, { kind: 'movements' });
    expect(english.text).toBe(
      'Time (UTC),Movement ID,Coin,Movement,Balance type,Amount,Balance after,Reference\r\n',
    );
    const times = { startTime: String(Date.UTC(2026, 0, 1)), endTime: String(Date.UTC(2026, 10, 21)) };
    const named = await exported(trader, { kind: 'orders', ...times });
    expect(named.response.headers.get('content-disposition')).toBe(
      'attachment; filename="orders-2026-01-01-2026-11-21.csv"',
    );
  });

  it('SPOT-249 are filtered like the lists: pair, side, type, state, coin and period', async () => {
    const [trader, maker] = [
      await exchange.aUser({ USDT: '9000', BTC: '1' }),
      await exchange.aUser({ BTC: '1' }),
    ];
    await place(maker, limit('sell', '50000', '0.003'));
    const eth = await place(trader, limit('buy', '2400', '0.01', { baseCoin: 'ETH' }));
    const sell = await place(trader, limit('sell', '55000', '0.001'));
    await trader.request(wire.cancelOrder, { id: sell.id });
    const byMarket = await place(trader, market('buy', { amount: '0.001' }));
    const byLimit = await place(trader, limit('buy', '50000', '0.002'));
    const orders = async (filters: Filters) =>
      (await rowsOf(trader, { kind: 'orders', ...filters })).map((row) => row['Order ID']);
    expect(await orders({ baseCoin: 'ETH', quoteCoin: 'USDT' })).toEqual([eth.id]);
    expect(await orders({ tradeType: '2' })).toEqual([sell.id]);
    expect(await orders({ orderType: 'market' })).toEqual([byMarket.id]);
    expect(await orders({ entryStatus: '0' })).toEqual([eth.id]);
    expect(await orders({ entryStatus: '1' })).toEqual([byLimit.id, byMarket.id]);
    expect(await orders({ entryStatus: '2' })).toEqual([sell.id]);
    expect(await orders({ startTime: '0', endTime: '1000' })).toEqual([]);
    const fills = async (filters: Filters) =>
      (await rowsOf(trader, { kind: 'fills', ...filters })).map((row) => row['Order ID']);
    expect(await fills({})).toEqual([byLimit.id, byMarket.id]);
    expect(await fills({ orderType: 'market' })).toEqual([byMarket.id]);
    expect(await fills({ tradeType: '2' })).toEqual([]);
    await trader.request(wire.cancelAllOrders);
  });

  it('SPOT-240 cover at most 366 days, and the refusal names the requested number', async () => {
    const trader = await exchange.aUser();
    const over = (days: number, ms = 0) =>
      trader.call(exportRecords, {
        kind: 'orders',
        startTime: String(DAY_MS),
        endTime: String(DAY_MS * (days + 1) + ms),
      });
    expect(await over(366)).toMatchObject({ code: 1, data: expect.stringMatching(/^Time/) as string });
    expect(await over(366, 1)).toMatchObject({
      code: -8,
      errKey: 'l.export_range',
      msg: 'An export covers at most 366 days. You chose 367.',
    });
    expect(await over(-1)).toMatchObject({ code: -1, errKey: 'l.period_backwards' });
    const missing = await trader.call(exportRecords, { kind: 'orders', startTime: '1' });
    expect(missing).toMatchObject({ code: -1, data: { field: 'endTime' } });
    const unknown = await trader.call(exportRecords, { kind: 'secrets' as never, ...aroundNow() });
    expect(unknown).toMatchObject({ code: -1, data: { field: 'kind' } });
  });

  it('SPOT-243 cost more than any other read: ten a minute', async () => {
    const trader = await exchange.aUser();
    const codes: number[] = [];
    for (let n = 0; n < 11; n += 1)
      codes.push((await trader.call(exportRecords, { kind: 'fills', ...aroundNow() })).code);
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 1), -9]);
  });

  describe('of a very large number of rows', () => {
    /** Number of stored rows; lists can show only the first 100,000. */
    const COUNT = byForm(101_000, 200_000);
    /** Number of rows in the exported period; their text is much longer than `BUFFER_MAX`. */
    const EXPORTED = byForm(40_000, 200_000);
    let owner: TestTrader;
    let period: { startTime: string; endTime: string };

    beforeAll(async () => {
      owner = await exchange.aUser();
      const stored = await storeOrders(exchange.database.pool, owner.id, { count: COUNT, to: Date.now() });
      const rowEveryMs = (stored.to - stored.from) / (COUNT - 1);
      period = {
        startTime: String(stored.to - (EXPORTED - 1) * rowEveryMs),
        endTime: String(stored.to),
      };
    });

    it('SPOT-242 stream: of many thousand rows at most a page is buffered for the reader, and none is missing or duplicated', async () => {
      const answer = await slowly(owner, { kind: 'orders', ...period });
      // While the reader pauses, only the operating system's socket buffers fill up.
      await sleep(1_000);
      let [rows, rest, last] = [0, '', ''];
      for await (const chunk of answer) {
        const lines = (rest + String(chunk)).split('\r\n');
        rest = lines.pop()!;
        for (const line of lines) {
          const id = line.split(',', 2)[1]!;
          if (rows > 1 && id >= last) throw new Error(`${id} comes behind ${last}`);
          last = id;
          rows += 1;
        }
      }
      expect([rows, rest]).toEqual([EXPORTED + 1, '']);
      const metrics = await (await fetch(`${exchange.consoleUrl}/metrics`)).text();
      const most = Number(MOST_WAITED.exec(metrics)?.[1]);
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(BUFFER_MAX);
    });

    it('SPOT-241 run one at a time per user, and end with their reader and release its connections', async () => {
      const reading = await slowly(owner, { kind: 'orders', ...period });
      const second = await owner.call(exportRecords, { kind: 'fills', ...period });
      expect(second).toMatchObject({ code: 0, errKey: 'l.export_running' });
      const other = await exchange.aUser();
      expect((await other.call(exportRecords, { kind: 'orders', ...aroundNow() })).code).toBe(1);
      reading.destroy();
      await eventually(
        async () => expect((await owner.call(exportRecords, { kind: 'fills', ...period })).code).toBe(1),
        500,
      );
      const { pool } = exchange.database;
      await eventually(() => expect([pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0]));
    });

    it('SPOT-251 a page after the first 100,000 rows is refused, and no more rows are counted', async () => {
      const last = await owner.request(wire.orderRecords, { pageNo: '1000', pageSize: '100' });
      expect([last.list.length, last.totalRow]).toEqual([100, 100_000]);
      for (const call of [
        wire.orderRecords,
        wire.fillRecords,
        wire.spotMovements,
        messagePage,
        loginRecords,
      ]) {
        expect(await owner.call(call, { pageNo: '1001', pageSize: '100' })).toMatchObject({
          code: -8,
          errKey: 'l.page_depth',
          data: { field: 'pageNo', limit: '100000', value: '100100' },
        });
      }
    });
  });
});

describe('a replica that lags behind', () => {
  it('DB-065 serves exports and later pages of statements, and nothing else', async () => {
    // A second database plays the role of a replica that receives no changes.
    const copy = await testDatabase();
    const exchange = await anExchange({ replica: copy.pool });
    try {
      const trader = await exchange.aUser({ USDT: '10000' });
      await place(trader, limit('buy', '50000', '0.01'));
      await exchange.doors.movements.catchUp();
      expect((await trader.request(wire.orderRecords, {})).list).toHaveLength(1);
      expect((await trader.request(wire.spotMovements, { pageNo: '2', pageSize: '1' })).list).toEqual([]);
      const file = await fetch(`${exchange.url}${API_BASE}${exportRecords.path}`, {
        method: 'POST',
        headers: { ...FORM, 'x-access-token': trader.token },
        body: formOf({ kind: 'orders', ...aroundNow() }),
      });
      expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(1);
    } finally {
      await exchange.close();
      await copy.drop();
    }
  });
});
