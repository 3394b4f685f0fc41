import { Decimal, least } from '@exchange/core/decimal.ts';
import {
  BUY_TIMEOUT_MS,
  dailyCost,
  LEVERAGE_MAX,
  thresholdOf,
  WARNING_RATIOS,
  type Basket,
  type FundRates,
  type Holding,
} from '@exchange/core/fund.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, later, type Instant } from '@exchange/core/time.ts';

export type ByLocale = TextByLocale;

/** The title of the document with a fund's terms, in every language. */
export const TERMS_TITLE: ByLocale = {
  'en-US': 'Product terms',
  'zh-CN': '产品说明',
  'ko-KR': '상품 안내',
  'ja-JP': '商品説明',
};

/**
 * The terms of a leveraged fund, which operators set; amounts are in units of the coin `asset`, with
 * decimals.
 */
export interface FundTerms extends FundRates, Basket {
  /** Unique code of the fund, e.g. `majors-5`. */
  readonly code: string;
  readonly name: ByLocale;
  readonly documents: readonly { readonly title: ByLocale; readonly text: ByLocale }[];
  readonly asset: AssetCode;
  readonly leverages: readonly number[];
  readonly minAmount: Decimal;
  readonly step: Decimal;
  /** True if users can buy the fund. */
  readonly isOpen: boolean;
}

export interface Fund extends FundTerms {
  readonly id: string;
  readonly version: number;
  /**
   * Time at which the fund was closed permanently; undefined if it is not closed. The open positions of a closed fund
   * are sold at its next unit value.
   */
  readonly closedAt: Instant | undefined;
  readonly openNotional: Decimal;
}

export type PositionStatus = 'pending' | 'holding' | 'sold' | 'liquidated' | 'exited' | 'cancelled';
/** Statuses of fund positions; the index of a status is its number in the database. */
export const STATUSES: readonly PositionStatus[] = [
  ...(['pending', 'holding', 'sold', 'liquidated', 'exited', 'cancelled'] as const),
];

/** A position in a fund, with the terms that were fixed at its purchase. */
export interface Position extends Holding, FundRates {
  readonly id: string;
  readonly owner: UserId;
  readonly fund: string;
  readonly fundVersion: number;
  readonly asset: AssetCode;
  readonly step: Decimal;
  /**
   * The position's part of the fund's open notional value, in the fund's coin; zero once the position is
   * closed.
   */
  readonly notional: Decimal;
  readonly acceptedAt: Instant;
  /** The seconds of the index tape at whose unit values the position was bought and closed; undefined before. */
  readonly openedAt: Instant | undefined;
  readonly closedAt: Instant | undefined;
  readonly endedAt: Instant | undefined;
  readonly warned: number;
  readonly costAt: Instant | undefined;
  readonly status: PositionStatus;
  readonly salePrice: Decimal | undefined;
  readonly sellType: 1 | 2 | undefined;
  readonly payout: Decimal | undefined;
  readonly fee: Decimal | undefined;
  readonly shortfall: Decimal | undefined;
  readonly parent: string | undefined;
  readonly origin: string | undefined;
}

/**
 * An order to sell units of a fund position. Without a price it executes at the first unit value after its acceptance;
 * with a price at the first later unit value that is equal to the price or above it.
 */
export interface Sell {
  readonly id: string;
  readonly position: string;
  readonly owner: UserId;
  readonly fund: string;
  readonly quantity: Decimal;
  readonly price: Decimal | undefined;
  readonly acceptedAt: Instant;
}

/** The unit value of a fund at a second of the index tape; orders may execute at it. */
export interface ValueAt {
  readonly t: Instant;
  readonly value: Decimal;
}

/** What a unit value requires for a position: nothing, purchase, refund, liquidation, exit, sale or warning. */
export type Verdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'open' }
  | { readonly kind: 'giveBack' }
  | { readonly kind: 'liquidate' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'sell'; readonly sells: readonly Sell[] }
  | { readonly kind: 'warn'; readonly warned: number };

const NONE: Verdict = { kind: 'none' };

/**
 * The unit value below which a fund position is liquidated. Undefined for a position that is not open, and for one that
 * no value liquidates, for example with leverage 1.
 */
export function liquidationPrice(position: Position): Decimal | undefined {
  return position.status === 'holding' ? thresholdOf(position, position.mmr) : undefined;
}

/**
 * The unit value below which a fund position has to be warned next or is liquidated. Undefined for a position that is
 * not open, and for one for which no value requires either.
 */
export function watchPrice(position: Position): Decimal | undefined {
  if (position.status !== 'holding') return undefined;
  return thresholdOf(position, position.mmr, WARNING_RATIOS[position.warned] ?? Decimal.one);
}

/**
 * Decides what a unit value requires for a position. A pending purchase is refunded if the fund is closed or the
 * purchase has waited longer than `BUY_TIMEOUT_MS`, otherwise executed. For an open position, liquidation comes first,
 * then the closing of the fund, then sales, then warnings. Orders that were accepted in the second of the value, or
 * later, wait for the next value.
 */
