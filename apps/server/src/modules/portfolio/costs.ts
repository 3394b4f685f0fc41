import { afterPurchase, afterSale, NO_COST, type Cost } from '@exchange/core/cost.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Assets } from '../assets/index.ts';
import type { Records } from '../spot/index.ts';
import { costsOf, keepCosts, lockPosition } from './repository.ts';

const STABLE_COIN = 'USDT';
const FILLS_AT_A_TIME = 500;
/** A request counts at most so many; who has more to catch up with sees their costs a few requests later. */
const FILLS_MOST = 5_000;
const VALUE_PLACES = 8;

type Fill = Awaited<ReturnType<Records['fillsSince']>>[number];

interface CostsParts {
  readonly database: Pick<Database, 'transaction'>;
  readonly assets: Pick<Assets, 'findPair'>;
  readonly records: Pick<Records, 'fillsSince'>;
}

/**
 * What the coins cost that somebody bought on spot, by the average cost method. Each trade is counted once, when its
 * owner next asks: what they asked for before is kept, so that nothing grows with their history.
 */
export class Costs {
  private readonly parts: CostsParts;

  constructor(parts: CostsParts) {
    this.parts = parts;
  }

  /** The costs by coin; empty while there are more trades to count than one request may. */
  of(owner: UserId): Promise<ReadonlyMap<string, Cost>> {
    const { database, assets, records } = this.parts;
    return database.transaction(async (tx) => {
      let upTo = await lockPosition(tx, owner);
      const costs = await costsOf(tx, owner);
      const changed = new Map<string, Cost>();
      let isDone = false;
      for (let counted = 0; !isDone && counted < FILLS_MOST; counted += FILLS_AT_A_TIME) {
        const fills = await records.fillsSince(owner, upTo, FILLS_AT_A_TIME);
        for (const fill of fills) count(costs, changed, fill, assets.findPair(fill.symbol)?.pair);
        upTo = fills.at(-1) ?? upTo;
        isDone = fills.length < FILLS_AT_A_TIME;
      }
      if (changed.size > 0 || !isDone) await keepCosts(tx, owner, changed, upTo);
      return isDone ? costs : new Map();
    });
  }
}

/** Counts one trade: a purchase of the coin that came and, unless that was USDT, a sale of the coin that went. */
function count(
  costs: Map<string, Cost>,
  changed: Map<string, Cost>,
  fill: Fill,
  pair: Pair | undefined,
): void {
  // Without a price of its quote coin a trade had no value in USDT that anybody could know.
  if (fill.valueUsdt === undefined || pair === undefined) return;
  const isPurchase = (fill.takerSide === 'buy') === (fill.role === 'taker');
  const fee = fill.role === 'taker' ? fill.takerFee : fill.makerFee;
  const [went, came] = isPurchase ? [fill.total, fill.amount] : [fill.amount, fill.total];
  const [sold, bought] = isPurchase ? [pair.quote, pair.base] : [pair.base, pair.quote];
  const arrived = came.minus(fee);
  // A purchase's fee belongs to what was bought and a sale's to what it brought; on a pair of two coins both sides
  // are counted here, and the fee once.
  const value = isPurchase
    ? fill.valueUsdt
    : fill.valueUsdt.times(arrived, 'down').over(came, 'down', VALUE_PLACES);
  const set = (coin: string, next: (before: Cost) => Cost) => {
    if (coin === STABLE_COIN) return;
    const after = next(costs.get(coin) ?? NO_COST);
    costs.set(coin, after);
    changed.set(coin, after);
  };
  set(sold, (before) => afterSale(before, went, value));
  set(bought, (before) => afterPurchase(before, arrived, value));
}
