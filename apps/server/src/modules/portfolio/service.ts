import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Reader } from '../../platform/database/database.ts';
import { periodProblem } from '@exchange/core/period.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import type { tradeRecords } from '@exchange/wire/account.ts';
import { rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Assets } from '../assets/index.ts';
import { balancesOf, lockedOf, type Movements } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';

const SHOWN_PLACES = 8;
const GROUPS = { '1': 'spot', '2': 'seconds', '3': 'products', '4': undefined } as const;

/** What a user's accounts are worth together. Shown only: no decision is made from it. */
export class Portfolio {
  private readonly reader: Reader;
  private readonly market: Market;
  private readonly movements: Pick<Movements, 'ofOwner'>;
  private readonly assets: Pick<Assets, 'requireCoin'>;

  constructor(parts: {
    reader: Reader;
    market: Market;
    movements: Pick<Movements, 'ofOwner'>;
    assets: Pick<Assets, 'requireCoin'>;
  }) {
    this.reader = parts.reader;
    this.market = parts.market;
    this.movements = parts.movements;
    this.assets = parts.assets;
  }

  /** What moved on a user's coin account, newest first, of what is asked for. */
  records(owner: UserId, asked: FieldsOf<typeof tradeRecords>) {
    const problem = periodProblem(asked);
    if (problem !== undefined) throw new Refused(problem);
    if (asked.currency !== undefined) this.assets.requireCoin(asked.currency, 'currency');
    const { currency: asset, startTime: from, endTime: to } = asked;
    const filter = { asset, from, to, group: GROUPS[asked.type], isAvailableOnly: true };
    return this.movements.ofOwner(owner, filter, rowsOfPage(asked));
  }

  /** Worth per account in USDT, and in all in USDT and BTC; 8 digits, cut. A coin without a price counts as nothing. */
  async overview(owner: UserId) {
    const [spot, seconds, subscribed, ...locked] = await Promise.all([
      balancesOf(this.reader, owner, 'spot'),
      balancesOf(this.reader, owner, 'seconds'),
      balancesOf(this.reader, owner, 'subscription'),
      lockedOf(this.reader, owner, 'seconds'),
      lockedOf(this.reader, owner, 'finance'),
      lockedOf(this.reader, owner, 'mining'),
    ]);
    const worthOf = (balances: typeof spot) =>
      sum([...balances].map(([asset, { available, frozen }]) => this.inUsdt(asset, available.plus(frozen))));
    const coin = worthOf(spot);
    const [staked, finance, pool] = locked.map((amounts) =>
      sum([...amounts].map(([asset, amount]) => this.inUsdt(asset, amount))),
    ) as [Decimal, Decimal, Decimal];
    const contract = worthOf(seconds).plus(staked);
    const subscribe = worthOf(subscribed);
    const total = sum([coin, contract, finance, pool, subscribe]);
    const btcPrice = this.market.usdtPrice('BTC');
    const totalBtc = btcPrice === undefined ? Decimal.zero : total.over(btcPrice, 'down', SHOWN_PLACES);
    return { total, totalBtc, coin, contract, finance, pool, subscribe };
  }

  private inUsdt(asset: string, amount: Decimal): Decimal {
    return amount.times(this.market.usdtPrice(asset) ?? Decimal.zero, 'down', SHOWN_PLACES);
  }
}
