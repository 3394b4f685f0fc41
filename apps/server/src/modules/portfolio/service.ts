import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Reader } from '../../platform/database/database.ts';
import { balancesOf } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';

const SHOWN_PLACES = 8;

/** What a user's accounts are worth together. Shown only: no decision is made from it. */
export class Portfolio {
  private readonly reader: Reader;
  private readonly market: Market;

  constructor({ reader, market }: { reader: Reader; market: Market }) {
    this.reader = reader;
    this.market = market;
  }

  /** Worth per account in USDT, and in all in USDT and BTC; 8 digits, cut. A coin without a price counts as nothing. */
  async overview(owner: UserId): Promise<{ total: string; totalBtc: string; coin: string }> {
    const balances = await balancesOf(this.reader, owner, 'spot');
    const coin = sum(
      [...balances].map(([asset, { available, frozen }]) =>
        available.plus(frozen).times(this.market.usdtPrice(asset) ?? Decimal.zero, 'down', SHOWN_PLACES),
      ),
    );
    const btcPrice = this.market.usdtPrice('BTC');
    const totalBtc = btcPrice === undefined ? Decimal.zero : coin.over(btcPrice, 'down', SHOWN_PLACES);
    return { total: coin.toString(), totalBtc: totalBtc.toString(), coin: coin.toString() };
  }
}
