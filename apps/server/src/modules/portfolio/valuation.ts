import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Assets } from '../assets/index.ts';
import type { Funds } from '../fund/index.ts';
import { holdingsOf, type Holdings, worthOfNext } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';

/** Digits of what something is worth in USDT; the rest is cut. */
export const WORTH_PLACES = 8;

/** Everything that balances are valued by, as of one instant. */
export interface PriceSet {
  readonly at: Instant;
  /** In USDT, by coin; coins without a price are left out and count as nothing. */
  readonly coins: ReadonlyMap<AssetCode, Decimal>;
  /** Unit values of the leveraged funds, by fund, each in its fund's currency. */
  readonly units: ReadonlyMap<string, Decimal>;
}

/** What a user has of one coin on one product, and what it is worth. */
export interface ValuedHolding {
  readonly product: Holdings['product'];
  readonly asset: AssetCode;
  /** What can be used at once. */
  readonly available: Decimal;
  /** Held by orders and withdrawals; of products all that is in them, of funds the equity of the positions. */
  readonly inUse: Decimal;
  /** In USDT; zero where there is none. */
  readonly price: Decimal;
  /** What everything is worth, in USDT. */
  readonly worth: Decimal;
}

interface ValuationParts {
  readonly clock: Clock;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly assets: Pick<Assets, 'coins' | 'pairs'>;
  readonly funds: Pick<Funds, 'unitValues' | 'equityGains'>;
}

/**
 * What users' accounts are worth: the only place that values them, so that totals, lists, curves and changes agree. Balances
 * count at the index, positions of leveraged funds at their equity.
 */
export class Valuation {
  private readonly parts: ValuationParts;

  constructor(parts: ValuationParts) {
    this.parts = parts;
  }

  /** The prices of this instant. */
  prices(): PriceSet {
    const { clock, market, assets, funds } = this.parts;
    const coins = new Map<AssetCode, Decimal>();
    const listed = assets.pairs.flatMap(({ pair }) => [pair.base, pair.quote]);
    for (const coin of new Set([...assets.coins.map(({ code }) => code), ...listed])) {
      const price = market.usdtPrice(coin);
      if (price !== undefined) coins.set(coin, price);
    }
    return { at: clock.now(), coins, units: funds.unitValues() };
  }

  /** What a user has on every account at these prices; what is empty is left out. */
  async holdingsOf(reader: Reader, owner: UserId, prices: PriceSet): Promise<ValuedHolding[]> {
    const held = await holdingsOf(reader, owner);
    const gains = await this.parts.funds.equityGains(reader, [owner], prices.units);
    return held
      .map((holding) => {
        const { product, asset, available, frozen, locked } = holding;
        const isSpendable = product === 'spot' || product === 'seconds';
        const gain = product === 'fund' ? gains.find((one) => one.asset === asset)?.gain : undefined;
        const all = sum([available, frozen, locked, gain ?? Decimal.zero]);
        const price = prices.coins.get(asset) ?? Decimal.zero;
        return {
          product,
          asset,
          available: isSpendable ? available : Decimal.zero,
          inUse: isSpendable ? all.minus(available) : all,
          price,
          worth: inUsdt(prices, asset, all),
        };
      })
      .filter(({ available, inUse }) => !available.plus(inUse).isZero());
  }

  /** The worth of everything of the next `limit` users behind one, in the order of their ids; in USDT. */
  async worthOfNext(
    reader: Reader,
    prices: PriceSet,
    except: readonly UserId[],
    behind: string,
    limit: number,
  ): Promise<{ owner: UserId; worth: Decimal }[]> {
    const asked = { prices: prices.coins, places: WORTH_PLACES, except };
    const page = await worthOfNext(reader, asked, behind, limit);
    const owners = page.map(({ owner }) => owner);
    const gains = await this.parts.funds.equityGains(reader, owners, prices.units);
    const extra = new Map<UserId, Decimal>();
    for (const { owner, asset, gain } of gains)
      extra.set(owner, (extra.get(owner) ?? Decimal.zero).plus(inUsdt(prices, asset, gain)));
    return page.map(({ owner, worth }) => ({ owner, worth: worth.plus(extra.get(owner) ?? Decimal.zero) }));
  }
}

/** What amounts of coins are worth together in USDT. */
export function worthOf(prices: PriceSet, amounts: ReadonlyMap<AssetCode, Decimal>): Decimal {
  return sum([...amounts].map(([asset, amount]) => inUsdt(prices, asset, amount)));
}

function inUsdt({ coins }: PriceSet, asset: AssetCode, amount: Decimal): Decimal {
  return amount.times(coins.get(asset) ?? Decimal.zero, 'down', WORTH_PLACES);
}
