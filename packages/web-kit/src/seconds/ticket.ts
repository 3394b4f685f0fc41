import { Decimal } from '@exchange/core/decimal.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { breakEvenRate, expectedValue, profitOf, secondsFee, stakeProblem } from '@exchange/core/seconds.ts';
import type { DurationTerms } from '@exchange/wire/seconds.ts';
import { decimalProblem } from '../form/decimal-text.ts';

/** Shares of what is available that one tap takes, in percent. */
export const STAKE_SHARES = [25, 50, 75, 100] as const;
const STAKE_DIGITS = 8;

/** What a stake stands on; amounts as plain text in `coin`. */
export interface TicketMoment {
  readonly coin: string;
  readonly duration: DurationTerms<string>;
  readonly feeRate: string;
  readonly maxStake: string;
  /** Of the seconds account; undefined until known. */
  readonly available: string | undefined;
}

/** Why the stake cannot be opened, or undefined. */
export function ticketProblem(stake: string, moment: TicketMoment): Refusal | undefined {
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

/** Two of a percentage. */
const BREAK_EVEN_DIGITS = 4;

/** The whole consequence of a stake, said before it is opened. */
export interface TicketFigures {
  /** Stake and profit, on a win. */
  readonly payout: string | undefined;
  readonly profit: string | undefined;
  readonly fee: string | undefined;
  /** Stake and fee, on a loss. */
  readonly loss: string | undefined;
  /** How often one has to be right, as a fraction, rounded as the percentage that it is shown as. */
  readonly breakEven: string;
  /** What a fair coin brings on average, as a fraction of the stake. */
  readonly expected: string;
}

export function ticketFigures(
  stake: string,
  { duration, feeRate }: Pick<TicketMoment, 'duration' | 'feeRate'>,
): TicketFigures {
  const [rate, fees] = [Decimal.parse(duration.rate), Decimal.parse(feeRate)];
  const shown = {
    breakEven: breakEvenRate(rate, fees).rounded(BREAK_EVEN_DIGITS, 'halfEven').toString(),
    expected: expectedValue(rate, fees).toString(),
  };
  const amount = Decimal.tryParse(stake);
  if (amount?.isPositive() !== true || !amount.fits(STAKE_DIGITS))
    return { ...shown, payout: undefined, profit: undefined, fee: undefined, loss: undefined };
  const [profit, fee] = [profitOf(amount, rate), secondsFee(amount, fees)];
  return {
    ...shown,
    payout: amount.plus(profit).toString(),
    profit: profit.toString(),
    fee: fee.toString(),
    loss: amount.plus(fee).toString(),
  };
}

/** A share of what is available that still leaves the fee, cut to two decimals and to the maximum. */
export function stakeShare(
  percent: number,
  { available, feeRate, maxStake }: TicketMoment,
): string | undefined {
  if (available === undefined) return undefined;
  const whole = Decimal.parse(available).over(Decimal.one.plus(Decimal.parse(feeRate)), 'down');
  const share = whole.times(Decimal.ofScaled(BigInt(percent), 2), 'down', 2);
  const most = Decimal.parse(maxStake);
  return (share.isMore(most) ? most : share).toString();
}
