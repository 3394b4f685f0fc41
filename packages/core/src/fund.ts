import { Decimal, greatest, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, later, SECOND_MS, startOfDay, type Instant } from './time.ts';

/** Number of decimals of a fund's unit value. */
export const UNIT_PLACES = 8;
/** Decimals to which amounts of money are rounded. */
const MONEY_PLACES = 8;
/** A purchase that gets no fund unit value for this many milliseconds is refunded. */
export const BUY_TIMEOUT_MS = 60_000;
/** Margin ratios below which the owner is warned; the earlier warning first. */
export const WARNING_RATIOS: readonly [Decimal, Decimal] = [Decimal.parse('1.5'), Decimal.parse('1.2')];
/** A warning is armed again when added margin lifts the ratio this far above its threshold. */
export const WARNING_REARM_MARGIN = Decimal.parse('0.1');
/** The greatest leverage of any fund. */
export const LEVERAGE_MAX = 5;

/** A pair in a fund's basket; `weight` is the number of units of the pair's base coin. */
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
 * The value of one fund unit at a second: null if an index of the basket is missing, degraded if one is
 * degraded.
 */
export interface UnitValue {
  readonly value: Decimal | null;
  readonly isDegraded: boolean;
}

/** Unit value = Σ weight × index / divisor, 8 digits, half-even. */
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

/** Rates of a position, fixed at its purchase; all are fractions. */
export interface FundRates {
  /** Management fee per day, as a fraction of the notional. */
  readonly manageRate: Decimal;
  readonly financeRate: Decimal;
  /** Maintenance margin rate: the least equity as a fraction of the notional. */
  readonly mmr: Decimal;
  /** Liquidation fee on the notional, paid to the insurance pool. */
  readonly liqFee: Decimal;
}

/** A leveraged position in fund units; amounts are in the fund's currency. */
export interface Holding {
  readonly quantity: Decimal;
  readonly buyPrice: Decimal;
  /** Initial and added margin of the position, before costs. */
  readonly margin: Decimal;
  /** Daily costs already charged to the position's margin. */
  readonly costs: Decimal;
  readonly leverage: number;
}

export interface FundPurchase {
  readonly quantity: Decimal;
  readonly usedMargin: Decimal;
  readonly notional: Decimal;
}

/**
 * The units that a margin buys at a unit value, in whole steps, and the margin they need, rounded up to 8
 * digits.
 */
export function purchaseFor(margin: Decimal, leverage: number, value: Decimal, step: Decimal): FundPurchase {
  const times = Decimal.ofWhole(leverage);
  const steps = margin.times(times, 'down').over(value.times(step, 'up'), 'down', 0);
  const quantity = steps.timesExact(step);
  const notional = quantity.times(value, 'up', MONEY_PLACES);
  return { quantity, notional, usedMargin: least(margin, notional.over(times, 'up', MONEY_PLACES)) };
}

/** Equity = margin + quantity × (value − buy price) − costs. */
export function equityOf({ margin, quantity, buyPrice, costs }: Holding, value: Decimal): Decimal {
  return margin.minus(costs).plus(gainOf({ quantity, buyPrice }, value));
}

/** Unrealized profit = quantity × (value − buy price). */
export function gainOf(
  { quantity, buyPrice }: Pick<Holding, 'quantity' | 'buyPrice'>,
  value: Decimal,
): Decimal {
  return value.minus(buyPrice).times(quantity, 'down');
}

/**
 * Sums over positions of a fund, in its currency. Positions with negative equity count only in `margin` and, with
 * their margin, in `lost`; purchases that wait for a unit value count only in `margin`.
 */
interface HeldSums {
  readonly margin: Decimal;
  readonly quantity: Decimal;
  /** Purchase price of the units in `quantity`: Σ quantity × buy price. */
  readonly cost: Decimal;
  readonly costs: Decimal;
  readonly lost: Decimal;
}

/**
 * Profit of these positions at a unit value, after costs; at least minus all margins, so that equity (margin
 * plus profit) is never negative. Without a value only costs and lost margins count.
 */
export function heldProfit(
  { margin, quantity, cost, costs, lost }: HeldSums,
  value: Decimal | undefined,
): Decimal {
  const gain = value === undefined ? Decimal.zero : quantity.times(value, 'down').minus(cost);
  return greatest(gain.minus(costs).minus(lost), margin.negated());
}

