import { Decimal, greatest, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, later, SECOND_MS, startOfDay, type Instant } from './time.ts';

/** Number of decimals of a fund's unit value. */
export const UNIT_PLACES = 8;
/** Number of decimals to which amounts in a fund's currency are rounded. */
const MONEY_PLACES = 8;
/**
 * Milliseconds after the acceptance of a purchase. If the fund has had no unit value in this time, the purchase is not
 * executed any more, and its margin is refunded.
 */
export const BUY_TIMEOUT_MS = 60_000;
/**
 * The owner of a position is warned when its margin ratio falls below the first of these ratios, and again when it
 * falls below the second.
 */
export const WARNING_RATIOS: readonly [Decimal, Decimal] = [Decimal.parse('1.5'), Decimal.parse('1.2')];
/**
 * Minimum distance of the margin ratio above a ratio of `WARNING_RATIOS`, right after the owner has added
 * margin, that permits the warning of this ratio to be sent again later.
 */
export const WARNING_REARM_MARGIN = Decimal.parse('0.1');
/** Maximum leverage that an operator can permit for a fund. */
export const LEVERAGE_MAX = 5;

/**
 * A pair in a fund's basket. `weight` is an amount in units of the pair's base coin, with decimals. The unit
 * value of the fund is the sum of weight × index price over all pairs, divided by the basket's divisor.
 */
export interface Constituent {
  readonly symbol: string;
  readonly weight: Decimal;
}

export interface Basket {
  readonly constituents: readonly Constituent[];
  readonly divisor: Decimal;
}

/** The properties of a pair's index point from which a fund's unit value is computed. */
export interface BasketPoint {
  readonly price: Decimal | null;
  readonly isDegraded: boolean;
}

/**
 * The value of one fund unit at a second. `value` is null if the index of a pair in the basket is missing at that
 * second. `isDegraded` is true if one of the indexes is degraded; false if `value` is null.
 */
export interface UnitValue {
  readonly value: Decimal | null;
  readonly isDegraded: boolean;
}

/**
 * Computes the unit value of a fund: Σ weight × index / divisor, rounded half-even to 8 decimals. In the
 * result `value` is null if a constituent has no price, and `isDegraded` is true if one of the indexes is
 * degraded.
 */
export function unitValue(
  { constituents, divisor }: Basket,
  pointOf: (symbol: string) => BasketPoint | undefined,
): UnitValue {
  let total = Decimal.zero;
  let isDegraded = false;
  for (const { symbol, weight } of constituents) {
    const point = pointOf(symbol);
    if (point === undefined || point.price === null) return { value: null, isDegraded: false };
    isDegraded ||= point.isDegraded;
    total = total.plus(point.price.timesExact(weight));
  }
  return { value: total.over(divisor, 'halfEven', UNIT_PLACES), isDegraded };
}

/**
 * Rates of a fund position for its fees and its maintenance margin, as fractions. They are fixed at the
 * purchase of the position.
 */
export interface FundRates {
  /** Management fee per day, as a fraction of the position's notional at the day's official unit value. */
  readonly manageRate: Decimal;
  readonly financeRate: Decimal;
  /**
   * Maintenance margin rate: the minimum equity of a position, as a fraction of the position's notional at
   * the present unit value.
   */
  readonly mmr: Decimal;
  /**
   * Liquidation fee, as a fraction of the position's notional at the unit value of the liquidation. It is
   * paid to the insurance pool.
   */
  readonly liqFee: Decimal;
}

/** A position in fund units, with leverage or without (`leverage` 1). Amounts are in the fund's currency. */
export interface Holding {
  readonly quantity: Decimal;
  readonly buyPrice: Decimal;
  /** Initial and added margin of the position's remaining units, before costs, in the fund's currency. */
  readonly margin: Decimal;
  /** Daily costs already charged to the margin of the remaining units, in the fund's currency. */
  readonly costs: Decimal;
  readonly leverage: number;
}

export interface FundPurchase {
  readonly quantity: Decimal;
  readonly usedMargin: Decimal;
  readonly notional: Decimal;
}

