import { Decimal } from '@exchange/core/decimal.ts';

/**
 * Maximum network fee of one transaction (`once`), and of all that are signed within 24 hours (`day`), in the smallest
 * unit of `coin`. Bounds of a price, such as that of a byte, do not bound what a transaction costs.
 */
export interface FeeLimit {
  readonly coin: string;
  readonly digits: number;
  readonly once: bigint;
  readonly day: bigint;
}

/** The network fee of a transaction that is to be signed, in the smallest unit. */
interface SignedFee {
  /** The greatest fee that the transaction can cost, in the smallest unit. */
  readonly fee: bigint;
  /**
   * By how much, in the smallest unit, the fee exceeds that of earlier transactions of the same payment, of
   * which the network executes only one; equal to `fee` for the first transaction.
   */
  readonly added: bigint;
  /**
   * Sum of the amounts that earlier transactions of the last 24 hours have added to the network fees, in the
   * smallest unit.
   */
  readonly earlier: bigint;
}

/** Returns the reason why a transaction with this fee is not signed; undefined if it may be signed. */
export function feeProblem(
  { coin, digits, once, day }: FeeLimit,
  { fee, added, earlier }: SignedFee,
): string | undefined {
  const coins = (units: bigint) => `${Decimal.ofScaled(units, digits)} ${coin}`;
  if (fee > once) return `a network fee of ${coins(fee)} is more than ${coins(once)} at once`;
  return added > 0n && earlier + added > day
    ? `with a network fee of ${coins(fee)} more than ${coins(day)} of fees within a day`
    : undefined;
}

/**
 * Returns by how much, in the smallest unit, the fee of a further transaction of a payment exceeds the
 * amounts that the payment's earlier transactions (`entries`) have added to the network fees that count
 * towards the limit of 24 hours; 0 if it does not exceed them.
 */
export function addedFee(fee: bigint, entries: readonly { readonly fee?: string | undefined }[]): bigint {
  const counted = entries.reduce((total, entry) => total + BigInt(entry.fee ?? '0'), 0n);
  return fee > counted ? fee - counted : 0n;
}

/**
 * Reads a limit of fees from `SIGNER_FEE_DAY` and, unless `once` is already in the smallest unit,
 * `SIGNER_FEE_ONCE`; both are in coins, and the returned limit is in the smallest unit. `once` and `day` are
 * the defaults. Throws if a setting is invalid, or if the limit of a day is below that of one transaction.
 */
export function readFeeLimit(
  environment: Readonly<Record<string, string | undefined>>,
  {
    coin,
    digits,
    once,
    day,
  }: {
    readonly coin: string;
    readonly digits: number;
    readonly once: string | bigint;
    readonly day: string;
  },
): FeeLimit {
  const units = (name: string, usual: string) => {
    const amount = Decimal.tryParse(environment[name]?.trim() ?? usual);
    if (amount === undefined || !amount.isPositive() || !amount.fits(digits))
      throw new Error(`${name} must be a number of ${coin}`);
    return amount.toScaled(digits);
  };
  const limit = {
    coin,
    digits,
    once: typeof once === 'bigint' ? once : units('SIGNER_FEE_ONCE', once),
    day: units('SIGNER_FEE_DAY', day),
  };
  if (limit.day < limit.once)
    throw new Error('SIGNER_FEE_DAY must not be less than the maximum fee of one transaction');
  return limit;
}
