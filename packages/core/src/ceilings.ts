import { Decimal } from './decimal.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DURATION_MAX, SECONDS_LIMITS } from './seconds.ts';

/**
 * Maximum value of a product term that operators can publish, with the reason for it. The maximum detects
 * typing errors, such as a percentage entered where a fraction is expected. It does not judge whether a term
 * is sensible, and changes only with a release of the software.
 */
interface Ceiling {
  readonly most: Decimal;
  /** Reason why a greater value is not plausible. Operators see it with the refusal. */
  readonly why: string;
  /** True if the term is a rate, which screens show in percent. */
  readonly isRate?: true;
  /** Name of the form field that contains the term, if it differs from the term's name. */
  readonly field?: string;
}

const atMost = (most: string, why: string): Ceiling => ({ most: Decimal.parse(most), why });
const rateAtMost = (most: string, why: string): Ceiling => ({ most: Decimal.parse(most), why, isRate: true });

/** Maximum of an amount of any coin, in units of the coin. No listed coin has a greater supply. */
const AMOUNT = atMost('1000000000000000', 'more than the supply of any coin');
const EARN_RATE = rateAtMost('0.002', '73 % a year: what is promised beyond it cannot be earned');
const EARN_DAYS = atMost('366', 'nothing is promised for longer than a year');
const YEARS = atMost('3660', 'ten years');

const CEILINGS = {
  finance: {
    period: EARN_DAYS,
    dailyRate: EARN_RATE,
    startAmount: AMOUNT,
    maxAmount: AMOUNT,
    capacity: AMOUNT,
  },
  mining: {
    cycle: EARN_DAYS,
    dailyRate: EARN_RATE,
    startAmount: AMOUNT,
    maxAmount: AMOUNT,
    capacity: AMOUNT,
  },
  fund: {
    divisor: AMOUNT,
    minAmount: AMOUNT,
    step: atMost('1', 'a coarser step would leave most of a margin unused'),
    manageRate: rateAtMost('0.001', '36.5 % a year of the whole position'),
    financeRate: rateAtMost('0.003', '109.5 % a year of what is borrowed'),
    mmr: rateAtMost('0.0999', 'at leverage 5 a position would be liquidated as soon as it is bought'),
    liqFee: rateAtMost('0.02', 'more would take margin that the liquidation price promises back'),
  },
  seconds: {
    second: { ...atMost(String(DURATION_MAX), 'the longest duration of the contract'), field: 'durations' },
    rate: { ...rateAtMost('1', 'above 100 % the house would lose on average'), field: 'durations' },
    minimum: {
      most: SECONDS_LIMITS.stake,
      why: 'the rules permit no greater stake',
      field: 'durations',
    },
    feeRate: rateAtMost('0.1', 'a tenth of the stake'),
    maxStake: { most: SECONDS_LIMITS.stake, why: 'the rules permit no greater stake' },
  },
  subscription: {
    totalSupply: AMOUNT,
    issueAmount: AMOUNT,
    ratio: AMOUNT,
    hardCapUser: AMOUNT,
    tokenDigits: atMost('8', 'amounts are shown and moved with eight decimals'),
    minAmount: AMOUNT,
    maxAmount: AMOUNT,
    softCap: AMOUNT,
    lockDays: YEARS,
    linearDays: YEARS,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Ceiling>>>>;

type Product = keyof typeof CEILINGS;
/** For each term of a product that has a ceiling, the value to check. A term that is undefined is not checked. */
type Terms<P extends Product> = {
  readonly [Name in keyof (typeof CEILINGS)[P]]: Decimal | number | undefined;
};

/** The ceilings of a product, by the name of the term. */
export function ceilingsOf(product: Product): ReadonlyMap<string, Ceiling> {
  return new Map(Object.entries(CEILINGS[product]));
}

/**
 * Returns a refusal with the maximum and the value for the first term that exceeds its maximum; undefined if none does.
 * A number that is no safe integer counts as too great.
 */
export function ceilingProblem<P extends Product>(product: P, terms: Terms<P>): Refusal | undefined {
  const values: Readonly<Record<string, Decimal | number | undefined>> = terms;
  for (const [name, { most, isRate, field = name }] of ceilingsOf(product)) {
    const value = values[name];
    if (value === undefined || !isMore(value, most)) continue;
    const details = { field, limit: most.toString(), value: value.toString() };
    return refusal(
      'aboveMaximum',
      'l.field_max',
      isRate === true ? { ...details, scale: 'fraction' } : details,
    );
  }
  return undefined;
}

function isMore(value: Decimal | number, most: Decimal): boolean {
  if (value instanceof Decimal) return value.isMore(most);
  return !Number.isSafeInteger(value) || Decimal.ofWhole(value).isMore(most);
}
