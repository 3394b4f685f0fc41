import { Decimal, least } from '@exchange/core/decimal.ts';

/**
 * A lot: coins that arrived by one ledger entry, with the amount that no disposal has used up yet
 * (`remaining`).
 */
export interface Lot {
  /**
   * Number of the ledger entry by which the coins arrived; disposals use up lots in ascending order of this number.
   */
  readonly entry: number;
  /** Time of the acquisition in milliseconds UTC; earlier than the arrival only if the user entered one. */
  readonly acquiredAt: number;
  readonly amount: Decimal;
  readonly remaining: Decimal;
  /** Cost of the whole lot, not only of the part that is left, in USDT; undefined if it is not known. */
  readonly cost: Decimal | undefined;
}

/** Part of a lot that a disposal uses up. */
export interface LotUse {
  readonly lot: number;
  readonly amount: Decimal;
  readonly cost: Decimal | undefined;
}

const PLACES = 8;

/**
 * Uses up at most `amount` coins of a lot. Returns the used part and the changed lot. The costs of all used parts of a
 * lot add up to its cost exactly, because each is the difference of two shares of the whole.
 */
export function takeFrom(lot: Lot, amount: Decimal): { readonly use: LotUse; readonly lot: Lot } {
  const taken = least(amount, lot.remaining);
  const remaining = lot.remaining.minus(taken);
  const cost = lot.cost && remainingCost(lot)!.minus(remainingCost({ ...lot, remaining })!);
  return {
    use: {
      lot: lot.entry,
      amount: taken,
      cost,
    },
    lot: { ...lot, remaining },
  };
}

/** Cost of the part of a lot that is left, rounded up to 8 places; undefined if the lot's cost is not known. */
export function remainingCost({ amount, remaining, cost }: Lot): Decimal | undefined {
  if (cost === undefined || remaining.isZero()) return cost && Decimal.zero;
  return remaining.equals(amount)
    ? cost
    : least(cost, cost.times(remaining, 'up').over(amount, 'up', PLACES));
}
