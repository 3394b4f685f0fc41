import { Decimal, greatest, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, later, SECOND_MS, startOfDay, type Instant } from './time.ts';

/** Digits of a unit value. */
export const UNIT_PLACES = 8;
/** Digits of money that is rounded here. */
const MONEY_PLACES = 8;
/** A purchase that found no unit value for so long is given back. */
export const BUY_WAITS_MS = 60_000;
/** At these margin ratios an owner is warned, the gentler one first. */
export const WARNING_RATIOS: readonly [Decimal, Decimal] = [Decimal.parse('1.5'), Decimal.parse('1.2')];
/** Added margin that lifts the ratio so far above one of them is warned of it again. */
export const WARNS_ANEW_ABOVE = Decimal.parse('0.1');
/** The greatest leverage that a fund may offer. */
export const LEVERAGE_MAX = 5;

/** So much of one indexed pair is in the basket. */
export interface Constituent {
  readonly symbol: string;
  readonly weight: Decimal;
}

export interface Basket {
  readonly constituents: readonly Constituent[];
  readonly divisor: Decimal;
}

/** A point of the index as far as a unit value needs it. */
export interface BasketPoint {
  readonly price: Decimal | null;
  readonly isDegraded: boolean;
}

/** What a basket's unit is worth at a second: null where an index is missing, degraded where one is. */
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

/** What a position's cost and its end are reckoned by: frozen in it when it is bought. Rates are fractions. */
export interface FundRates {
  /** Per day, on the notional and on the borrowed part. */
  readonly manageRate: Decimal;
  readonly financeRate: Decimal;
  /** The least equity as a fraction of the notional. */
  readonly mmr: Decimal;
  /** Of the notional, to the insurance pool when a position is liquidated. */
  readonly liqFee: Decimal;
}

/** A leveraged holding of fund units; amounts in the fund's currency. */
export interface Holding {
  readonly quantity: Decimal;
  readonly buyPrice: Decimal;
  /** What was put in, what was added to it, and nothing taken off it. */
  readonly margin: Decimal;
  /** Paid out of the margin so far. */
  readonly costs: Decimal;
  readonly leverage: number;
}

export interface Bought {
  readonly quantity: Decimal;
  readonly usedMargin: Decimal;
  readonly notional: Decimal;
}

/** What a margin buys at a value: whole steps; the margin that they need, rounded up to 8 digits. */
export function bought(margin: Decimal, leverage: number, value: Decimal, step: Decimal): Bought {
  const times = Decimal.ofWhole(leverage);
  const steps = margin.times(times, 'down').over(value.times(step, 'up'), 'down', 0);
  const quantity = steps.timesExact(step);
  const notional = quantity.times(value, 'up', MONEY_PLACES);
  return { quantity, notional, usedMargin: least(margin, notional.over(times, 'up', MONEY_PLACES)) };
}

/** Margin + quantity × (value − buy price) − costs. */
export function equityOf({ margin, quantity, buyPrice, costs }: Holding, value: Decimal): Decimal {
  return margin.minus(costs).plus(gainOf({ quantity, buyPrice }, value));
}

/** Quantity × (value − buy price). */
export function gainOf(
  { quantity, buyPrice }: Pick<Holding, 'quantity' | 'buyPrice'>,
  value: Decimal,
): Decimal {
  return value.minus(buyPrice).times(quantity, 'down');
}

/** Sums over open positions of one fund; positions that are worth nothing count in `lost` by their margins alone. */
interface HeldSums {
  readonly margin: Decimal;
  readonly quantity: Decimal;
  /** What the units cost: Σ quantity × buy price. */
  readonly cost: Decimal;
  readonly costs: Decimal;
  readonly lost: Decimal;
}

/**
 * Profit of such positions at a unit value, costs subtracted; at least minus all margins, so that margin plus profit, the
 * equity, is never below zero. Without a value only costs and lost margins count.
 */
export function heldProfit(
  { margin, quantity, cost, costs, lost }: HeldSums,
  value: Decimal | undefined,
): Decimal {
  const gain = value === undefined ? Decimal.zero : quantity.times(value, 'down').minus(cost);
  return greatest(gain.minus(costs).minus(lost), margin.negated());
}

/** Equity over the least equity that is demanded, 4 digits; undefined at leverage 1, which is never liquidated. */
export function marginRatio(holding: Holding, value: Decimal, mmr: Decimal): Decimal | undefined {
  if (holding.leverage === 1) return undefined;
  const least = holding.quantity.times(value, 'down').times(mmr, 'down');
  return least.isPositive() ? equityOf(holding, value).over(least, 'down', 4) : undefined;
}

/**
 * Below this value the margin ratio is below `ratio`: (quantity × buy − margin + costs) / (quantity × (1 − ratio × mmr)),
 * rounded up to 18 digits, so that comparing an 8-digit value with it is exact. None at leverage 1, or at zero.
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

/** What of a holding is borrowed: what its units cost beyond the margin. */
export function borrowedOf({ quantity, buyPrice, margin }: Omit<Holding, 'costs' | 'leverage'>): Decimal {
  const borrowed = quantity.times(buyPrice, 'up').minus(margin);
  return borrowed.isPositive() ? borrowed : Decimal.zero;
}

