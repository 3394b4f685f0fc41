import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { formatDecimal, formatPercent, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { isByTotal, positive, trailOf } from './ticket-figures.ts';
import type { TicketSummary } from './ticket-summary.ts';
import { ticketFields, type Ticket } from './ticket.ts';

/**
 * Says what a ticket with a stop would do and when: "If the last price falls to 58,000 USDT or below, sell
 * 0.1 BTC at market." Undefined without a stop, and while price or amount are missing.
 */
export function useTriggerSentence(ticket: Ticket, summary: TicketSummary, pair: Pair): string | undefined {
  const t = useWords('trade');
  const locale = useLocale();
  const price = (value: Decimal): string =>
    `${formatPrice(value.toString(), locale, pair.priceDigits)} ${pair.quote}`;
  const { trigger, amount } = summary;
  if (trigger === undefined) return undefined;

  const size = isByTotal(ticket) ? positive(ticket.total) : amount;
  if (size === undefined || !size.isPositive()) return undefined;
  const what = `${formatDecimal(size.toString(), locale)} ${isByTotal(ticket) ? pair.quote : pair.base}`;
  const { hasPrice, hasTrail } = ticketFields(ticket);
  const limit = positive(ticket.type === 'oco' ? ticket.stopLimitPrice : hasPrice ? ticket.price : '');
  const isBuy = ticket.side === 'buy';
  if (hasPrice && ticket.type !== 'oco' && limit === undefined) return undefined;
  const action =
    limit === undefined
      ? t(isByTotal(ticket) ? 'act.spend' : isBuy ? 'act.buy' : 'act.sell', { what })
      : t(isBuy ? 'act.buyLimit' : 'act.sellLimit', { what, price: price(limit) });

  const trail = trailOf(ticket);
  if (hasTrail && trail !== undefined) {
    return t(isBuy ? 'trigger.rises' : 'trigger.falls', {
      percent: formatPercent(trail.toString(), locale),
      price: price(trigger.price),
      action,
    });
  }
  const stop = t(`trigger.${trigger.direction}`, { price: price(trigger.price), action });
  if (ticket.type !== 'oco') return stop;
  const rest = positive(ticket.price);
  if (rest === undefined) return undefined;
  return t(isBuy ? 'trigger.ocoBuy' : 'trigger.ocoSell', { what, price: price(rest), stop });
}
