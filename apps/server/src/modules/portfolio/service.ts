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
  async overview(owner: UserId) {
    const [balances, ...locked] = await Promise.all([
      balancesOf(this.reader, owner, 'spot'),
      lockedOf(this.reader, owner, 'finance'),
      lockedOf(this.reader, owner, 'mining'),
    ]);
    const coin = sum(
      [...balances].map(([asset, { available, frozen }]) => this.inUsdt(asset, available.plus(frozen))),
    );
    const [finance, pool] = locked.map((amounts) =>
      sum([...amounts].map(([asset, amount]) => this.inUsdt(asset, amount))),
    ) as [Decimal, Decimal];
    const total = sum([coin, finance, pool]);
    const btcPrice = this.market.usdtPrice('BTC');
    const totalBtc = btcPrice === undefined ? Decimal.zero : total.over(btcPrice, 'down', SHOWN_PLACES);
    return { total, totalBtc, coin, finance, pool };
  }

  private inUsdt(asset: string, amount: Decimal): Decimal {
    return amount.times(this.market.usdtPrice(asset) ?? Decimal.zero, 'down', SHOWN_PLACES);
  }
}
