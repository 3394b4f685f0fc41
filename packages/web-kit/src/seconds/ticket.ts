import { Decimal } from '@exchange/core/decimal.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { breakEvenRate, expectedValue, profitOf, secondsFee, stakeProblem } from '@exchange/core/seconds.ts';
import type { DurationTerms } from '@exchange/wire/seconds.ts';
import { decimalProblem } from '../form/decimal-text.ts';

/**
 * Selectable stakes, in percent of the largest stake that the available balance covers together with its fee.
 */
export const STAKE_SHARES = [25, 50, 75, 100] as const;
const STAKE_DIGITS = 8;

/** Data with which a stake is validated; amounts are plain decimals in the coin `coin`. */
export interface StakeContext {
  readonly coin: string;
  readonly duration: DurationTerms<string>;
  readonly feeRate: string;
  readonly maxStake: string;
  /** Available balance of the user's seconds account, in `coin`; undefined for visitors and until loaded. */
  readonly available: string | undefined;
}

/** Returns the reason why a position with this stake cannot be opened; undefined if it can. */
export function ticketProblem(stake: string, moment: StakeContext): Refusal | undefined {
  const { coin, duration, feeRate, maxStake, available } = moment;
  const limits = {
    asset: coin,
    digits: STAKE_DIGITS,
    minimum: Decimal.parse(duration.minimum),
    maximum: Decimal.parse(maxStake),
    feeRate: Decimal.parse(feeRate),
    available: available === undefined ? undefined : Decimal.parse(available),
  };
  return decimalProblem('openAmount', stake, STAKE_DIGITS) ?? stakeProblem(Decimal.tryParse(stake), limits);
}

/** Number of decimals of the break-even fraction. With four decimals, its percentage has two. */
const BREAK_EVEN_DIGITS = 4;

/**
 * The figures that follow from a stake, shown before the position is opened. `payout`, `profit`, `fee` and
 * `loss` are amounts in the stake's coin; undefined unless the stake is a positive decimal with at most eight
 * decimals.
 */
export interface TicketFigures {
  readonly payout: string | undefined;
  readonly profit: string | undefined;
  readonly fee: string | undefined;
  readonly loss: string | undefined;
  /**
   * Fraction of positions that must win for an expected profit of zero after fees, rounded to four decimals, that is to
   * hundredths of a percent.
   */
  readonly breakEven: string;
  /**
   * Expected profit after fees as a fraction of the stake, if half of the positions win and half lose; negative for a
   * loss.
   */
  readonly expected: string;
}

export function ticketFigures(
  stake: string,
  { duration, feeRate }: Pick<StakeContext, 'duration' | 'feeRate'>,
): TicketFigures {
  const [rate, fees] = [Decimal.parse(duration.rate), Decimal.parse(feeRate)];
  const figures = {
    breakEven: breakEvenRate(rate, fees).rounded(BREAK_EVEN_DIGITS, 'halfEven').toString(),
    expected: expectedValue(rate, fees).toString(),
  };
  const amount = Decimal.tryParse(stake);
  if (amount?.isPositive() !== true || !amount.fits(STAKE_DIGITS))
    return { ...figures, payout: undefined, profit: undefined, fee: undefined, loss: undefined };
  const [profit, fee] = [profitOf(amount, rate), secondsFee(amount, fees)];
  return {
    ...figures,
    payout: amount.plus(profit).toString(),
    profit: profit.toString(),
    fee: fee.toString(),
    loss: amount.plus(fee).toString(),
  };
}

/**
 * Returns `percent` percent of the largest stake that the available balance covers together with its fee;
 * truncated to two decimals and limited to the maximum stake. Undefined until the balance has loaded.
 */
export function stakeShare(
  percent: number,
  { available, feeRate, maxStake }: StakeContext,
): string | undefined {
  if (available === undefined) return undefined;
  const whole = Decimal.parse(available).over(Decimal.one.plus(Decimal.parse(feeRate)), 'down');
  const share = whole.times(Decimal.ofScaled(BigInt(percent), 2), 'down', 2);
  const maximum = Decimal.parse(maxStake);
  return (share.isMore(maximum) ? maximum : share).toString();
}
