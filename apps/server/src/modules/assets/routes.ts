import { coinInfo, coinListing } from '@exchange/wire/coin-info.ts';
import type { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import { textIn, type Locale } from '@exchange/core/locale.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { COIN_FACTS } from './coin-facts.ts';
import type { Assets, IssuedCoin, ListedPair } from './service.ts';
import { COIN_WORDS } from './words/coin-words.ts';

/** Returns the HTTP endpoints that return information about listed coins. */
export function assetRoutes(assets: Assets, offered: OfferedNetworks): Route[] {
  return [
    route(coinInfo, ({ coin: code }, { locale }) => {
      const coin = assets.requireCoin(code, 'coin');
      const issued = assets.findIssued(code);
      if (issued !== undefined) return presentToken(assets, issued, locale);
      const facts = COIN_FACTS[code];
      const words = COIN_WORDS[locale][code];
      if (facts === undefined || words === undefined) throw new Error(`${code} is listed without facts`);
      const { maxSupply, ...fields } = facts;
      return {
        coin: code,
        name: coin.name,
        digits: coin.digits,
        logo: assets.logo(code),
        ...fields,
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
        networks: offered.networksOf(code).map(({ network }) => network.code),
        pairs: pairsOf(assets, code).map(({ pair }) => pair.symbol),
        issued: issued === undefined ? (0 as const) : (1 as const),
        ...(issued === undefined ? {} : { listTime: issued.listAt }),
      };
    }),
  ];
}

/**
 * Presents a token that was sold on this exchange, with the description by its project. Such a token has no network,
 * website or explorer.
 */
function presentToken(assets: Assets, token: IssuedCoin, locale: Locale) {
  return {
    coin: token.code,
    name: textIn(token.project.name, locale),
    digits: token.digits,
    logo: assets.logo(token.code),
    year: new Date(token.listAt).getUTCFullYear(),
    description: textIn(token.project.about, locale),
    consensus: '',
    maxSupply: token.totalSupply.toString(),
    website: '' as const,
    explorer: '' as const,
    pairs: pairsOf(assets, token.code).map(presentListing),
  };
}

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
