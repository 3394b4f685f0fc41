import { coinInfo, coinListing } from '@exchange/wire/coin-info.ts';
import { networksOf } from '@exchange/core/network.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { COIN_FACTS } from './coin-facts.ts';
import type { Assets, ListedPair } from './service.ts';
import { COIN_WORDS } from './words/coin-words.ts';

/** The calls about what is listed. */
export function assetRoutes(assets: Assets): Route[] {
  return [
    route(coinInfo, ({ coin: code }, { locale }) => {
      const coin = assets.requireCoin(code, 'coin');
      // A token that was sold here is described by its project.
      if (assets.findIssued(code) !== undefined) throw new Refused(refusal('generic', 'l.not_found'));
      const facts = COIN_FACTS[code];
      const words = COIN_WORDS[locale][code];
      if (facts === undefined || words === undefined) throw new Error(`${code} is listed without facts`);
      const { maxSupply, ...rest } = facts;
      return {
        coin: code,
        name: coin.name,
        digits: coin.digits,
        logo: assets.logo(code),
        ...rest,
        ...words,
        maxSupply: maxSupply?.toString() ?? '',
        pairs: pairsOf(assets, code).map(presentListing),
      };
    }),
    route(coinListing, ({ coin: code }) => {
      const coin = assets.requireCoin(code, 'coin');
      const issued = assets.findIssued(code);
      return {
        coin: code,
        name: coin.name,
        networks: networksOf(code).map(({ network }) => network.code),
        pairs: pairsOf(assets, code).map(({ pair }) => pair.symbol),
        issued: issued === undefined ? (0 as const) : (1 as const),
        ...(issued === undefined ? {} : { listTime: issued.listAt }),
      };
    }),
  ];
}

/** The pairs in which a coin is traded, on either side. */
function pairsOf(assets: Assets, code: string): readonly ListedPair[] {
  return assets.pairs.filter(({ pair }) => pair.base === code || pair.quote === code);
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
