import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import {
  acceptConvert,
  convertCoins,
  convertQuote,
  convertRate,
  convertRecords,
} from '@exchange/wire/convert.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { call, retryOnce } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { refetchActive, useRead } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import { typedAmount } from '../form/decimal-text.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';

/** API calls of conversions, and the computations of the form before it requests a quote. */

export type ConvertInfo = DataOf<typeof convertCoins>;
export type ConvertCoin = ConvertInfo['list'][number];
export type Quote = DataOf<typeof convertQuote>;
export type Exchange = DataOf<typeof acceptConvert>;

const CONVERT = userKeys('convert');
const RATE_EVERY_MS = 5_000;
const INFO_FRESH_MS = 300_000;

/** The coins, the fee and the limits of conversions. */
export function useConvertInfo() {
  return useRead({
    queryKey: ['convert', 'info'],
    queryFn: ({ signal }) => call(convertCoins, {}, { signal }),
    staleTime: INFO_FRESH_MS,
  });
}

/**
 * The indicative rate between two coins, refetched every five seconds while the component is mounted and the
 * page is visible.
 */
export function useConvertRate(from: string, to: string) {
  return useRead({
    queryKey: ['convert', 'rate', from, to],
    queryFn: ({ signal }) => call(convertRate, { from, to }, { signal }),
    refetchInterval: RATE_EVERY_MS,
  });
}

/** The user's conversions, newest first, loaded page by page. */
export function useExchanges() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<Exchange>(
    CONVERT.use('records'),
    (page, signal) => call(convertRecords, page, { signal }),
    { enabled: isSignedIn, finalRowId: ({ id }) => id },
  );
}

/** The request for a quote: both coins, and the amount of the coin that `side` names. */
export interface QuoteRequest {
  readonly from: string;
  readonly to: string;
  readonly side: 'from' | 'to';
  readonly amount: string;
}

export function requestQuote({ from, to, side, amount }: QuoteRequest): Promise<Quote> {
  return call(convertQuote, {
    from,
    to,
    ...(side === 'from' ? { fromAmount: amount } : { toAmount: amount }),
  });
}

/**
 * Executes the conversion of a quote. Repeated requests with the same idempotency key (`clientId`) convert only once.
 */
export async function acceptQuote({
  payload,
  clientId,
}: KeyedSubmission<{ readonly quoteId: string }>): Promise<Exchange> {
  try {
    return await retryOnce((timeoutMs) => call(acceptConvert, payload, { clientId, timeoutMs }));
  } finally {
    refetchActive(CONVERT.forCurrentUser());
    refetchBalances();
  }
}

interface EstimateParts {
  readonly rate: string | undefined;
  readonly feeRate: string | undefined;
  readonly digits: { readonly from: number; readonly to: number };
}

/**
 * The amount of the other coin at the indicative rate, with the fee deducted from the received amount: a received
 * amount is rounded down to its coin's decimals, a paid one up. Undefined when the rate or the fee rate is unknown, or
 * the rate or the typed amount is not a positive number.
 */
export function estimateOf(
  { side, amount }: Pick<QuoteRequest, 'side' | 'amount'>,
  { rate, feeRate, digits }: EstimateParts,
): string | undefined {
  const typed = Decimal.tryParse(amount);
  if (typed?.isPositive() !== true || rate === undefined || feeRate === undefined) return undefined;
  const afterFee = Decimal.one.minus(Decimal.parse(feeRate));
  const perUnit = Decimal.parse(rate);
  if (!perUnit.isPositive()) return undefined;
  const otherAmount =
    side === 'from'
      ? typed.times(perUnit, 'down').times(afterFee, 'down', digits.to)
      : typed.over(afterFee, 'up').over(perUnit, 'up', digits.from);
  return otherAmount.toString();
}

/** The exchange rate of the opposite direction; undefined unless `rate` is positive. */
export function inverseOf(rate: string | undefined): string | undefined {
  const number = rate === undefined ? undefined : Decimal.tryParse(rate);
  return number?.isPositive() === true ? Decimal.one.over(number, 'down').toString() : undefined;
}

/**
 * The reason why no quote can be requested, as a refusal of the field of the typed amount; undefined if a quote can be
 * requested. The balance is checked only once it and the paid amount are known.
 */
export function amountProblem(
  { side, amount, from }: QuoteRequest,
  { digits, paid, available }: { digits: number; paid: string | undefined; available: string | undefined },
): Refusal | undefined {
  const field = `${side}Amount`;
  const typed = typedAmount(field, amount, digits);
  if (!typed.ok) return typed.refusal;
  if (!typed.value.isPositive()) return refusal('invalidField', 'l.field_positive', { field });
  if (paid === undefined || available === undefined) return undefined;
  if (!Decimal.parse(paid).isMore(Decimal.parse(available))) return undefined;
  return refusal('insufficientBalance', 'l.insufficient_balance', {
    field,
    limit: available,
    value: paid,
    unit: from,
  });
}