/**
 * Returns how many units a margin buys at a unit value, in whole steps, and in the fund's currency the
 * notional of these units (quantity × value) and the margin that they need (notional / leverage, at most
 * `margin`), both rounded up to 8 decimals.
 */
export function purchaseFor(margin: Decimal, leverage: number, value: Decimal, step: Decimal): FundPurchase {
  const times = Decimal.ofWhole(leverage);
  const steps = margin.times(times, 'down').over(value.times(step, 'up'), 'down', 0);
  const quantity = steps.timesExact(step);
  const notional = quantity.times(value, 'up', MONEY_PLACES);
  return { quantity, notional, usedMargin: least(margin, notional.over(times, 'up', MONEY_PLACES)) };
}

/**
 * Returns the equity of a position in the fund's currency: margin + quantity × (value − buy price) − costs.
 * Negative if the loss exceeds the margin.
 */
export function equityOf({ margin, quantity, buyPrice, costs }: Holding, value: Decimal): Decimal {
  return margin.minus(costs).plus(gainOf({ quantity, buyPrice }, value));
}

/**
 * Returns the unrealized profit of a position before costs, in the fund's currency: quantity × (value − buy
 * price); negative for a loss.
 */
export function gainOf(
  { quantity, buyPrice }: Pick<Holding, 'quantity' | 'buyPrice'>,
  value: Decimal,
): Decimal {
  return value.minus(buyPrice).times(quantity, 'down');
}

/**
 * Sums over all positions of a fund, in the fund's currency. A position with negative equity counts only in `margin`,
 * and with its whole margin in `lost`. A purchase that waits for a unit value counts only in `margin`.
 */
interface HeldSums {
  readonly margin: Decimal;
  readonly quantity: Decimal;
  /** Purchase price of the units in `quantity`, in the fund's currency: Σ quantity × buy price. */
  readonly cost: Decimal;
  readonly costs: Decimal;
  readonly lost: Decimal;
}

/**
 * Returns the profit in the fund's currency, after costs, of the positions that the sums include, at a unit
 * value. The profit is at least minus the sum of the margins, so that margin plus profit is never negative.
 * Without a unit value only the costs and the lost margins are subtracted.
 */
export function heldProfit(
  { margin, quantity, cost, costs, lost }: HeldSums,
  value: Decimal | undefined,
): Decimal {
  const gain = value === undefined ? Decimal.zero : quantity.times(value, 'down').minus(cost);
  return greatest(gain.minus(costs).minus(lost), margin.negated());
}

/**
 * Returns the margin ratio of a position at the unit value `value`: equity / (quantity × `value` ×
 * maintenance margin rate), rounded toward zero to 4 decimals. Returns undefined at leverage 1, because such
 * a position is never liquidated, and if the divisor is zero.
 */
export function marginRatio(holding: Holding, value: Decimal, mmr: Decimal): Decimal | undefined {
  if (holding.leverage === 1) return undefined;
  const minimumEquity = holding.quantity.times(value, 'down').times(mmr, 'down');
  return minimumEquity.isPositive() ? equityOf(holding, value).over(minimumEquity, 'down', 4) : undefined;
}

/**
 * Returns the unit value below which the margin ratio of a position is below `ratio`: (quantity × buy price − margin +
 * costs) / (quantity × (1 − ratio × mmr)). It is rounded up to 18 decimals, so that comparing it with a unit value of 8
 * decimals is exact. Returns undefined at leverage 1, and if the result is not positive.
 */
export function thresholdOf(
  holding: Holding,
  mmr: Decimal,
  ratio: Decimal = Decimal.one,
): Decimal | undefined {
  if (holding.leverage === 1) return undefined;
  const { quantity, buyPrice, margin, costs } = holding;
  const owed = quantity.timesExact(buyPrice).minus(margin).plus(costs);
  const part = quantity.timesExact(Decimal.one.minus(ratio.timesExact(mmr)));
  return owed.isPositive() ? owed.over(part, 'up') : undefined;
}

/**
 * Returns the borrowed part of a position in the fund's currency: the purchase price of its units minus the
 * margin; zero if the margin is greater.
 */