export function verdictFor(
  position: Position,
  sells: readonly Sell[],
  { t, value }: ValueAt,
  isClosed: boolean,
): Verdict {
  if (position.status === 'pending') {
    if (position.acceptedAt >= t) return NONE;
    return isClosed || t - position.acceptedAt > BUY_TIMEOUT_MS ? { kind: 'giveBack' } : { kind: 'open' };
  }
  if (position.status !== 'holding' || position.openedAt === undefined || t <= position.openedAt) return NONE;
  const liqPrice = liquidationPrice(position);
  if (liqPrice !== undefined && value.isLess(liqPrice)) return { kind: 'liquidate' };
  if (isClosed) return { kind: 'exit' };
  const due = sells.filter(
    ({ acceptedAt, price }) => acceptedAt < t && (price === undefined || !value.isLess(price)),
  );
  if (due.length > 0) return { kind: 'sell', sells: due };
  const warnings = warningsBelow(position, value, Decimal.zero);
  return warnings > position.warned ? { kind: 'warn', warned: warnings } : NONE;
}

/** Number of margin warnings whose ratio plus `clearance` is above the position's margin ratio at a unit value. */
function warningsBelow(position: Position, value: Decimal, clearance: Decimal): number {
  return WARNING_RATIOS.filter((ratio) => {
    const threshold = thresholdOf(position, position.mmr, ratio.plus(clearance));
    return threshold !== undefined && value.isLess(threshold);
  }).length;
}

/**
 * Number of margin warnings that still count as sent after margin was added. A warning counts as sent until
 * the position's margin ratio at `value` reaches the ratio of the warning plus `clearance`, so that adding a
 * minimal margin does not repeat the warning. If `value` is undefined, all sent warnings still count. If
 * `clearance` is undefined, as in older journal steps, none counts.
 */
export function warnedAfterMargin(
  position: Position,
  value: Decimal | undefined,
  clearance: Decimal | undefined,
): number {
  if (clearance === undefined) return 0;
  if (value === undefined) return position.warned;
  return Math.min(position.warned, warningsBelow(position, value, clearance));
}

/**
 * Charges a fund position the cost of one day at the unit value of that day's 00:00 UTC. Returns the changed position
 * and the cost, which is at most the remaining margin.
 */
export function chargeDay(position: Position, day: Instant, value: Decimal) {
  const { id, owner, margin, costs } = position;
  const amount = least(dailyCost(position, value, position), margin.minus(costs));
  return {
    cost: { position: id, owner, day, value, amount },
    charged: { ...position, costs: costs.plus(amount), costAt: later(day, DAY_MS) },
  };
}

/** The refusal when the terms of a fund cannot be published; undefined when they can. */
export function termsProblem(terms: FundTerms, isPair: (symbol: string) => boolean): Refusal | undefined {
  const { code, constituents, divisor, leverages, minAmount, step, mmr } = terms;
  const invalid = (field: string, value: string) =>
    refusal('invalidField', 'l.field_invalid', { field, value });
  if (!/^[a-z0-9-]{1,40}$/.test(code)) return invalid('code', code);
  const symbols = constituents.map(({ symbol }) => symbol);
  const areSymbolsValid =
    symbols.length > 0 &&
    new Set(symbols).size === symbols.length &&
    symbols.every((symbol) => isPair(symbol));
  if (!areSymbolsValid || constituents.some(({ weight }) => !weight.isPositive() || !weight.fits(6)))
    return invalid('constituents', symbols.join(' '));
  const valid = leverages.filter(
    (leverage) => Number.isInteger(leverage) && leverage >= 1 && leverage <= LEVERAGE_MAX,
  );
  if (leverages.length === 0 || new Set(valid).size !== leverages.length)
    return invalid('leverages', leverages.join(' '));
  const amounts = { divisor, minAmount, step, mmr };
  for (const [field, amount] of Object.entries(amounts))
    if (!amount.isPositive())
      return refusal('invalidField', 'l.field_positive', { field, value: amount.toString() });
  if (!step.fits(4)) return invalid('step', step.toString());
  if (!mmr.fits(4) || !mmr.isLess(MMR_BELOW))
    return refusal('aboveMaximum', 'l.field_max', {
      field: 'mmr',
      limit: MMR_BELOW.toString(),
      value: mmr.toString(),
    });
  for (const field of ['manageRate', 'financeRate', 'liqFee'] as const)
    if (!terms[field].isLess(RATE_BELOW))
      return refusal('aboveMaximum', 'l.field_max', {
        field,
        limit: RATE_BELOW.toString(),
        value: terms[field].toString(),
      });
  return undefined;
}

/**
 * The refusal when terms cannot be the next version of a fund's terms, because the fund is closed, or because its coin,
 * basket, divisor or quantity step would change; undefined when they can, and for a new fund.
 */
export function changeProblem(published: Fund | undefined, terms: FundTerms): Refusal | undefined {
  if (published === undefined) return undefined;
  if (published.closedAt !== undefined) return refusal('closed', 'l.fund_closed');
  return basketText(published) === basketText(terms)
    ? undefined
    : refusal('invalidField', 'l.fund_basket_fixed', { field: 'constituents' });
}

function basketText({ asset, constituents, divisor, step }: FundTerms): string {
  const rows = constituents.map(({ symbol, weight }) => [symbol, weight.toString()]);
  return JSON.stringify([asset, rows, divisor.toString(), step.toString()]);
}

/**
 * Upper bound (excluded) of a fund's maintenance margin rate; below it, the margin ratio of a position with the highest
 * leverage of 5 is above 2 at the purchase.
 */
const MMR_BELOW = Decimal.parse('0.1');
const RATE_BELOW = Decimal.parse('0.05');
