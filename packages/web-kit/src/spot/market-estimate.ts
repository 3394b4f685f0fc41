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
import type { Ticket, TicketMarket, TicketPair } from './ticket.ts';

/** Number of basis points in 1, that is in 100 percent. */
const BPS = Decimal.parse('10000');

/** Estimated execution of a market order against the order book that the page shows. */
export interface MarketEstimate {
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
  /** True if the levels of the book that the page shows can fill the whole order within the protection price. */
  readonly isWhole: boolean;
  /** The worst price at which the exchange would execute any part of the order. */
  readonly protectionPrice: Decimal;
}

/**
 * Estimates the execution of a market order against the opposite `levels`, given best price first, as far as the
 * protection price. That price also depends on the index price `reference`, if given. The user's own orders in the book
 * are treated like other users' orders. Undefined for other order types, for an empty amount, and when the levels would
 * fill nothing of the order.
 */
export function marketEstimate(
  ticket: Ticket,
  pair: TicketPair,
  levels: readonly Level[],
  reference?: Decimal,
): MarketEstimate | undefined {
  const best = levels[0]?.price;
  const ordered = positive(isByTotal(ticket) ? ticket.total : ticket.amount);
  if (ticket.type !== 'market' || best === undefined || ordered === undefined) return undefined;
  const isBuy = ticket.side === 'buy';
  const protectionPrice = guardPrice(pair, pair.filters, ticket.side, best, reference);
  const levelsWithinProtection = levels.filter(
    ({ price }) => !(isBuy ? price.isMore(protectionPrice) : price.isLess(protectionPrice)),
  );
  const {
    amount,
    total,
    levels: levelsFilled,
    isWhole,
  } = fillLevels(levelsWithinProtection, ordered, isByTotal(ticket), pair.amountDigits);
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
    protectionPrice,
  };
}

interface LevelsFill {
  readonly amount: Decimal;
  readonly total: Decimal;
  /** Number of price levels with which the order trades. */
  readonly levels: number;
  readonly isWhole: boolean;
}

/**
 * Fills the amount or total `ordered` from the levels, one after the other. An order by total counts as completely
 * filled when the rest of the total is too small for another step of the amount.
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
 * Live estimate of the execution of the ticket's market order; undefined for other order types, while no size is typed,
 * and when the order book would fill nothing.
 */
export function useMarketEstimate(
  ticket: Ticket,
  { pair, reference }: Pick<TicketMarket, 'pair' | 'reference'>,
): MarketEstimate | undefined {
  const oppositeSide = ticket.side === 'buy' ? 'asks' : 'bids';
  const levels = useLevels(pair.symbol, ticket.type === 'market' ? oppositeSide : undefined);
  return useMemo(() => marketEstimate(ticket, pair, levels, reference), [ticket, pair, levels, reference]);
}

/** Returns the price impact of a market order as text, such as `2.4 bps · 3 levels`; undefined without an estimate. */
export function useImpactText(estimate: MarketEstimate | undefined): string | undefined {
  const t = useWords('trade');
  const locale = useLocale();
  if (estimate === undefined) return undefined;
  return impactText({ t, locale }, estimate);
}

/** The text that `useImpactText` returns, from given figures. */
export function impactText(
  { t, locale }: TradeLanguage,
  { slippageBps, levels }: Pick<MarketEstimate, 'slippageBps' | 'levels'>,
): string {
  return t('impactValue', { bps: formatPrice(slippageBps.toString(), locale, 1), count: levels });
}

/**
 * Warning that the order book shown on the page cannot fill the whole order within the protection price; undefined if
 * it can, and without an estimate.
 */
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
