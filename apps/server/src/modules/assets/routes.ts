import { coinInfo } from '@exchange/wire/coin-info.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { COIN_FACTS } from './coin-facts.ts';
import type { Assets, ListedPair } from './service.ts';
import { COIN_WORDS } from './words/coin-words.ts';

/** The calls about what is listed. */
export function assetRoutes(assets: Assets): Route[] {
  return [
    route(coinInfo, ({ coin: code }, { locale }) => {
      const coin = assets.requireCoin(code, 'coin');
      const facts = COIN_FACTS[code];
      const words = COIN_WORDS[locale][code];
      if (facts === undefined || words === undefined) throw new Error(`${code} is listed without facts`);
      const { maxSupply, ...rest } = facts;
      const traded = assets.pairs.filter(({ pair }) => pair.base === code || pair.quote === code);
      return {
        coin: code,
        name: coin.name,
        digits: coin.digits,
        logo: assets.logo(code),
        ...rest,
        ...words,
        maxSupply: maxSupply?.toString() ?? '',
        pairs: traded.map(presentListing),
      };
    }),
  ];
}

function presentListing({ pair, filters, source }: ListedPair) {
  return {
    symbol: pair.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    pricePrecision: pair.priceDigits,
    amountPrecision: pair.amountDigits,
    minAmount: filters.minAmount.toString(),
    maxAmount: filters.maxAmount.toString(),
    minTotal: filters.minTotal.toString(),
    source,
  };
}
