import { Decimal } from '@exchange/core/decimal.ts';
import { searchKey } from '../ui/typed-text.ts';
import { NO_COIN_NAMES, type CoinNames } from '../balance/coin-names.ts';

/** Value in USDT. The filter "hide small balances" hides a coin whose balance is worth at most this amount. */
export const SMALL_TOTAL = Decimal.parse('0.1');

/** The fields of a coin balance that the asset list sorts and filters by. */
export interface ListedAsset {
  readonly currency: string;
  readonly currencyName: string;
  readonly availableCurrency: string;
  readonly frozenCurrency: string;
  /** Price of the coin in USDT. */
  readonly price: string;
  /** Value in USDT of the coin's available and frozen amount together. */
  readonly total: string;
}

export type AssetOrder = 'value' | 'name' | 'available';

export interface AssetView {
  readonly hideSmall: boolean;
  readonly search: string;
  readonly order: AssetOrder;
}

export const INITIAL_ASSET_VIEW: AssetView = { hideSmall: false, search: '', order: 'value' };

/**
 * Filters and sorts the asset list. An asset matches the search text if its coin code or its name from the server
 * (`currencyName`) contains the text, or if `names`, which contains the coin's names in all languages, matches it. With
 * `hideSmall`, assets worth at most `SMALL_TOTAL` are left out. Assets are sorted by descending value, for the order
 * `available` by the descending value of the available amount, and for the order `name` by coin code; assets of equal
 * value are sorted by coin code.
 */
export function filterAssets<Asset extends ListedAsset>(
  assets: readonly Asset[],
  view: AssetView,
  names: CoinNames = NO_COIN_NAMES,
): Asset[] {
  const query = searchKey(view.search);
  return assets
    .filter((asset) => !view.hideSmall || Decimal.parse(asset.total).isMore(SMALL_TOTAL))
    .filter(
      ({ currency, currencyName }) =>
        searchKey(`${currency} ${currencyName}`).includes(query) || names.matches(currency, view.search),
    )
    .toSorted((a, b) => compare(a, b, view.order) || a.currency.localeCompare(b.currency));
}

function compare(a: ListedAsset, b: ListedAsset, order: AssetOrder): number {
  if (order === 'name') return 0;
  // The orders `value` and `available` compare values in USDT, because amounts of different coins are not comparable.
  const worthOf = ({ total, availableCurrency, price }: ListedAsset) =>
    order === 'value'
      ? Decimal.parse(total)
      : Decimal.parse(availableCurrency).times(Decimal.parse(price), 'down');
  return worthOf(b).compare(worthOf(a));
}
