import { Decimal, sum } from '@exchange/core/decimal.ts';
import { expect, it } from 'vitest';
import type { SpotBalance } from '../balance/balances.ts';
import { coinShares } from './curve.ts';
import { balancesOfSnapshot } from './portfolio.ts';
import { overviewOf, type PortfolioSnapshot } from './queries.ts';

const row = (account: PortfolioSnapshot['list'][number]['account'], currency: string, total: string) => ({
  account,
  currency,
  currencyName: currency,
  available: '1',
  frozen: '2',
  price: '10',
  total,
});
const SNAPSHOT: PortfolioSnapshot = {
  list: [
    row('spot', 'BTC', '30.5'),
    row('spot', 'USDT', '3'),
    row('fund', 'USDT', '130'),
    row('mining', 'BTC', '7'),
  ],
  time: 0,
  total: '170.5',
  totalBtc: '17.05',
  last: null,
};
const balance = (currency: string, total: string): SpotBalance => ({
  currency,
  currencyName: currency,
  logo: '',
  availableCurrency: '9',
  frozenCurrency: '9',
  price: '9',
  total,
  status: 1,
});

it('WEB-952 accounts, coins and rows of a snapshot add up to its total', () => {
  const { total, byAccount } = overviewOf(SNAPSHOT);
  const added = (texts: readonly string[]) => sum(texts.map((text) => Decimal.parse(text))).toString();
  expect(added(Object.values(byAccount))).toBe(total);
  expect(byAccount).toMatchObject({ spot: '33.5', fund: '130', mining: '7', seconds: '0' });
  expect(added(coinShares(SNAPSHOT.list, 1).map((share) => share.total))).toBe(total);
  const balances = [balance('BTC', '1'), balance('USDT', '2'), balance('ETH', '5')];
  const rows = balancesOfSnapshot(balances, SNAPSHOT);
  expect(added(rows.map((row) => row.total))).toBe(byAccount.spot);
  expect(rows.map(({ availableCurrency, total: worth }) => [availableCurrency, worth])).toEqual([
    ['1', '30.5'],
    ['1', '3'],
    ['0', '0'],
  ]);
  expect(balancesOfSnapshot(balances, undefined)).toBe(balances);
});