/** The cost of a day at its official value: management on the notional, financing on what is borrowed; rounded up. */
export function dailyCost(
  holding: Omit<Holding, 'costs'>,
  value: Decimal,
  { manageRate, financeRate }: FundRates,
): Decimal {
  const management = holding.quantity.times(value, 'up').times(manageRate, 'up');
  const financing = holding.leverage === 1 ? Decimal.zero : borrowedOf(holding).times(financeRate, 'up');
  return management.plus(financing).rounded(MONEY_PLACES, 'up');
}

/** The 00:00 UTC at which a position opened at this second pays its first cost. */
export function firstCostAt(openedAt: Instant): Instant {
  return later(startOfDay(openedAt), DAY_MS);
}

/** The first second whose unit value may be dealt at by what was accepted at this moment. */
export function dealingSecond(acceptedAt: Instant): Instant {
  return later((Math.floor(acceptedAt / SECOND_MS) * SECOND_MS) as Instant, SECOND_MS);
}

/** What a sale of so many units takes off a holding: margin and costs pro rata, all of both with the last unit. */
export function partOf(holding: Holding, sold: Decimal): { margin: Decimal; costs: Decimal } {
  if (!sold.isLess(holding.quantity)) return { margin: holding.margin, costs: holding.costs };
  const share = (of: Decimal) => of.times(sold, 'down').over(holding.quantity, 'down', MONEY_PLACES);
  return { margin: share(holding.margin), costs: share(holding.costs) };
}

/** What a sale of units brings, in the fund's currency: margin + profit − costs = payout, which is never below zero. */
export interface Sale {
  /** What the owner receives. */
  readonly payout: Decimal;
  /** Margin that the sale releases. */
  readonly margin: Decimal;
  /** Quantity × (value − buy price); below zero for a loss. */
  readonly profit: Decimal;
  /** Management and financing that were charged to these units. */
  readonly costs: Decimal;
}

/** The sale of so many units of a holding at a unit value, by the rules of its settlement; at most all units are sold. */
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

/** How a holding ends: what its owner gets, its fee, and what the insurance pool has to add. */
export interface Closing {
  readonly payout: Decimal;
  /** To the insurance pool; of a liquidation. */
  readonly fee: Decimal;
  /** What the margin does not cover. */
  readonly shortfall: Decimal;
  /** What the house pays into the closing; below zero: what it receives. */
  readonly fromHouse: Decimal;
}

/** Closes a whole holding at a value. Nobody is left owing: below zero the insurance pool steps in. */
export function closingOf(holding: Holding, value: Decimal, liqFee: Decimal | undefined): Closing {
  const locked = holding.margin.minus(holding.costs);
  const equity = equityOf(holding, value).rounded(MONEY_PLACES, 'down');
  const shortfall = equity.isNegative() ? equity.negated() : Decimal.zero;
  const left = equity.isPositive() ? equity : Decimal.zero;
  const asked =
    liqFee === undefined
      ? Decimal.zero
      : holding.quantity.times(value, 'up').times(liqFee, 'up', MONEY_PLACES);
  const fee = least(asked, left);
  return { payout: left.minus(fee), fee, shortfall, fromHouse: left.minus(locked) };
}

/** What a purchase is checked against; amounts in `asset`. */
export interface FundOnSale {
  readonly asset: AssetCode;
  readonly digits: number;
  readonly minAmount: Decimal;
  readonly leverages: readonly number[];
  readonly step: Decimal;
  readonly status: 'open' | 'stopped' | 'closed';
  /** How much more notional the house can cover. */
  readonly coverable: Decimal;
}

/** Why a margin cannot be put into a fund, or undefined. Screens and the server ask the same. */
export function fundBuyProblem(
  fund: FundOnSale,
  { margin, leverage }: { readonly margin: Decimal; readonly leverage: number },
  available: Decimal,
): Refusal | undefined {
  const { asset, digits, minAmount, leverages, status, coverable } = fund;
  if (status !== 'open') return refusal('closed', 'l.fund_closed');
  const about = { field: 'margin', value: margin.toString(), unit: asset };
  if (!leverages.includes(leverage)) {
    const limit = leverages.join(', ');
    return refusal('invalidField', 'l.fund_leverage', { field: 'leverage', limit, value: String(leverage) });
  }
  if (!margin.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  if (!margin.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(digits) });
  if (margin.isLess(minAmount))
    return refusal('belowMinimum', 'l.amount_min', { ...about, limit: minAmount.toString() });
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

/** Why so many units cannot be offered for sale, or undefined. `free`: those not in another order. */
export function fundSellProblem(
  { quantity, price }: { readonly quantity: Decimal; readonly price: Decimal | undefined },
  { free, step, isLimit }: { readonly free: Decimal; readonly step: Decimal; readonly isLimit: boolean },
): Refusal | undefined {
  const about = { field: 'quantity', value: quantity.toString() };
  if (!quantity.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  if (!quantity.over(step, 'down', 18).fits(0))
    return refusal('invalidField', 'l.fund_step', { ...about, limit: step.toString() });
  if (quantity.isMore(free))
    return refusal('aboveMaximum', 'l.fund_free', { ...about, limit: free.toString() });
  if (!isLimit) return undefined;
  if (price === undefined) return refusal('invalidField', 'l.price_required', { field: 'salePrice' });
  if (price.fits(UNIT_PLACES)) return undefined;
  const limit = String(UNIT_PLACES);
  return refusal('invalidField', 'l.price_decimals', { field: 'salePrice', limit, value: price.toString() });
}