/**
 * Margin ratio = equity / (notional × maintenance margin rate), 4 digits. Undefined at leverage 1, which is
 * never liquidated, and while the divisor is zero.
 */
export function marginRatio(holding: Holding, value: Decimal, mmr: Decimal): Decimal | undefined {
  if (holding.leverage === 1) return undefined;
  const minimumEquity = holding.quantity.times(value, 'down').times(mmr, 'down');
  return minimumEquity.isPositive() ? equityOf(holding, value).over(minimumEquity, 'down', 4) : undefined;
}

/**
 * The unit value below which the margin ratio is below `ratio`: (quantity × buy price − margin + costs) /
 * (quantity × (1 − ratio × mmr)), rounded up to 18 digits, so that comparison with an 8-digit value is exact.
 * Undefined at leverage 1, and if the result is not positive.
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

/** The borrowed part of a holding: the purchase price of its units beyond the margin. */
export function borrowedOf({ quantity, buyPrice, margin }: Omit<Holding, 'costs' | 'leverage'>): Decimal {
  const borrowed = quantity.times(buyPrice, 'up').minus(margin);
  return borrowed.isPositive() ? borrowed : Decimal.zero;
}

/**
 * The cost of a day at the day's official unit value: management on the notional plus financing on the
 * borrowed part, rounded up.
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

/** The 00:00 UTC at which a position opened at `openedAt` pays its first daily cost. */
export function firstCostAt(openedAt: Instant): Instant {
  return later(startOfDay(openedAt), DAY_MS);
}

/** The first second whose unit value may execute an order accepted at `acceptedAt`. */
export function dealingSecond(acceptedAt: Instant): Instant {
  return later((Math.floor(acceptedAt / SECOND_MS) * SECOND_MS) as Instant, SECOND_MS);
}

/**
 * The margin and costs attributed to `sold` units of a position, pro rata; the sale of the last units takes
 * the remainder of both.
 */
export function partOf(holding: Holding, sold: Decimal): { margin: Decimal; costs: Decimal } {
  if (!sold.isLess(holding.quantity)) return { margin: holding.margin, costs: holding.costs };
  const share = (total: Decimal) => total.times(sold, 'down').over(holding.quantity, 'down', MONEY_PLACES);
  return { margin: share(holding.margin), costs: share(holding.costs) };
}

/** The result of selling units, in the fund's currency: payout = margin + profit − costs, at least zero. */
export interface Sale {
  /** Amount paid to the position's owner. */
  readonly payout: Decimal;
  /** Part of the position's margin released by the sale. */
  readonly margin: Decimal;
  /** Quantity × (value − buy price); negative for a loss. */
  readonly profit: Decimal;
  /** Management and financing costs charged to the sold units. */
  readonly costs: Decimal;
}

/** Sells `units` of a holding, at most all of it, at a unit value. */
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

/** The result of closing a holding: payout, fee and the insurance pool's contribution. */
export interface Closing {
  readonly payout: Decimal;
  /** Fee of a liquidation, paid to the insurance pool; zero for other closings. */
  readonly fee: Decimal;
  /** Loss beyond the margin, paid by the insurance pool. */
  readonly shortfall: Decimal;
  /** Amount that the exchange pays when the position closes; negative if it receives money. */
  readonly fromHouse: Decimal;
}

/** Closes a whole holding at a unit value. The insurance pool pays negative equity; the owner never owes. */
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

/** Properties of a fund that decide whether a purchase is possible; amounts are in `asset`. */
export interface FundOnSale {
  readonly asset: AssetCode;
  readonly digits: number;
  readonly minAmount: Decimal;
  readonly leverages: readonly number[];
  readonly step: Decimal;
  readonly status: 'open' | 'stopped' | 'closed';
  /** Additional notional that the exchange can still cover. */
  readonly coverable: Decimal;
}

/**
 * Returns a refusal if the fund is not open, the leverage is not offered, the margin has too many decimals,
 * is below the minimum or exceeds the balance, or its notional exceeds what the exchange can cover. Screens
 * and server both use this check.
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
 * Returns a refusal if the quantity is not a positive multiple of the fund's step or exceeds `free`, the
 * units of the position that no other sell order contains, or if the price of a limit order is missing or has
 * too many decimals.
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