export function borrowedOf({ quantity, buyPrice, margin }: Omit<Holding, 'costs' | 'leverage'>): Decimal {
  const borrowed = quantity.times(buyPrice, 'up').minus(margin);
  return borrowed.isPositive() ? borrowed : Decimal.zero;
}

/**
 * Returns the cost of a position for one day at the day's official unit value, in the fund's currency,
 * rounded up to 8 decimals: the management fee on the notional plus the financing rate on the borrowed part.
 * At leverage 1 it is the management fee alone.
 */
export function dailyCost(
  holding: Omit<Holding, 'costs'>,
  value: Decimal,
  { manageRate, financeRate }: FundRates,
): Decimal {
  const management = holding.quantity.times(value, 'up').times(manageRate, 'up');
  const financing = holding.leverage === 1 ? Decimal.zero : borrowedOf(holding).times(financeRate, 'up');
  return management.plus(financing).rounded(MONEY_PLACES, 'up');
}

/**
 * Returns the time at which a position opened at `openedAt` first pays daily costs: the first 00:00 UTC after
 * `openedAt`. For a position opened at exactly 00:00 it is that of the next day.
 */
export function firstCostAt(openedAt: Instant): Instant {
  return later(startOfDay(openedAt), DAY_MS);
}

/**
 * Returns the first second whose unit value may execute an order accepted at `acceptedAt`: the first full second after
 * `acceptedAt`, never `acceptedAt` itself.
 */
export function dealingSecond(acceptedAt: Instant): Instant {
  return later((Math.floor(acceptedAt / SECOND_MS) * SECOND_MS) as Instant, SECOND_MS);
}

/**
 * Returns the margin and the costs, in the fund's currency, that belong to `sold` units of a position, in
 * proportion to the units, each rounded down to 8 decimals. A sale of all remaining units gets all that
 * remains of both.
 */
export function partOf(holding: Holding, sold: Decimal): { margin: Decimal; costs: Decimal } {
  if (!sold.isLess(holding.quantity)) return { margin: holding.margin, costs: holding.costs };
  const share = (total: Decimal) => total.times(sold, 'down').over(holding.quantity, 'down', MONEY_PLACES);
  return { margin: share(holding.margin), costs: share(holding.costs) };
}

/** The result of a sale of units, in the fund's currency. The payout is margin + profit − costs, at least zero. */
export interface Sale {
  /** Amount in the fund's currency that the position's owner is paid for the sold units. */
  readonly payout: Decimal;
  /**
   * Part of the position's margin, in the fund's currency, that belongs to the sold units. It no longer
   * belongs to the position after the sale.
   */
  readonly margin: Decimal;
  /** Profit of the sold units in the fund's currency: quantity × (value − buy price); negative for a loss. */
  readonly profit: Decimal;
  /** Management and financing costs charged to the sold units, in the fund's currency. */
  readonly costs: Decimal;
}

/** Computes the sale of `units` of a position at a unit value. At most all units of the position are sold. */
export function saleOf(holding: Holding, units: Decimal, value: Decimal): Sale {
  const quantity = least(units, holding.quantity);
  const { margin, costs } = partOf(holding, quantity);
  const part: Holding = {
    quantity,
    buyPrice: holding.buyPrice,
    margin,
    costs,
    leverage: holding.leverage,
  };
  return { payout: closingOf(part, value, undefined).payout, margin, profit: gainOf(part, value), costs };
}

/**
 * The result of closing a position, in the fund's currency: what the owner is paid, the fee, and what the
 * insurance pool and the house pay.
 */
export interface Closing {
  readonly payout: Decimal;
  /** Fee of a liquidation in the fund's currency, paid to the insurance pool; zero for other closings. */
  readonly fee: Decimal;
  /** Loss beyond the margin in the fund's currency, paid by the insurance pool; zero if there is none. */
  readonly shortfall: Decimal;
  /**
   * Amount in the fund's currency that the house pays when the position closes; negative if the house
   * receives money.
   */
  readonly fromHouse: Decimal;
}

/**
 * Computes the closing of a whole position at a unit value. If its equity is negative, the insurance pool pays the
 * loss, so that the owner never owes money. The liquidation fee (none if `liqFee` is undefined) is at most the equity.
 */
