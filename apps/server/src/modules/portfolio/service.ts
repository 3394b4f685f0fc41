import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Reader } from '../../platform/database/database.ts';
import { periodProblem } from '@exchange/core/period.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import type { tradeRecords } from '@exchange/wire/portfolio.ts';
import { rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Assets } from '../assets/index.ts';
import { holdingsOf, type Holdings, type Movements } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';

const SHOWN_PLACES = 8;
const GROUPS = { '1': 'spot', '2': 'seconds', '3': 'products', '4': undefined } as const;
const PRODUCTS_OF = {
  spot: ['spot'],
  seconds: ['seconds'],
  products: ['finance', 'mining', 'fund', 'subscription'],
} as const;

/** What a user's accounts are worth together. Shown only: no decision is made from it. */
export class Portfolio {
  private readonly reader: Reader;
  private readonly market: Market;
  private readonly movements: Pick<Movements, 'ofOwner'>;
  private readonly assets: Pick<Assets, 'requireCoin' | 'coins'>;

  constructor(parts: {
    reader: Reader;
    market: Market;
    movements: Pick<Movements, 'ofOwner'>;
    assets: Pick<Assets, 'requireCoin' | 'coins'>;
  }) {
    this.reader = parts.reader;
    this.market = parts.market;
    this.movements = parts.movements;
    this.assets = parts.assets;
  }

  /** What moved on a user's coin account, or on the accounts that are asked for; newest first. */
  records(owner: UserId, asked: FieldsOf<typeof tradeRecords>) {
    const problem = periodProblem(asked);
    if (problem !== undefined) throw new Refused(problem);
    if (asked.currency !== undefined) this.assets.requireCoin(asked.currency, 'currency');
    const { currency: asset, startTime: from, endTime: to } = asked;
    const of =
      asked.account === undefined ? { isAvailableOnly: true } : { products: PRODUCTS_OF[asked.account] };
    const filter = { asset, from, to, group: GROUPS[asked.type], ...of };
    return this.movements.ofOwner(owner, filter, rowsOfPage(asked));
  }

  /** What a user has of every coin on every account, and its worth in USDT; 8 digits, cut. */
  async holdings(owner: UserId) {
    const names = new Map(this.assets.coins.map(({ code, name }) => [code, name]));
    const held = await holdingsOf(this.reader, owner);
    return held
      .map(({ product, asset, available, frozen, locked }) => {
        const [spare, bound] =
          product === 'spot' || product === 'seconds' ? [available, Decimal.zero] : [Decimal.zero, available];
        const inUse = sum([bound, frozen, locked]);
        return {
          ...{ account: product, currency: asset, currencyName: names.get(asset) ?? asset },
          ...{ available: spare, frozen: inUse, price: this.market.usdtPrice(asset) ?? Decimal.zero },
          total: this.inUsdt(asset, spare.plus(inUse)),
        };
      })
      .filter(({ available, frozen }) => !available.plus(frozen).isZero());
  }

  /** Worth per account in USDT, and in all in USDT and BTC; 8 digits, cut. A coin without a price counts as nothing. */
  async overview(owner: UserId) {
    const held = await holdingsOf(this.reader, owner);
    const worthOf = (account: Holdings['product']) =>
      sum(
        held
          .filter(({ product }) => product === account)
          .map(({ asset, available, frozen, locked }) =>
            this.inUsdt(asset, sum([available, frozen, locked])),
          ),
      );
    const worth = {
      ...{ coin: worthOf('spot'), contract: worthOf('seconds'), finance: worthOf('finance') },
      ...{ pool: worthOf('mining'), fund: worthOf('fund'), subscribe: worthOf('subscription') },
    };
    const total = sum(Object.values(worth));
    const btcPrice = this.market.usdtPrice('BTC');
    const totalBtc = btcPrice === undefined ? Decimal.zero : total.over(btcPrice, 'down', SHOWN_PLACES);
    return { total, totalBtc, ...worth };
  }

  private inUsdt(asset: string, amount: Decimal): Decimal {
    return amount.times(this.market.usdtPrice(asset) ?? Decimal.zero, 'down', SHOWN_PLACES);
  }
}
