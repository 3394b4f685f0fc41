import { Decimal, least } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { guardPrice } from '@exchange/core/spot.ts';
import { useMemo } from 'react';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { Level } from '../market/book.ts';
import { useLevels } from '../market/live.ts';
import type { TradeLanguage } from './order-words.ts';
import { isByTotal, positive } from './ticket-figures.ts';
import { crossingRefusal } from './ticket-problem.ts';
import type { TicketSummary } from './ticket-summary.ts';
import type { Ticket, TicketMarket, TicketPair } from './ticket.ts';

/** Number of basis points in 1, that is in 100 percent. */
const BPS = Decimal.parse('10000');

/**
 * Estimated execution of an order at the moment at which it is placed, against the order book that the page shows: of a
 * market order, or of the part of a limit order that trades at once.
 */
export interface FillEstimate {
  /** Amount that the order would trade, in the base coin. */
  readonly amount: Decimal;
  /** Average price in the quote coin, rounded to the pair's price decimals: up for a buy, down for a sell. */
  readonly averagePrice: Decimal;
  /**
   * Difference between the average price and the best price, in basis points (hundredths of a percent) of the best
   * price, rounded up to one decimal.
   */
  readonly slippageBps: Decimal;
  /** Number of price levels of the book with which the order would trade. */
  readonly levels: number;
  /** Estimated fee, in the coin that the user receives; deducted from the received amount. */
  readonly fee: Decimal;
  readonly received: Decimal;
  /** True if the levels of the book that the page shows can fill the whole order within `worstPrice`. */
  readonly isWhole: boolean;
  /** The worst price at which the exchange would execute any part of the order: its limit or its protection price. */
  readonly worstPrice: Decimal;
}

/**
 * Estimates the execution of a market or limit order against the opposite `levels`, given best price first: of a limit
 * order as far as its limit price, of a market order as far as the protection price, which also depends on the index
 * price `reference`, if given. A limit order has the same estimate for each time in force, which decides only what
 * becomes of the rest. The user's own orders in the book are treated like other users' orders. Undefined for other order
 * types and post-only orders, for an empty amount or price, and when the levels would fill nothing of the order.
 */
export function fillEstimate(
  ticket: Ticket,
  pair: TicketPair,
  levels: readonly Level[],
  reference?: Decimal,
): FillEstimate | undefined {
  const best = levels[0]?.price;
  const ordered = positive(isByTotal(ticket) ? ticket.total : ticket.amount);
  if (!canTradeAtOnce(ticket) || best === undefined || ordered === undefined) return undefined;
  const isBuy = ticket.side === 'buy';
  const worstPrice =
    ticket.type === 'limit'
      ? positive(ticket.price)
      : guardPrice(pair, pair.filters, ticket.side, best, reference);
  if (worstPrice === undefined) return undefined;
  const levelsWithin = levels.filter(
    ({ price }) => !(isBuy ? price.isMore(worstPrice) : price.isLess(worstPrice)),
  );
  const {
    amount,
    total,
    levels: levelsFilled,
    isWhole,
  } = fillLevels(levelsWithin, ordered, isByTotal(ticket), pair.amountDigits);
  if (amount.isZero()) return undefined;
  const gross = isBuy ? amount : total;
  const averagePrice = total.over(amount, isBuy ? 'up' : 'down', pair.priceDigits);
  const distance = isBuy ? averagePrice.minus(best) : best.minus(averagePrice);
  const fee = feeOn(gross, pair.takerFee);
  return {
    amount,
    averagePrice,
    slippageBps: distance.times(BPS, 'up').over(best, 'up', 1),
    levels: levelsFilled,
    fee,
    received: gross.minus(fee),
    isWhole,
    worstPrice,
  };
}

function canTradeAtOnce({ type, postOnly }: Ticket): boolean {
  return type === 'market' || (type === 'limit' && !postOnly);
}

interface LevelsFill {
  readonly amount: Decimal;
  readonly total: Decimal;
  /** Number of price levels with which the order trades. */
  readonly levels: number;
  readonly isWhole: boolean;
}

