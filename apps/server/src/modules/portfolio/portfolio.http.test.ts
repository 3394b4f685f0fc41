import { overview } from '@exchange/wire/account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { limit, place } from '../spot/testing/orders.ts';

describe('the overview of a user’s accounts', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it('PORT-001 is worth what is available and held, at the index, in USDT and BTC', async () => {
    const trader = await exchange.aUser({ USDT: '1000', BTC: '0.5', DOGE: '33' });
    await place(trader, limit('sell', '55000', '0.2'));
    // 1000 + 0.5 × 50000 + 33 × 0.2
    expect(await trader.ask(overview)).toEqual({
      ...{ total: '26006.6', totalBtc: '0.520132', coin: '26006.6', finance: '0', pool: '0' },
    });
    await exchange.setPrice('btcusdt', '52000.01');
    expect(await trader.ask(overview)).toEqual({
      total: '27006.605',
      coin: '27006.605',
      totalBtc: '0.51935768',
      finance: '0',
      pool: '0',
    });
  });

  it('PORT-002 is nothing for a new user', async () => {
    const trader = await exchange.aUser();
    expect(await trader.ask(overview)).toEqual({
      total: '0',
      totalBtc: '0',
      coin: '0',
      finance: '0',
      pool: '0',
    });
  });
});
