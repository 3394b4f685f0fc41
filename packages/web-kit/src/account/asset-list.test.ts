import { describe, expect, it } from 'vitest';
import { filterAssets, INITIAL_ASSET_VIEW } from './asset-list.ts';

const asset = (
  currency: string,
  currencyName: string,
  availableCurrency: string,
  price: string,
  total: string,
) => ({ currency, currencyName, availableCurrency, frozenCurrency: '0', price, total });
const ASSETS = [
  asset('DOGE', 'Dogecoin', '1', '0.1', '0.1'),
  asset('BTC', 'Bitcoin', '0.5', '90000', '50000'),
  asset('USDT', 'Tether', '900', '1', '900'),
  asset('EOS', 'EOS', '2', '0.04', '0.100000000000000001'),
];
const names = (view: Partial<typeof INITIAL_ASSET_VIEW>) =>
  filterAssets(ASSETS, { ...INITIAL_ASSET_VIEW, ...view }).map(({ currency }) => currency);

describe('the list of assets', () => {
  it('WEB-060 hides assets worth at most 0.1 USDT', () => {
    expect(names({ hideSmall: true })).toEqual(['BTC', 'USDT', 'EOS']);
    expect(names({})).toHaveLength(4);
  });

  it('WEB-061 WEB-953 searches by ticker and name, and sorts by total worth, available worth and name', () => {
    expect(names({ search: ' bit' })).toEqual(['BTC']);
    expect(names({ search: 'dog' })).toEqual(['DOGE']);
    expect(names({ order: 'available' })).toEqual(['BTC', 'USDT', 'DOGE', 'EOS']);
    expect(names({ order: 'name' })).toEqual(['BTC', 'DOGE', 'EOS', 'USDT']);
  });
});