/**
 * Fills `ordered` from the price levels, best price first. `ordered` is a total in the quote coin if `byTotal` is true,
 * otherwise an amount in the base coin. An order by total counts as completely filled when the remaining total buys
 * less than one amount step (`digits` decimals) at the price of the last level.
 */
function fillLevels(
  levels: readonly Level[],
  ordered: Decimal,
  byTotal: boolean,
  digits: number,
): LevelsFill {
  let remaining = ordered;
  let amount = Decimal.zero;
  let total = Decimal.zero;
  let count = 0;
  for (const level of levels) {
    const maxAmount = byTotal ? remaining.over(level.price, 'down', digits) : remaining;
    const filled = least(level.amount, maxAmount);
    const cost = level.price.times(filled, 'down');
    if (filled.isPositive()) count += 1;
    amount = amount.plus(filled);
    total = total.plus(cost);
    remaining = remaining.minus(byTotal ? cost : filled);
    const isDone = byTotal ? remaining.over(level.price, 'down', digits).isZero() : remaining.isZero();
    if (isDone) return { amount, total, levels: count, isWhole: true };
  }
  return { amount, total, levels: count, isWhole: false };
}

/**
 * Live version of `fillEstimate`: the estimated execution of the ticket's market or limit order against the current
 * order book.
 */
export function useFillEstimate(
  ticket: Ticket,
  { pair, reference }: Pick<TicketMarket, 'pair' | 'reference'>,
): FillEstimate | undefined {
  const oppositeSide = ticket.side === 'buy' ? 'asks' : 'bids';
  const levels = useLevels(pair.symbol, canTradeAtOnce(ticket) ? oppositeSide : undefined);
  return useMemo(() => fillEstimate(ticket, pair, levels, reference), [ticket, pair, levels, reference]);
}

/**
 * Returns whether the ticket states the average price and the price impact of its order: for market and limit
 * orders.
 */
export function hasImpact({ type }: Ticket): boolean {
  return type === 'market' || type === 'limit';
}

/**
 * Returns the price impact of an order as text, such as `2.4 bps · 3 levels`, or for a post-only order that would trade
 * at once that it would be refused; undefined without an estimate.
 */
export function useImpactText(
  ticket: Ticket,
  market: TicketMarket,
  estimate: FillEstimate | undefined,
): string | undefined {
  const t = useWords('trade');
  const locale = useLocale();
  if (crossingRefusal(ticket, market) !== undefined) return t('impactRefused');
  if (estimate === undefined) return undefined;
  return impactText({ t, locale }, estimate);
}

/** Formats price impact and number of price levels of an estimate, such as `2.4 bps · 3 levels`. */
export function impactText(
  { t, locale }: TradeLanguage,
  { slippageBps, levels }: Pick<FillEstimate, 'slippageBps' | 'levels'>,
): string {
  return t('impactValue', { bps: formatPrice(slippageBps.toString(), locale, 1), count: levels });
}

/**
 * Returns the fee and the proceeds of the ticket's order. They come from the estimate for a market order, and
 * for a limit order that the book fills completely at once. Otherwise, and without an estimate, they come
 * from `summary`, which assumes that the whole limit order is filled at its limit price.
 */
export function figuresOf(
  { type }: Ticket,
  estimate: FillEstimate | undefined,
  summary: Pick<TicketSummary, 'fee' | 'received'>,
): Pick<TicketSummary, 'fee' | 'received'> {
  return estimate === undefined || (type === 'limit' && !estimate.isWhole) ? summary : estimate;
}

/**
 * Warning that the order book shown on the page cannot fill the whole market order within the protection price;
 * undefined if it can, for other order types, and without an estimate.
 */
export function useThinBookSentence(
  { type }: Ticket,
  estimate: FillEstimate | undefined,
  { base, priceDigits }: TicketPair,
): string | undefined {
  const t = useWords('trade');
  const locale = useLocale();
  if (type !== 'market' || estimate === undefined || estimate.isWhole) return undefined;
  return t('thinBook', {
    what: withUnit(formatDecimal(estimate.amount.toString(), locale), base),
    price: formatPrice(estimate.worstPrice.toString(), locale, priceDigits),
  });
}
