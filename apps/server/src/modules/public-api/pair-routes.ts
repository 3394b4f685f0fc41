import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import { apiSymbol, tickerIdOf } from './present.ts';
import type { ApiMarket, ListedForApi } from './service.ts';

/** Finds pairs by their API symbols, such as `BTCUSDT`, or names on listing sites; refuses unknown ones. */
export class ListedPairs {
  private readonly market: Pick<ApiMarket, 'pairs' | 'pair'>;

  constructor(market: Pick<ApiMarket, 'pairs' | 'pair'>) {
    this.market = market;
  }

  /** All pairs with their current trading status. */
  all(): readonly ListedForApi[] {
    return this.market.pairs();
  }

  /** The pair by its symbol in capitals. Throws −1121 for an unknown symbol. */
  named(symbol: string): ListedForApi {
    const listed = this.market.pair(symbol.toLowerCase());
    if (listed === undefined || apiSymbol(listed.pair) !== symbol) throw apiErrors.invalidSymbol();
    return listed;
  }

  /** The pair by its name on listing sites, such as `BTC_USDT`. Throws −1121 for an unknown name. */
  ticker(tickerId: string): ListedForApi {
    const listed = this.all().find(({ pair }) => tickerIdOf(pair) === tickerId);
    if (listed === undefined) throw apiErrors.invalidSymbol();
    return listed;
  }

  /**
   * The pairs that a request selects: `symbol`, `symbols`, or else all. Throws −1128 if both are present, and −1121 for
   * an unknown symbol.
   */
  selected(values: { symbol?: string | undefined; symbols?: readonly string[] | undefined }) {
    const { symbol, symbols } = values;
    if (symbol !== undefined && symbols !== undefined) throw apiErrors.invalidCombination();
    if (symbol !== undefined) return [this.named(symbol)];
    return symbols === undefined ? this.all() : symbols.map((name) => this.named(name));
  }
}
