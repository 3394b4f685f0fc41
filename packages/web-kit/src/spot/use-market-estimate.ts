import { useMemo } from 'react';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { useLevels } from '../market/live.ts';
import { marketEstimate, type MarketEstimate } from './market-estimate.ts';
import type { Ticket, TicketMoment, TicketPair } from './ticket.ts';

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
    what: `${formatDecimal(estimate.amount.toString(), locale)} ${base}`,
    price: formatPrice(estimate.protectionPrice.toString(), locale, priceDigits),
  });
}