export function closingOf(holding: Holding, value: Decimal, liqFee: Decimal | undefined): Closing {
  const locked = holding.margin.minus(holding.costs);
  const equity = equityOf(holding, value).rounded(MONEY_PLACES, 'down');
  const shortfall = equity.isNegative() ? equity.negated() : Decimal.zero;
  const left = equity.isPositive() ? equity : Decimal.zero;
  const fullFee =
    liqFee === undefined
      ? Decimal.zero
      : holding.quantity.times(value, 'up').times(liqFee, 'up', MONEY_PLACES);
  const fee = least(fullFee, left);
  return { payout: left.minus(fee), fee, shortfall, fromHouse: left.minus(locked) };
}

/** Properties of a fund that determine whether users can buy it. Amounts are in the coin `asset`. */
export interface FundOnSale {
  readonly asset: AssetCode;
  readonly digits: number;
  readonly minAmount: Decimal;
  readonly leverages: readonly number[];
  readonly step: Decimal;
  readonly status: 'open' | 'stopped' | 'closed';
  /**
   * Notional of further positions that the exchange can accept: its balance for paying profits in the fund's currency,
   * less the notional of all open positions in that currency. May be negative.
   */
  readonly coverable: Decimal;
}

/**
 * Returns a refusal if a purchase is not possible; otherwise undefined. Reasons: the fund is not open, the leverage is
 * not offered, the margin is not positive, has too many decimals, is below the minimum or exceeds the balance, or its
 * notional exceeds what the exchange can cover. Screens and server both use this check.
 */
export function fundBuyProblem(
  fund: FundOnSale,
  { margin, leverage }: { readonly margin: Decimal; readonly leverage: number },
  available: Decimal,
): Refusal | undefined {
  const { asset, digits, minAmount, leverages, status, coverable } = fund;
  if (status !== 'open') return refusal('closed', 'l.fund_closed');
  const details = { field: 'margin', value: margin.toString(), unit: asset };
  if (!leverages.includes(leverage)) {
    const limit = leverages.join(', ');
    return refusal('invalidField', 'l.fund_leverage', { field: 'leverage', limit, value: String(leverage) });
  }
  if (!margin.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (!margin.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(digits) });
  if (margin.isLess(minAmount))
    return refusal('belowMinimum', 'l.amount_min', { ...details, limit: minAmount.toString() });
  const short = shortOf({ needed: margin, available, asset, field: 'margin' });
  if (short !== undefined) return short;
  const notional = margin.times(Decimal.ofWhole(leverage), 'up');
  return notional.isMore(coverable)
    ? refusal('closed', 'l.fund_not_covered', {
        limit: (coverable.isPositive() ? coverable : Decimal.zero).toString(),
        value: notional.toString(),
        unit: asset,
      })
    : undefined;
}

/**
 * Returns a refusal if a sale is not possible; otherwise undefined. Reasons: the quantity is not a positive multiple of
 * the fund's step or exceeds `free` (the units of the position that are in no other sell order), or the price of a
 * limit order is missing or has too many decimals.
 */
export function fundSellProblem(
  { quantity, price }: { readonly quantity: Decimal; readonly price: Decimal | undefined },
  { free, step, isLimit }: { readonly free: Decimal; readonly step: Decimal; readonly isLimit: boolean },
): Refusal | undefined {
  const details = { field: 'quantity', value: quantity.toString() };
  if (!quantity.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (!quantity.over(step, 'down', 18).fits(0))
    return refusal('invalidField', 'l.fund_step', { ...details, limit: step.toString() });
  if (quantity.isMore(free))
    return refusal('aboveMaximum', 'l.fund_free', { ...details, limit: free.toString() });
  if (!isLimit) return undefined;
  if (price === undefined) return refusal('invalidField', 'l.price_required', { field: 'salePrice' });
  if (price.fits(UNIT_PLACES)) return undefined;
  const limit = String(UNIT_PLACES);
  return refusal('invalidField', 'l.price_decimals', { field: 'salePrice', limit, value: price.toString() });
}
