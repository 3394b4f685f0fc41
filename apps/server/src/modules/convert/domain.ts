import type { ConvertTerms } from '@exchange/core/convert.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';

/** A quote with a fixed rate; once accepted, the exchange that was made at it. */
export interface Quote extends ConvertTerms {
  readonly id: string;
  readonly owner: UserId;
  readonly from: AssetCode;
  readonly to: AssetCode;
  /** Index prices of both coins, in USDT per coin, at the time when the quote was made. */
  readonly fromIndex: Decimal;
  readonly toIndex: Decimal;
  readonly madeAt: Instant;
  readonly expiresAt: Instant;
  readonly acceptedAt: Instant | undefined;
  /**
   * Id that all quotes of small balances share that are accepted together; undefined for a quote that is accepted
   * alone.
   */
  readonly bundle: string | undefined;
}

/**
 * The amounts that leave the exchange's inventory when a quote is accepted: the amount that the user receives, and the
 * fee.
 */
type Received = Pick<ConvertTerms, 'toAmount' | 'fee'>;

/** The amount that leaves the inventory when a quote is accepted: the amount that the user receives plus the fee. */
export function inventoryOutflow({ toAmount, fee }: Received): Decimal {
  return toAmount.plus(fee);
}

/**
 * The refusal when the inventory of the received coin `to` (`held`), less the amounts that open quotes need
 * of it (`bound`), is too small for a quote; undefined when it is large enough.
 */
export function inventoryProblem(
  terms: Received,
  { to, held, bound }: { readonly to: AssetCode; readonly held: Decimal; readonly bound: Decimal },
): Refusal | undefined {
  const free = held.minus(bound);
  if (!inventoryOutflow(terms).isMore(free)) return undefined;
  const limit = (free.isPositive() ? free : held.minus(held)).toString();
  return refusal('closed', 'l.convert_inventory', { limit, value: terms.toAmount.toString(), unit: to });
}

/** The refusal when the user's available balance cannot pay for a quote; undefined when it can. */
export function fundsProblem({ from, fromAmount }: Quote, available: Decimal): Refusal | undefined {
  return shortOf({ needed: fromAmount, available, asset: from, field: 'fromAmount' });
}

/**
 * The refusal when a quote has expired; undefined while the user can accept it, which is up to and including its
 * `expiresAt`.
 */
export function acceptProblem(quote: Quote, now: Instant): Refusal | undefined {
  if (now <= quote.expiresAt) return undefined;
  return refusal('quoteExpired', 'l.quote_expired', {
    limit: String(quote.expiresAt),
    value: String(now),
  });
}
