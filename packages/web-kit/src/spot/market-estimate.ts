import { Decimal, least } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { guardPrice } from '@exchange/core/spot.ts';
import { useMemo } from 'react';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { Level } from '../market/book.ts';
import { useLevels } from '../market/live.ts';
import { isByTotal, positive } from './ticket-figures.ts';
import type { Ticket, TicketMoment, TicketPair } from './ticket.ts';

/** What an order at market would do if it arrived now, as far as the book is shown. */
export interface MarketEstimate {
  /** How much would trade, in the base coin. */
  readonly amount: Decimal;
  /** In the quote coin, for one of the base coin; rounded to the pair's decimals, to the person's disadvantage. */
  readonly averagePrice: Decimal;
  /** Taken from what is received. */
  readonly fee: Decimal;
  readonly received: Decimal;
  /** Whether the levels hold all that is ordered. */
  readonly isWhole: boolean;
  /** The worst price at which the exchange lets it trade. */
  readonly protectionPrice: Decimal;
}

/**
 * What an order at market meets in `levels` of the other side, best first, up to its protection price (which also
 * counts from `reference`, the index, where there is one), by the exchange's own rules; own orders among them count as others'. Undefined for other orders, and while nothing is
 * typed or nothing rests.
 */
export function marketEstimate(
  ticket: Ticket,
  pair: TicketPair,
  levels: readonly Level[],
  reference?: Decimal,
): MarketEstimate | undefined {
  const best = levels[0]?.price;
  const wanted = positive(isByTotal(ticket) ? ticket.total : ticket.amount);
  if (ticket.type !== 'market' || best === undefined || wanted === undefined) return undefined;
  const isBuy = ticket.side === 'buy';
  const protectionPrice = guardPrice(pair, pair.filters, ticket.side, best, reference);
  const within = levels.filter(
    ({ price }) => !(isBuy ? price.isMore(protectionPrice) : price.isLess(protectionPrice)),
  );
  const { amount, total, isWhole } = swept(within, wanted, isByTotal(ticket), pair.amountDigits);
  if (amount.isZero()) return undefined;
  const gross = isBuy ? amount : total;
  const fee = feeOn(gross, pair.takerFee);
  return {
    amount,
    averagePrice: total.over(amount, isBuy ? 'up' : 'down', pair.priceDigits),
    fee,
    received: gross.minus(fee),
    isWhole,
    protectionPrice,
  };
}

interface Swept {
  readonly amount: Decimal;
  readonly total: Decimal;
  readonly isWhole: boolean;
}

/** Takes level by level what is wanted; a rest of a total that pays for no further step of the amount is dust. */
function swept(levels: readonly Level[], wanted: Decimal, byTotal: boolean, digits: number): Swept {
  let left = wanted;
  let amount = Decimal.zero;
  let total = Decimal.zero;
  for (const level of levels) {
    const most = byTotal ? left.over(level.price, 'down', digits) : left;
    const taken = least(level.amount, most);
    const cost = level.price.times(taken, 'down');
    amount = amount.plus(taken);
    total = total.plus(cost);
    left = left.minus(byTotal ? cost : taken);
    const isDone = byTotal ? left.over(level.price, 'down', digits).isZero() : left.isZero();
    if (isDone) return { amount, total, isWhole: true };
  }
  return { amount, total, isWhole: false };
}

/** What a ticket at market would meet on the book, live; undefined for other tickets and while nothing is typed. */
export function useMarketEstimate(
  ticket: Ticket,
  { pair, reference }: Pick<TicketMoment, 'pair' | 'reference'>,
): MarketEstimate | undefined {
  const other = ticket.side === 'buy' ? 'asks' : 'bids';
  const levels = useLevels(pair.symbol, ticket.type === 'market' ? other : undefined);
  return useMemo(() => marketEstimate(ticket, pair, levels, reference), [ticket, pair, levels, reference]);
}

/** Says that the book as it is shown does not hold the whole order; undefined while it does. */
export function useThinBookSentence(
  estimate: MarketEstimate | undefined,
  { base, priceDigits }: TicketPair,
): string | undefined {
  const t = useWords('trade');
  const locale = useLocale();
  if (estimate === undefined || estimate.isWhole) return undefined;
  return t('thinBook', {
    what: withUnit(formatDecimal(estimate.amount.toString(), locale), base),
    price: formatPrice(estimate.protectionPrice.toString(), locale, priceDigits),
  });
}
