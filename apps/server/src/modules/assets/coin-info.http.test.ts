import { coinInfo, coinListing } from '@exchange/wire/coin-info.ts';
import { projectDetail } from '@exchange/wire/subscription.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { soldProject } from '../subscription/testing/projects.ts';

describe('coin info', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it('WATCH-051 describes a coin in the requested language and lists its pairs, without a session', async () => {
    const { data, code } = await exchange.call(coinInfo, { coin: 'eth' });
    expect(code).toBe(1);
    expect(data).toMatchObject({
      coin: 'ETH',
      name: 'Ethereum',
      logo: '/coins/eth.svg',
      year: 2015,
      maxSupply: '',
      digits: 8,
      website: 'https://ethereum.org',
      explorer: 'https://etherscan.io',
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

  it('WATCH-1010 the listing of a coin has its networks and pairs, and the listing date of a token that was sold on this exchange', async () => {
    expect((await exchange.call(coinListing, { coin: 'SHIB' })).data).toEqual({
      coin: 'SHIB',
      name: 'Shiba Inu',
      networks: ['ERC20'],
      pairs: ['shibusdt'],
      issued: 0,
    });
    const buyer = await exchange.aUser({ USDT: '100' });
    const { id } = await soldProject(exchange, buyer);
    const { listTime } = (await exchange.call(projectDetail, { id })).data;
    expect((await exchange.call(coinListing, { coin: 'SOLD' })).data).toEqual({
      coin: 'SOLD',
      name: 'Project sold',
      networks: [],
      pairs: [],
      issued: 1,
      listTime,
    });
    expect(await exchange.call(coinListing, { coin: 'XYZ' })).toMatchObject({
      code: -1,
      errKey: 'l.field_choice',
    });
  });

  it('WATCH-1070 a token that was sold on this exchange is described by its project and has no network, website or explorer', async () => {
    const { data, code } = await exchange.call(coinInfo, { coin: 'SOLD' });
    expect(code).toBe(1);
    expect(data).toMatchObject({
      coin: 'SOLD',
      name: 'Project sold',
      logo: '/coins/sold.svg',
      consensus: '',
      website: '',
      explorer: '',
      pairs: [],
    });
    expect(data.description).not.toBe('');
    expect(Number(data.maxSupply)).toBeGreaterThan(0);
  });

  it('WATCH-051 refuses a coin that is not listed', async () => {
    expect(await exchange.call(coinInfo, { coin: 'XYZ' })).toMatchObject({
      code: -1,
      errKey: 'l.field_choice',
      data: { field: 'coin', value: 'XYZ' },
    });
  });
});
