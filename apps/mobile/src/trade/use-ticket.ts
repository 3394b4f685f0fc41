import type { Side } from '@exchange/core/pair.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import { CallFailed, CallRefused } from '@exchange/web-kit/api/call-error.ts';
import { formatDecimal, formatPrice } from '@exchange/web-kit/format/format.ts';
import { refusalText, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { usePlaceOrder } from '@exchange/web-kit/spot/actions.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import {
  afterPlacing,
  initialTicket,
  payloadOf,
  summarise,
  ticketProblem,
  withAmount,
  withPercent,
  withPrice,
  withTotal,
  type Ticket,
  type TicketMoment,
} from '@exchange/web-kit/spot/ticket-form.ts';
import { useStartPrice } from '@exchange/web-kit/spot/use-start-price.ts';
import { useRef, useState } from 'react';

/** The ticket on screen: what is typed, what it would do, and the deed. */
export function useTicket(moment: TicketMoment) {
  const [typed, setTicket] = useState<Ticket>();
  const start = useStartPrice(moment);
  const ticket = typed ?? initialTicket('buy', 'limit', start);
  const [hasTried, setTried] = useState(false);
  const place = usePlaceOrder();
  const key = useRef<string | undefined>(undefined);
  const tellPlaced = useTellPlaced(moment);

  // A changed order is another order, so it gets a key of its own.
  const change = (next: Ticket) => {
    key.current = undefined;
    setTried(false);
    setTicket(next);
  };
  const problem = ticketProblem(ticket, moment);
  const submit = async () => {
    setTried(true);
    if (problem !== undefined) return;
    key.current ??= crypto.randomUUID();
    try {
      tellPlaced(await place.mutateAsync({ payload: payloadOf(ticket, moment.pair), clientId: key.current }));
      change(afterPlacing(ticket));
    } catch (error) {
      // Reason: refused, or no answer came. Without an answer the key stays, so pressing again places it once.
      if (error instanceof CallRefused) key.current = undefined;
      else if (!(error instanceof CallFailed)) throw error;
      notify.failure(error);
    }
  };
  return {
    ticket,
    summary: summarise(ticket, moment),
    problem: hasTried && problem !== undefined ? refusalText(problem) : undefined,
    problemField: problem?.parameters['field'],
    isBusy: place.isPending,
    setSide: (side: Side) => change(withPrice({ ...ticket, side }, ticket.price, moment)),
    setType: (type: OrderType) => change(withPrice({ ...ticket, type }, ticket.price, moment)),
    setPrice: (price: string) => change(withPrice(ticket, price, moment)),
    setAmount: (amount: string) => change(withAmount(ticket, amount, moment)),
    setTotal: (total: string) => change(withTotal(ticket, total, moment)),
    setPercent: (percent: number) => change(withPercent(ticket, percent, moment)),
    setBy: (by: Ticket['by']) => change({ ...afterPlacing(ticket), by }),
    setPostOnly: (postOnly: boolean) => change({ ...ticket, postOnly, timeInForce: 'GTC' }),
    setTimeInForce: (timeInForce: Ticket['timeInForce']) =>
      change({ ...ticket, timeInForce, postOnly: false }),
    submit,
  };
}

export type TicketControl = ReturnType<typeof useTicket>;

const FILLED = 2;
const PARTLY_FILLED = 1;
const CANCELLED = 3;
const PARTLY_CANCELLED = 4;

/** Says what became of the order in one sentence. */
function useTellPlaced({ pair }: TicketMoment) {
  const t = useWords('trade');
  const locale = useLocale();
  return (order: Order) => {
    const amount = formatDecimal(order.filledAmount, locale);
    const price = order.avgPrice === '' ? '' : formatPrice(order.avgPrice, locale, pair.priceDigits);
    if (order.status === FILLED) notify.success(t('filled', { amount, coin: pair.base, price }));
    else if (order.status === PARTLY_FILLED) notify.success(t('partlyFilled', { amount, coin: pair.base }));
    else if (order.status === PARTLY_CANCELLED)
      notify.warning(t('cancelledRest', { amount, coin: pair.base }));
    else if (order.status === CANCELLED) notify.warning(t('notFilled'));
    else notify.success(t('placed'));
  };
}
