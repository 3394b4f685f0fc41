import { QUOTE_MS } from '@exchange/core/convert.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import {
  acceptConvert,
  convertCoins,
  convertQuote,
  convertRate,
  convertRecords,
} from '@exchange/wire/convert.ts';
import { acceptSmallBalances, quoteSmallBalances, smallBalances } from '@exchange/wire/small-balances.ts';
import { secondsTransfer } from '@exchange/wire/seconds.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { createSaver } from '../finance/testing/products.ts';

let exchange: TestExchange;
let trader: TestTrader;
beforeAll(async () => {
  exchange = await anExchange();
  await exchange.setPrice('btcusdt', '100000');
  await exchange.doors.convert.convert.fund('BTC', Decimal.parse('1'), 'demo');
  trader = await createSaver(exchange, { USDT: '200000' });
});
// Closing the test exchange runs the ledger's audit; the closing throws if the audit finds a problem.
afterAll(() => exchange.close());

const balanceOf = async (user: TestTrader, coin: string) => {
  const { list } = await user.request(spotAssets, { currency: coin });
  return list[0]?.availableCurrency ?? '0';
};
const quoted = (fromAmount: string) => trader.request(convertQuote, { from: 'USDT', to: 'BTC', fromAmount });

describe('instant exchange', () => {
  it('CONV-001 CONV-004 CONV-008 exchanges the quoted amounts once, however often the quote is accepted', async () => {
    const quote = await quoted('1000');
    expect(quote).toMatchObject({
      rate: '0.00000999',
      fee: '0.00000999',
      feeCoin: 'BTC',
      fromAmount: '1000',
      toAmount: '0.00998001',
    });
    const accepted = await Promise.all(
      Array.from({ length: 12 }, () => trader.call(acceptConvert, { quoteId: quote.quoteId })),
    );
    expect(accepted.every(({ code }) => code === 1)).toBe(true);
    expect(new Set(accepted.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect([await balanceOf(trader, 'USDT'), await balanceOf(trader, 'BTC')]).toEqual([
      '199000',
      '0.00998001',
    ]);
    const { list, sum } = await trader.request(convertRecords);
    expect([sum, list[0]]).toEqual([1, accepted[0]!.data]);
  });

  it('CONV-002 accepts the amount to receive instead', async () => {
    const quote = await trader.request(convertQuote, { from: 'USDT', to: 'BTC', toAmount: '0.01' });
    expect(Decimal.parse(quote.toAmount).isLess(Decimal.parse('0.01'))).toBe(false);
    const bothAmounts = { from: 'USDT', to: 'BTC', fromAmount: '10', toAmount: '1' };
    expect((await trader.call(convertQuote, bothAmounts)).errKey).toBe('l.convert_one_amount');
    expect((await trader.call(convertQuote, { from: 'USDT', to: 'BTC' })).errKey).toBe(
      'l.convert_one_amount',
    );
    const same = { from: 'BTC', to: 'BTC', fromAmount: '1' };
    expect((await trader.call(convertQuote, same)).errKey).toBe('l.convert_same');
    const fine = { from: 'BTC', to: 'USDT', fromAmount: '0.000000001' };
    expect((await trader.call(convertQuote, fine)).errKey).toBe('l.amount_decimals');
  });

  it('CONV-003 refusals name the limit and the given value', async () => {
    const asked = async (fromAmount: string) =>
      (await trader.call(convertQuote, { from: 'USDT', to: 'BTC', fromAmount })).data;
    expect(await asked('0.5')).toMatchObject({ limit: '1', value: '0.5' });
    expect(await asked('50001')).toMatchObject({ limit: '50000', value: '50001' });
  });

  it('CONV-004 refuses an expired quote and another user’s quote, and moves nothing', async () => {
    const before = await balanceOf(trader, 'USDT');
    const late = await quoted('100');
    await exchange.advanceTime(QUOTE_MS + 1_000);
    expect(await trader.call(acceptConvert, { quoteId: late.quoteId })).toMatchObject({
      code: -11,
      errKey: 'l.quote_expired',
    });
    const other = await createSaver(exchange, { USDT: '1000' });
    const { quoteId } = await quoted('100');
    expect((await other.call(acceptConvert, { quoteId })).errKey).toBe('l.not_found');
    expect([await balanceOf(trader, 'USDT'), await balanceOf(other, 'USDT')]).toEqual([before, '1000']);
  });

  it('CONV-004 refuses more than the balance with the available and the needed amount', async () => {
    const poor = await createSaver(exchange, { USDT: '10' });
    const short = { code: -6, data: { field: 'fromAmount', limit: '10', value: '11' } };
    expect(await poor.call(convertQuote, { from: 'USDT', to: 'BTC', fromAmount: '11' })).toMatchObject(short);
    const { quoteId } = await poor.request(convertQuote, { from: 'USDT', to: 'BTC', fromAmount: '10' });
    await poor.request(secondsTransfer, { currency: 'USDT', amount: '4', type: '1' });
    expect(await poor.call(acceptConvert, { quoteId })).toMatchObject({
      code: -6,
      data: { limit: '6', value: '10' },
    });
  });

  it('CONV-012 open quotes of a user never exceed their balance: earlier quotes expire when all together would', async () => {
    await exchange.advanceTime(QUOTE_MS + 1_000);
    const nothing = await exchange.aUser();
    const most = { from: 'USDT', to: 'BTC', fromAmount: '45000' };
    expect(await nothing.call(convertQuote, most)).toMatchObject({ code: -6, data: { limit: '0' } });
    const rich = await createSaver(exchange, { USDT: '45000' });
    const first = await rich.request(convertQuote, { ...most, fromAmount: '20000' });
    const second = await rich.request(convertQuote, { ...most, fromAmount: '25000' });
    // The inventory contains nearly 1 BTC, which is enough for two quotes of 0.45 BTC each.
    const later: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      await exchange.advanceTime(10);
      later.push((await rich.request(convertQuote, most)).quoteId);
    }
    for (const quoteId of [first.quoteId, second.quoteId, ...later.slice(0, -1)])
      expect((await rich.call(acceptConvert, { quoteId })).errKey).toBe('l.quote_expired');
    expect((await trader.call(convertQuote, { ...most, fromAmount: '40000' })).code).toBe(1);
    expect((await rich.call(acceptConvert, { quoteId: later.at(-1)! })).code).toBe(1);
    await exchange.doors.convert.convert.fund('BTC', Decimal.parse('1'), 'demo');
  });

  it('CONV-005 of 40 concurrent quotes no more is quoted than the inventory holds, and each quote is honoured', async () => {
    await exchange.advanceTime(QUOTE_MS + 1_000);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        trader.call(convertQuote, { from: 'USDT', to: 'BTC', toAmount: '0.1' }),
      ),
    );
    const quotes = answers.filter(({ code }) => code === 1);
    // The inventory of 1 BTC is enough for nine quotes of 0.1 BTC and their fees.
    expect(quotes).toHaveLength(9);
    expect(new Set(answers.filter(({ code }) => code !== 1).map(({ errKey }) => errKey))).toEqual(
      new Set(['l.convert_inventory']),
    );
    const exchanges = await Promise.all(
      quotes.map(({ data }) => trader.call(acceptConvert, { quoteId: data.quoteId })),
    );
    expect(exchanges.map(({ code }) => code)).toEqual(quotes.map(() => 1));
  });

  it('DUST-001 DUST-002 DUST-003 DUST-005 exchanges several small balances at one quote, once', async () => {
    await exchange.advanceTime(QUOTE_MS + 1_000);
    await exchange.setPrice('ethusdt', '3000');
    // The spread grows with changes of the index in the last five minutes, so the test waits until the change to 3,000
    // is older than that.
    await exchange.advanceTime(6 * MINUTE_MS);
    await exchange.doors.convert.convert.fund('USDT', Decimal.parse('1000'), 'demo');
    const owner = await createSaver(exchange, { BTC: '0.00005', ETH: '0.003', LTC: '5', USDT: '7' });
    const { list, usedToday } = await owner.request(smallBalances, {});
    expect([list.map(({ currency, worth }) => [currency, worth]), usedToday]).toEqual([
      [
        ['ETH', '9'],
        ['BTC', '5'],
      ],
      0,
    ]);
    const refusalOf = async (coins: string) =>
      (await owner.call(quoteSmallBalances, { coins, to: 'USDT' })).errKey;
    expect([await refusalOf('LTC'), await refusalOf('XRP'), await refusalOf('USDT')]).toEqual([
      'l.small_too_large',
      'l.small_nothing',
      'l.convert_same',
    ]);
    const quote = await owner.request(quoteSmallBalances, { coins: 'ETH,BTC,ETH', to: 'USDT' });
    // The user receives 14 USDT less the spread of 0.1 % and the fee of 0.1 %.
    expect(quote).toMatchObject({ fee: '0.013986', toAmount: '13.972014', time: 0 });
    const [part] = (
      await exchange.database.pool.query<{ id: string }>('select id from convert_quote where bundle = $1', [
        quote.quoteId,
      ])
    ).rows;
    expect((await owner.call(acceptConvert, { quoteId: part!.id })).errKey).toBe('l.not_found');
    expect((await trader.call(acceptSmallBalances, { quoteId: quote.quoteId })).errKey).toBe('l.not_found');
    const accepted = await Promise.all(
      Array.from({ length: 3 }, () => owner.call(acceptSmallBalances, { quoteId: quote.quoteId })),
    );
    expect(new Set(accepted.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(accepted[0]!.data.time).toBeGreaterThan(0);
    expect([
      await balanceOf(owner, 'USDT'),
      await balanceOf(owner, 'ETH'),
      await balanceOf(owner, 'BTC'),
    ]).toEqual(['20.972014', '0', '0']);
    expect((await owner.request(convertRecords)).sum).toBe(2);
    expect((await owner.request(smallBalances, {})).usedToday).toBe(1);
  });

  it('DUST-003 DUST-004 an expired quote moves nothing, and a day has three exchanges of small balances', async () => {
    const owner = await createSaver(exchange, { ETH: '0.001' });
    const quoteOf = () => owner.request(quoteSmallBalances, { coins: 'ETH', to: 'USDT' });
    const late = await quoteOf();
    // A newer quote for a part of the same balance ends the open quote of small balances.
    await owner.request(convertQuote, { from: 'ETH', to: 'USDT', fromAmount: '0.0009' });
    expect((await owner.call(acceptSmallBalances, { quoteId: late.quoteId })).errKey).toBe('l.quote_expired');
    expect(await balanceOf(owner, 'ETH')).toBe('0.001');
    for (let count = 0; count < 3; count += 1) {
      await owner.request(acceptSmallBalances, { quoteId: (await quoteOf()).quoteId });
      await owner.request(acceptConvert, {
        quoteId: (await owner.request(convertQuote, { from: 'USDT', to: 'ETH', fromAmount: '1' })).quoteId,
      });
    }
    expect(await owner.call(quoteSmallBalances, { coins: 'ETH', to: 'USDT' })).toMatchObject({
      errKey: 'l.small_day',
      data: { limit: '3', value: '4' },
    });
  });

  it('CONV-006 gives neither a quote nor a rate without a reliable index', async () => {
    expect((await exchange.call(convertRate, { from: 'BTC', to: 'USDT' })).code).toBe(1);
    exchange.prices.isSilent = true;
    exchange.clock.shift(60_000);
    const asked = await exchange.call(convertRate, { from: 'BTC', to: 'USDT' });
    expect(asked.errKey).toBe('l.no_index');
    expect((await trader.call(convertQuote, { from: 'USDT', to: 'BTC', fromAmount: '10' })).errKey).toBe(
      'l.no_index',
    );
    exchange.prices.isSilent = false;
    await exchange.advanceTime(1_000);
  });

  it('CONV-007 asks for a verified identity before it exchanges', async () => {
    const { list } = (await exchange.call(convertCoins)).data;
    expect(list.map(({ currency }) => currency)).toContain('BTC');
    const visitor = await exchange.aUser({ USDT: '100' });
    const { quoteId } = await visitor
      .request(convertQuote, { from: 'USDT', to: 'BTC', fromAmount: '50' })
      .catch(() => ({ quoteId: '00000000-0000-7000-8000-000000000000' }));
    expect((await visitor.call(acceptConvert, { quoteId })).code).toBe(-3);
    expect((await exchange.call(acceptConvert, { quoteId })).code).toBe(-2);
  });
});
