import { sum, Decimal } from '@exchange/core/decimal.ts';
import { accountEvents, coinCosts } from '@exchange/wire/portfolio.ts';
import {
  removeTaxCost,
  setTaxCost,
  setTaxZone,
  taxArrivals,
  taxDisposals,
  taxLots,
  taxStatement,
  taxYear,
} from '@exchange/wire/tax.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { limit, place } from '../spot/testing/orders.ts';
import { linesOfFile } from './testing/files.ts';

describe('tax years', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  const year = async (trader: TestTrader, method: 'fifo' | 'average') =>
    eventually(async () => {
      const answer = await trader.request(taxYear, { method });
      expect(answer.status).toBe('ready');
      return answer;
    });

  it('TAX-001 TAX-008 TAX-010 TAX-013 TAX-014 gains follow trades and entered costs, by both methods, in lists and files', async () => {
    const [trader, other] = [
      await exchange.aUser({ USDT: '20000', BTC: '0.1' }),
      await exchange.aUser({ USDT: '20000', BTC: '1' }),
    ];
    await place(other, limit('sell', '50000', '0.1'));
    await place(trader, limit('buy', '50000', '0.1'));
    await place(other, limit('buy', '50500', '0.15'));
    await place(trader, limit('sell', '50500', '0.15'));
    const { year: current, years, totals, coins } = await year(trader, 'average');
    expect(years).toEqual([current]);
    // 0.0999 BTC cost 5,000; the 0.1 transferred BTC have no cost, and the average cost method sells them last.
    const proceeds = Decimal.parse(totals.proceeds);
    const earned = proceeds.times(Decimal.parse('0.0999'), 'down').over(Decimal.parse('0.15'), 'down', 8);
    expect(totals.gain).toBe(earned.minus(Decimal.parse('5000')).toString());
    expect(totals.unknownProceeds).toBe(proceeds.minus(earned).toString());
    const [profit] = (await trader.request(coinCosts)).list;
    expect(profit).toEqual({
      currency: 'BTC',
      amount: '0',
      cost: '0',
      realized: totals.gain,
    });
    expect(coins.find(({ currency }) => currency === 'BTC')).toMatchObject({
      openQuantity: '0',
      acquired: '0.0999',
      acquiredCost: '5000',
      arrived: '0.1',
      disposed: '0.15',
      quantity: '0.0499',
      uncosted: '0.0499',
      unvalued: 0,
    });

    // First in, first out: the 0.1 transferred BTC, whose cost is unknown, are sold first.
    const { list: arrivals } = await trader.request(taxArrivals);
    expect(arrivals).toMatchObject([
      { currency: 'BTC', amount: '0.1', kind: 'inventory.funded', cost: null },
    ]);
    const [arrival] = arrivals;
    const id = arrival!.id;
    const disposals = async () =>
      (await trader.request(taxDisposals, { year: String(current), method: 'fifo' })).list;
    const [disposal] = await disposals();
    expect(disposal).toMatchObject({
      currency: 'BTC',
      amount: '0.15',
      source: 'trade',
      costedAmount: '0.05',
    });
    // TAX-014: the entry number in the id of a disposal selects exactly one account event, which no other user can
    // read.
    const recordOf = async (reader: TestTrader, id: string) =>
      (await reader.request(accountEvents, { entry: id.split('-')[0]! })).list;
    expect(await recordOf(trader, disposal!.id)).toMatchObject([
      { id: disposal!.id.split('-')[0], event: 'trade', kind: 'spot.traded', refId: disposal!.refId },
    ]);
    expect(await recordOf(await exchange.aUser(), disposal!.id)).toEqual([]);
    const lots = async () => (await trader.request(taxLots, { eventId: disposal!.id })).list;
    expect(await lots()).toMatchObject([
      { kind: 'spot.traded', amount: '0.05', lotAmount: '0.0999' },
      { id, kind: 'inventory.funded', amount: '0.1', cost: null },
    ]);

    const acquireTime = String(arrival!.time - 1_000);
    const refusals = [
      await other.call(setTaxCost, { eventId: id, cost: '1', acquireTime }),
      await trader.call(setTaxCost, { eventId: '1-NONE', cost: '1', acquireTime }),
      await trader.call(setTaxCost, { eventId: id, cost: '1', acquireTime: String(arrival!.time + 1) }),
      await trader.call(setTaxCost, { eventId: id, cost: `1${'0'.repeat(30)}`, acquireTime }),
    ];
    expect(refusals.map(({ errKey }) => errKey)).toEqual([
      'l.not_found',
      'l.not_found',
      'l.tax_acquired_late',
      'l.field_number',
    ]);
    await trader.request(setTaxCost, { eventId: id, cost: '3000', acquireTime });
    const fifo = await year(trader, 'fifo');
    expect(fifo.totals.unknownProceeds).toBe('0');
    const [lot] = await lots();
    const cost = sum([Decimal.parse('3000'), Decimal.parse(lot!.cost!)]);
    expect(fifo.totals.gain).toBe(proceeds.minus(cost).toString());
    expect((await disposals())[0]).toMatchObject({ costedAmount: '0.15', gain: fifo.totals.gain });
    expect((await trader.request(taxArrivals)).list).toMatchObject([
      { cost: '3000', acquireTime: Number(acquireTime) },
    ]);
    // Setting the same cost again does not discard the books, so they need not be counted again.
    await trader.request(setTaxCost, { eventId: id, cost: '3000', acquireTime });
    expect((await trader.request(taxYear, { method: 'fifo' })).totals).toEqual(fifo.totals);
    const average = await year(trader, 'average');
    expect((await trader.request(coinCosts)).list[0]?.realized).toBe(average.totals.gain);

    const gains = await linesOfFile(exchange, trader, {
      year: String(current),
      method: 'fifo',
      report: 'gains',
    });
    expect(gains).toHaveLength(3);
    expect(gains[0]).toMatch(/^Coin,Amount,Acquired/);
    expect(gains[1]).toContain(`BTC,0.1,${new Date(Number(acquireTime)).toISOString()},`);
    expect(gains[1]).toContain(',3000,');
    expect(
      await linesOfFile(exchange, trader, { year: String(current), method: 'average', report: 'gains' }),
    ).toHaveLength(2);
    const summary = await linesOfFile(exchange, trader, {
      year: String(current),
      method: 'fifo',
      report: 'summary',
    });
    expect(summary).toHaveLength(3);
    const rows = await linesOfFile(exchange, trader, { year: String(current), report: 'koinly' });
    expect(rows[0]).toMatch(/^Date,Sent Amount,Sent Currency,Received Amount/);
    // The lines of the file: the headings, two transfers and two trades.
    expect(rows).toHaveLength(5);
    const statement = (await linesOfFile(exchange, trader, { year: String(current) }, taxStatement)).join('');
    expect(statement).toMatch(/^%PDF-1\.7\n[^]*\n%tax statement\|\d+\|\d{4}\|fifo\|[0-9a-f]{64} key=/);
    expect(statement).toContain(
      `(${Decimal.parse(fifo.totals.gain).rounded(2, 'halfEven').toPlaces(2)} USDT)`,
    );

    await trader.request(removeTaxCost, { eventId: id });
    expect((await year(trader, 'average')).totals).toEqual(totals);
    const future = await trader.call(taxYear, { year: String(current + 1) });
    expect(future.errKey).toBe('l.field_max');
    const past = await trader.request(taxYear, { year: '2020' });
    expect([past.status, past.coins, past.totals.gain]).toEqual(['ready', [], '0']);
  });

  it('TAX-016 years begin and end in the time zone that the user chooses', async () => {
    const now = exchange.clock.now();
    // Half past midnight of 1 January in Tokyo, when it is still the day before in UTC and in New York.
    const utcYear = new Date(now + 86_400_000).getUTCFullYear();
    exchange.clock.shift(Date.UTC(utcYear, 11, 31, 15, 30) - now);
    const [trader, other] = [
      await exchange.aUser({ USDT: '20000', BTC: '0.1' }),
      await exchange.aUser({ USDT: '20000', BTC: '1' }),
    ];
    await place(other, limit('buy', '50000', '0.05'));
    await place(trader, limit('sell', '50000', '0.05'));
    const inUtc = await year(trader, 'fifo');
    expect([inUtc.timeZone, inUtc.year, inUtc.years]).toEqual(['UTC', utcYear, [utcYear]]);
    const disposalsOf = async (wanted: number) =>
      (await trader.request(taxDisposals, { year: String(wanted) })).list.map(({ amount }) => amount);
    expect([await disposalsOf(utcYear), await disposalsOf(utcYear + 1)]).toEqual([['0.05'], []]);

    const refused = await Promise.all(
      ['Mars/Base', '', `Asia/${'x'.repeat(70)}`].map((timeZone) => trader.call(setTaxZone, { timeZone })),
    );
    expect(refused.map(({ errKey }) => errKey)).toEqual([
      'l.field_invalid',
      'l.field_required',
      'l.field_too_long',
    ]);
    expect((await year(trader, 'fifo')).timeZone).toBe('UTC');

    await trader.request(setTaxZone, { timeZone: 'Asia/Tokyo' });
    const inTokyo = await year(trader, 'fifo');
    expect([inTokyo.timeZone, inTokyo.year, inTokyo.years]).toEqual([
      'Asia/Tokyo',
      utcYear + 1,
      [utcYear + 1],
    ]);
    expect(inTokyo.coins).toEqual(inUtc.coins);
    expect(inTokyo.totals).toEqual(inUtc.totals);
    expect([await disposalsOf(utcYear), await disposalsOf(utcYear + 1)]).toEqual([[], ['0.05']]);
    const rowsOf = async (wanted: number, report: string) =>
      (await linesOfFile(exchange, trader, { year: String(wanted), report })).length;
    expect([await rowsOf(utcYear, 'gains'), await rowsOf(utcYear + 1, 'gains')]).toEqual([1, 2]);
    expect([await rowsOf(utcYear, 'koinly'), await rowsOf(utcYear + 1, 'koinly')]).toEqual([1, 4]);
    const statement = (await linesOfFile(exchange, trader, { year: String(utcYear + 1) }, taxStatement)).join(
      '',
    );
    expect(statement).toContain('time zone Asia/Tokyo.');
    // The time zone applies only to the user who has chosen it. Choosing the same one again does not discard the user's
    // books.
    expect((await year(other, 'fifo')).timeZone).toBe('UTC');
    await trader.request(setTaxZone, { timeZone: 'Asia/Tokyo' });
    expect((await trader.request(taxYear, { method: 'fifo' })).status).toBe('ready');

    await trader.request(setTaxZone, { timeZone: 'America/New_York' });
    const inNewYork = await year(trader, 'fifo');
    expect([inNewYork.year, inNewYork.totals]).toEqual([utcYear, inUtc.totals]);
  });
});
