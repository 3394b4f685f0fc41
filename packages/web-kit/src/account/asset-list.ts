import { Decimal } from '@exchange/core/decimal.ts';
import { searchKey } from '../ui/typed-text.ts';
import { NO_COIN_NAMES, type CoinNames } from '../balance/coin-names.ts';

/** An asset is small when all of it is worth no more than this, in USDT. */
export const SMALL_TOTAL = Decimal.parse('0.1');

/** What the list needs of an asset; balances have it. */
export interface ListedAsset {
  readonly currency: string;
  readonly currencyName: string;
  readonly availableCurrency: string;
  readonly frozenCurrency: string;
  /** Price of one coin, in USDT. */
  readonly price: string;
  /** In USDT. */
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
 * The assets that a view shows, in its order; equal ones by name. A search finds them by code, by the name that the
 * server says, and by `names` in any language.
 */
export function assetsShown<Asset extends ListedAsset>(
  assets: readonly Asset[],
  view: AssetView,
  names: CoinNames = NO_COIN_NAMES,
): Asset[] {
  const wanted = searchKey(view.search);
  return assets
    .filter((asset) => !view.hideSmall || Decimal.parse(asset.total).isMore(SMALL_TOTAL))
    .filter(
      ({ currency, currencyName }) =>
        searchKey(`${currency} ${currencyName}`).includes(wanted) || names.isNamed(currency, view.search),
    )
    .toSorted((one, other) => compare(one, other, view.order) || one.currency.localeCompare(other.currency));
}

function compare(one: ListedAsset, other: ListedAsset, order: AssetOrder): number {
  if (order === 'name') return 0;
  // Amounts of different coins compare by what they are worth.
  const worthOf = ({ total, availableCurrency, price }: ListedAsset) =>
    order === 'value'
      ? Decimal.parse(total)
      : Decimal.parse(availableCurrency).times(Decimal.parse(price), 'down');
  return worthOf(other).compare(worthOf(one));
}
