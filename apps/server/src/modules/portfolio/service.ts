import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Reader } from '../../platform/database/database.ts';
import { balancesOf, lockedOf } from '../ledger/index.ts';
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
  async overview(owner: UserId): Promise<{ total: string; totalBtc: string; coin: string; finance: string }> {
    const [balances, locked] = await Promise.all([
      balancesOf(this.reader, owner, 'spot'),
      lockedOf(this.reader, owner, 'finance'),
    ]);
    const coin = sum(
      [...balances].map(([asset, { available, frozen }]) => this.inUsdt(asset, available.plus(frozen))),
    );
    const finance = sum([...locked].map(([asset, amount]) => this.inUsdt(asset, amount)));
    const total = coin.plus(finance);
    const btcPrice = this.market.usdtPrice('BTC');
    const totalBtc = btcPrice === undefined ? Decimal.zero : total.over(btcPrice, 'down', SHOWN_PLACES);
    const texts = { coin: coin.toString(), finance: finance.toString() };
    return { total: total.toString(), totalBtc: totalBtc.toString(), ...texts };
  }

  private inUsdt(asset: string, amount: Decimal): Decimal {
    return amount.times(this.market.usdtPrice(asset) ?? Decimal.zero, 'down', SHOWN_PLACES);
  }
}
