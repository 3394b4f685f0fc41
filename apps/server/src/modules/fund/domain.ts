import { Decimal, least } from '@exchange/core/decimal.ts';
import {
  BUY_WAITS_MS,
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

/** What the document of a fund's terms is called. */
export const TERMS_TITLE: ByLocale = {
  'en-US': 'Product terms',
  'zh-CN': '产品说明',
  'ko-KR': '상품 안내',
  'ja-JP': '商品説明',
};

/** What an operator sets of a fund; amounts in `asset`. */
export interface FundTerms extends FundRates, Basket {
  /** The fund's natural key, e.g. `majors-5`. */
  readonly code: string;
  readonly name: ByLocale;
  readonly documents: readonly { readonly title: ByLocale; readonly text: ByLocale }[];
  readonly asset: AssetCode;
  readonly leverages: readonly number[];
  readonly minAmount: Decimal;
  readonly step: Decimal;
  /** Whether it takes purchases. */
  readonly isOpen: boolean;
}

export interface Fund extends FundTerms {
  readonly id: string;
  readonly version: number;
  /** When it was closed for good: everybody leaves it at the next unit value. */
  readonly closedAt: Instant | undefined;
  readonly openNotional: Decimal;
}

export type PositionStatus = 'pending' | 'holding' | 'sold' | 'liquidated' | 'exited' | 'cancelled';
/** As they are stored. */
export const STATUSES: readonly PositionStatus[] = [
  ...(['pending', 'holding', 'sold', 'liquidated', 'exited', 'cancelled'] as const),
];

/** A position with the terms that were frozen in it. */
export interface Position extends Holding, FundRates {
  readonly id: string;
  readonly owner: UserId;
  readonly fund: string;
  readonly fundVersion: number;
  readonly asset: AssetCode;
  readonly step: Decimal;
  /** What it counts for in its fund's open notional. */
  readonly notional: Decimal;
  readonly acceptedAt: Instant;
  /** The seconds of the tape that it was bought at and ended at. */
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

/** An order to sell units of a position; without a price, at the next unit value. */
export interface Sell {
  readonly id: string;
  readonly position: string;
  readonly owner: UserId;
  readonly fund: string;
  readonly quantity: Decimal;
  readonly price: Decimal | undefined;
  readonly acceptedAt: Instant;
}

/** A unit value of the tape that may be dealt at. */
export interface ValueAt {
  readonly t: Instant;
  readonly value: Decimal;
}

/** What a unit value makes of a position. */
export type Verdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'open' }
  | { readonly kind: 'giveBack' }
  | { readonly kind: 'liquidate' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'sell'; readonly sells: readonly Sell[] }
  | { readonly kind: 'warn'; readonly warned: number };

const NONE: Verdict = { kind: 'none' };

/** Below this value it is liquidated. */
export function liquidationPrice(position: Position): Decimal | undefined {
  return position.status === 'holding' ? thresholdOf(position, position.mmr) : undefined;
}

/** Below this value there is something to do: the next warning, or the liquidation. */
export function watchPrice(position: Position): Decimal | undefined {
  if (position.status !== 'holding') return undefined;
  return thresholdOf(position, position.mmr, WARNING_RATIOS[position.warned] ?? Decimal.one);
}

/**
 * Decides what a value does to a position: what waits to be bought is bought or given back; of what is held, a
 * liquidation comes before everything, then the fund's end, then sales, then warnings. What was accepted in or after the
 * value's second waits for the next.
 */
export function judged(
  position: Position,
  sells: readonly Sell[],
  { t, value }: ValueAt,
  isClosed: boolean,
): Verdict {
  if (position.status === 'pending') {
    if (position.acceptedAt >= t) return NONE;
    return isClosed || t - position.acceptedAt > BUY_WAITS_MS ? { kind: 'giveBack' } : { kind: 'open' };
  }
  if (position.status !== 'holding' || position.openedAt === undefined || t <= position.openedAt) return NONE;
  const least = liquidationPrice(position);
  if (least !== undefined && value.isLess(least)) return { kind: 'liquidate' };
  if (isClosed) return { kind: 'exit' };
  const due = sells.filter(
    ({ acceptedAt, price }) => acceptedAt < t && (price === undefined || !value.isLess(price)),
  );
  if (due.length > 0) return { kind: 'sell', sells: due };
  const below = warningsBelow(position, value, Decimal.zero);
  return below > position.warned ? { kind: 'warn', warned: below } : NONE;
}

/** The warning ratios, each with a clearance above it, that a position is below at a value. */
function warningsBelow(position: Position, value: Decimal, clearance: Decimal): number {
  return WARNING_RATIOS.filter((ratio) => {
    const threshold = thresholdOf(position, position.mmr, ratio.plus(clearance));
    return threshold !== undefined && value.isLess(threshold);
  }).length;
}

/**
 * How many warnings still count as given once margin was added: all but those whose ratio it lifted the position clear
 * of, so that the smallest margin does not bring the same warning again. Without a value nothing is clear. What was
 * added before a clearance was asked for forgot every warning.
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

/** A position that has paid the cost of a day at its official value, and that cost; never more than the margin has left. */
export function chargedDay(position: Position, day: Instant, value: Decimal) {
  const { id, owner, margin, costs } = position;
  const amount = least(dailyCost(position, value, position), margin.minus(costs));
  return {
    cost: { position: id, owner, day, value, amount },
    charged: { ...position, costs: costs.plus(amount), costAt: later(day, DAY_MS) },
  };
}

/** Why terms cannot be published, or undefined. */
export function termsProblem(terms: FundTerms, isPair: (symbol: string) => boolean): Refusal | undefined {
  const { code, constituents, divisor, leverages, minAmount, step, mmr } = terms;
  const wrong = (field: string, value: string) =>
    refusal('invalidField', 'l.field_invalid', { field, value });
  if (!/^[a-z0-9-]{1,40}$/.test(code)) return wrong('code', code);
  const symbols = constituents.map(({ symbol }) => symbol);
  const isProper =
    symbols.length > 0 &&
    new Set(symbols).size === symbols.length &&
    symbols.every((symbol) => isPair(symbol));
  if (!isProper || constituents.some(({ weight }) => !weight.isPositive() || !weight.fits(6)))
    return wrong('constituents', symbols.join(' '));
  const known = leverages.filter((one) => Number.isInteger(one) && one >= 1 && one <= LEVERAGE_MAX);
  if (leverages.length === 0 || new Set(known).size !== leverages.length)
    return wrong('leverages', leverages.join(' '));
  const amounts = { divisor, minAmount, step, mmr };
  for (const [field, amount] of Object.entries(amounts))
    if (!amount.isPositive())
      return refusal('invalidField', 'l.field_positive', { field, value: amount.toString() });
  if (!step.fits(4)) return wrong('step', step.toString());
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

/** Why terms cannot be the next version of a fund, or undefined: it has not closed, and its basket stays. */
export function changeProblem(present: Fund | undefined, terms: FundTerms): Refusal | undefined {
  if (present === undefined) return undefined;
  if (present.closedAt !== undefined) return refusal('closed', 'l.fund_closed');
  return basketText(present) === basketText(terms)
    ? undefined
    : refusal('invalidField', 'l.fund_basket_fixed', { field: 'constituents' });
}

function basketText({ asset, constituents, divisor, step }: FundTerms): string {
  const rows = constituents.map(({ symbol, weight }) => [symbol, weight.toString()]);
  return JSON.stringify([asset, rows, divisor.toString(), step.toString()]);
}

/** Above it a position of leverage 5 would be liquidated as soon as it is bought. */
const MMR_BELOW = Decimal.parse('0.1');
const RATE_BELOW = Decimal.parse('0.05');
