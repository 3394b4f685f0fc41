import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Assets } from '../assets/index.ts';
import type { Funds } from '../fund/index.ts';
import { holdingsOf, type Holdings, nextUserValues } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';

/** Decimals of values in USDT; further digits are cut. */
export const WORTH_PLACES = 8;

/** Prices of coins and unit values of leveraged funds at one instant. */
export interface PriceSet {
  readonly at: Instant;
  /** Prices in USDT by coin. Coins without a price are missing; holdings of them have the value 0. */
  readonly coins: ReadonlyMap<AssetCode, Decimal>;
  /** Unit values of leveraged funds by the id of the fund, each in the fund's currency. */
  readonly units: ReadonlyMap<string, Decimal>;
}

/** A user's holding of one coin in one account or product, with its value. */
export interface ValuedHolding {
  readonly product: Holdings['product'];
  readonly asset: AssetCode;
  /**
   * Available amount in the spot or the seconds account, neither on hold for orders and withdrawals nor
   * staked; zero in products and funds.
   */
  readonly available: Decimal;
  /**
   * The part of the holding that is not `available`: in the spot account on hold for orders and withdrawals;
   * in the seconds account staked in open positions, with their fees; in products the whole invested amount;
   * in funds the equity of the positions.
   */
  readonly inUse: Decimal;
  /** Price of the coin in USDT; zero if there is none. */
  readonly price: Decimal;
  readonly worth: Decimal;
}

interface ValuationParts {
  readonly clock: Clock;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly assets: Pick<Assets, 'coins' | 'pairs'>;
  readonly funds: Pick<Funds, 'unitValues' | 'equityGains'>;
}

/**
 * Values users' accounts. All totals, lists and charts use it, so they are consistent. Balances are valued at the index
 * price or else the last trade price, positions of leveraged funds at their equity.
 */
export class Valuation {
  private readonly parts: ValuationParts;

  constructor(parts: ValuationParts) {
    this.parts = parts;
  }

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

  /** A user's non-empty holdings, valued in USDT at `prices`. */
  async holdingsOf(reader: Reader, owner: UserId, prices: PriceSet): Promise<ValuedHolding[]> {
    const holdings = await holdingsOf(reader, owner);
    const gains = await this.parts.funds.equityGains(reader, [owner], prices.units);
    return holdings
      .map((holding) => {
        const { product, asset, available, frozen, locked } = holding;
        const isSpendable = product === 'spot' || product === 'seconds';
        const gain = product === 'fund' ? gains.find((fund) => fund.asset === asset)?.gain : undefined;
        const total = sum([available, frozen, locked, gain ?? Decimal.zero]);
        const price = prices.coins.get(asset) ?? Decimal.zero;
        return {
          product,
          asset,
          available: isSpendable ? available : Decimal.zero,
          inUse: isSpendable ? total.minus(available) : total,
          price,
          worth: inUsdt(prices, asset, total),
        };
      })
      .filter(({ available, inUse }) => !available.plus(inUse).isZero());
  }

  /**
   * Total values in USDT of the next `limit` users after the id `behind`, by ascending id; users in `except` are left
   * out.
   */
  async nextUserValues(
    reader: Reader,
    prices: PriceSet,
    except: readonly UserId[],
    behind: string,
    limit: number,
  ): Promise<{ owner: UserId; worth: Decimal }[]> {
    const valuationInput = { prices: prices.coins, places: WORTH_PLACES, except };
    const page = await nextUserValues(reader, valuationInput, behind, limit);
    const owners = page.map(({ owner }) => owner);
    const gains = await this.parts.funds.equityGains(reader, owners, prices.units);
    const extra = new Map<UserId, Decimal>();
    for (const { owner, asset, gain } of gains)
      extra.set(owner, (extra.get(owner) ?? Decimal.zero).plus(inUsdt(prices, asset, gain)));
    return page.map(({ owner, worth }) => ({ owner, worth: worth.plus(extra.get(owner) ?? Decimal.zero) }));
  }
}

/** Total value in USDT of amounts of several coins, each rounded down. A coin without a price counts as zero. */
export function worthOf(prices: PriceSet, amounts: ReadonlyMap<AssetCode, Decimal>): Decimal {
  return sum([...amounts].map(([asset, amount]) => inUsdt(prices, asset, amount)));
}

function inUsdt({ coins }: PriceSet, asset: AssetCode, amount: Decimal): Decimal {
  return amount.times(coins.get(asset) ?? Decimal.zero, 'down', WORTH_PLACES);
}
