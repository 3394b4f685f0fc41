import type { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { StopDirection } from '@exchange/core/spot.ts';
import {
  amountFor,
  directionOf,
  holdOf,
  isByTotal,
  maxAmountOf,
  numberOf,
  oppositeBest,
  positive,
  stopPriceOf,
  totalFor,
  workingPrice,
} from './ticket-figures.ts';
import { ticketFields, type Ticket, type TicketMoment } from './ticket.ts';

/** The whole consequence of an order, as far as it is known before it is placed. */
export interface TicketSummary {
  readonly side: Side;
  /** Price × amount, or the total typed; at the best price or the stop for orders at market. */
  readonly total: Decimal | undefined;
  readonly amount: Decimal | undefined;
  /** The rate that would apply, and which of the two it is. */
  readonly feeRate: Decimal;
  readonly role: 'maker' | 'taker';
  /** Taken from what is received, in `receivedCoin`. */
  readonly fee: Decimal | undefined;
  readonly received: Decimal | undefined;
  readonly receivedCoin: string;
  /** What is available for spending, in `spentCoin`. */
  readonly available: Decimal | undefined;
  /** What is set aside in `spentCoin` until the order is filled or ends. */
  readonly held: Decimal | undefined;
  readonly spentCoin: string;
  /** The most that could be ordered, in the base coin. */
  readonly maxAmount: Decimal | undefined;
  /** Whether price and amount are estimates at the best price or the stop. */
  readonly isEstimate: boolean;
  /** Where a stop would trigger, and which way the last price must go; undefined without a stop. */
  readonly trigger: { readonly price: Decimal; readonly direction: StopDirection } | undefined;
}

/** What the order would do: what it holds, costs and brings, and when it triggers. */
export function summarise(ticket: Ticket, moment: TicketMoment): TicketSummary {
  const { pair } = moment;
  const price = workingPrice(ticket, moment);
  const typedTotal = isByTotal(ticket) ? numberOf(ticket.total) : undefined;
  const amount = typedTotal === undefined ? numberOf(ticket.amount) : amountFor(typedTotal, price, pair);
  const total = typedTotal ?? totalFor(amount, price);
  const isBuy = ticket.side === 'buy';
  const gross = isBuy ? amount : total;
  const role = isTaker(ticket, moment) ? 'taker' : 'maker';
  const feeRate = role === 'taker' ? pair.takerFee : pair.makerFee;
  const stop = stopPriceOf(ticket, moment);
  return {
    side: ticket.side,
    total,
    amount,
    feeRate,
    role,
    ...afterFee(gross, feeRate),
    receivedCoin: isBuy ? pair.base : pair.quote,
    available: isBuy ? moment.quoteAvailable : moment.baseAvailable,
    held: holdOf(ticket, moment)?.amount,
    spentCoin: isBuy ? pair.quote : pair.base,
    maxAmount: maxAmountOf(ticket, moment),
    isEstimate: !ticketFields(ticket).hasPrice,
    trigger: stop === undefined ? undefined : { price: stop, direction: directionOf(ticket) },
  };
}

function afterFee(gross: Decimal | undefined, rate: Decimal): Pick<TicketSummary, 'fee' | 'received'> {
  if (gross === undefined) return { fee: undefined, received: undefined };
  const fee = feeOn(gross, rate);
  return { fee, received: gross.minus(fee) };
}

/**
 * Whether the order would take: at market always; at a limit where it meets the best opposite price, which
 * for a stop is its own stop price, because that is where the market will be.
 */
function isTaker(ticket: Ticket, moment: TicketMoment): boolean {
  if (ticket.type === 'oco') return false;
  if (!ticketFields(ticket).hasPrice) return true;
  const price = positive(ticket.price);
  const met = ticket.type === 'limit' ? oppositeBest(ticket.side, moment) : stopPriceOf(ticket, moment);
  if (ticket.postOnly || price === undefined || met === undefined) return false;
  return ticket.side === 'buy' ? !price.isLess(met) : !price.isMore(met);
}
