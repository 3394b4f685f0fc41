import type { Side } from '@exchange/core/pair.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { serverNow } from '../clock.ts';
import { submissionOf } from '../form/keyed-submissions.ts';
import { submitShown } from '../form/use-keyed-submit.ts';
import { refusalText, useWords } from '../i18n/words.ts';
import type { MarketPair } from '../market/pair.ts';
import { notify } from '../notify.ts';
import { usePlaceOrder, type KeyedRequest } from './actions.ts';
import { distanceBeyondBest } from './distance-beyond-best.ts';
import { usePlacedSentence } from './order-words.ts';
import { withAmount, withPercent, withPostOnly } from './ticket-edits.ts';
import { payloadOf, type OrderPayload } from './ticket-payload.ts';
import { ticketProblem } from './ticket-problem.ts';
import { initialTicket, type Ticket, type TicketMarket } from './ticket.ts';
import type { FarTicket } from './use-ticket.ts';

/** Size of the orders that are placed by a click or a key at a price. */
export type ClickSize =
  /** Size by amount: `amount` in the base coin, as the user has typed it. */
  | { readonly by: 'amount'; readonly amount: string }
  /**
   * Size by share: `percent` is an integer percentage of the balance that is available at the time of the
   * click.
   */
  | { readonly by: 'share'; readonly percent: number };

/** The chosen size and options of orders that are placed by a click or a key at a price. */
export interface ClickOrder {
  readonly size: ClickSize;
  readonly postOnly: boolean;
}

const NONE: ReadonlySet<string> = new Set();

interface PricePlacing {
  /**
   * Places a limit order at a price, given as plain decimal text. An order that the page's checks refuse is
   * not sent; one whose price is at least 2 % beyond the best opposite price waits in `far` until the user
   * confirms it. The outcome is shown in a notification.
   */
  readonly placeAt: (side: Side, price: string) => void;
  /**
   * An order that the user must confirm, because its limit price is at least 2 % beyond the best opposite
   * price; undefined if there is none.
   */
  readonly far: FarTicket | undefined;
  /** Returns whether a request that places an order of the side at the price is running. */
  readonly isPlacing: (side: Side, price: string) => boolean;
}

/**
 * Places limit orders of a pair at the prices that the user picks. Requests at several prices can run at the same time;
 * requests of one side and price share an idempotency key until the server has answered, so that a repetition after a
 * missing response places no second order.
 */
export function usePricePlacing(market: TicketMarket, pair: MarketPair, chosen: ClickOrder): PricePlacing {
  const t = useWords('trade');
  const tShell = useWords('shell');
  const { mutateAsync: placeOrder } = usePlaceOrder();
  const sentenceOf = usePlacedSentence(pair);
  const [farTicket, setFarTicket] = useState<Ticket>();
  const [placing, setPlacing] = useState<ReadonlySet<string>>(NONE);

  const send = async (ticket: Ticket): Promise<void> => {
    const form = formOf(pair.symbol, ticket.side, ticket.price);
    if (submissionOf(form)?.isInProgress === true) {
      notify.warning(t('stillSending'));
      return;
    }
    setPlacing((before) => new Set([...before, form]));
    await submitShown(
      {
        form,
        title: `${t(ticket.side)} ${pair.base}/${pair.quote}`,
        send: ({ payload, clientId }: KeyedRequest<OrderPayload>) => placeOrder({ payload, clientId }),
        onAnswered: (placed) => {
          const { look, text } = sentenceOf(placed);
          notify[look](text);
        },
      },
      {
        intent: JSON.stringify(ticket),
        payloadOf: () => payloadOf({ ...ticket, type: 'limit' }, pair, serverNow()),
      },
      tShell('unanswered'),
    );
    setPlacing((before) => new Set([...before].filter((name) => name !== form)));
  };
  const placeNow = (side: Side, price: string): void => {
    const ticket = ticketAt(side, price, chosen, market);
    const problem = ticketProblem(ticket, market, serverNow());
    if (problem !== undefined) notify.error(refusalText(problem));
    else if (distanceBeyondBest(ticket, market) !== undefined) setFarTicket(ticket);
    else void send(ticket);
  };
  // `placeAt` is the same function at each render, so that rows with unchanged values do not render again.
  const latest = useRef(placeNow);
  useEffect(() => {
    latest.current = placeNow;
  });
  return {
    placeAt: useCallback((side, price) => latest.current(side, price), []),
    far: farTicket && {
      ticket: farTicket,
      place: () => {
        setFarTicket(undefined);
        void send(farTicket);
      },
      dismiss: () => setFarTicket(undefined),
    },
    isPlacing: (side, price) => placing.has(formOf(pair.symbol, side, price)),
  };
}

/**
 * Returns the limit order that a click at `price` places: the chosen size and post-only, good till cancelled.
 */
export function ticketAt(
  side: Side,
  price: string,
  { size, postOnly }: ClickOrder,
  market: TicketMarket,
): Ticket {
  const ticket = withPostOnly(initialTicket(side, 'limit', price), postOnly);
  return size.by === 'share'
    ? withPercent(ticket, size.percent, market)
    : withAmount(ticket, size.amount, market);
}

/**
 * Returns the form name under which the requests for orders of one pair, side and price are stored until the
 * server has answered, so that repetitions share an idempotency key.
 */
function formOf(symbol: string, side: Side, price: string): string {
  return `spot click ${symbol} ${side} ${price}`;
}
