import { coinInfo } from '@exchange/wire/coin-info.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';

describe('coin info', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it('WATCH-051 anybody is told what a coin is, in the language asked for, and where it is traded', async () => {
    const { data, code } = await exchange.call(coinInfo, { coin: 'eth' });
    expect(code).toBe(1);
    expect(data).toMatchObject({
      ...{ coin: 'ETH', name: 'Ethereum', logo: '/coins/eth.svg', year: 2015, maxSupply: '', digits: 8 },
      ...{ website: 'https://ethereum.org', explorer: 'https://etherscan.io' },
    });
    expect(data.description).toContain('smart contracts');
    expect(data.pairs.map(({ symbol }) => symbol)).toEqual([
      'ethusdt',
      'ethbtc',
      'eoseth',
      'adaeth',
      'dogeeth',
    ]);
    expect(data.pairs[0]).toMatchObject({ pricePrecision: 2, minTotal: '5', source: 'simulated' });
    const chinese = await exchange.call(coinInfo, { coin: 'BTC' }, { headers: { 'x-lang': 'zh-CN' } });
    expect(chinese.data).toMatchObject({ maxSupply: '21000000', consensus: '工作量证明（SHA-256）' });
  });

  it('WATCH-051 a coin that is not listed is refused', async () => {
    expect(await exchange.call(coinInfo, { coin: 'XYZ' })).toMatchObject({
      code: -1,
      errKey: 'l.field_choice',
      data: { field: 'coin', value: 'XYZ' },
    });
  });
});
