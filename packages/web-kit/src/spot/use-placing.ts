import type { Side } from '@exchange/core/pair.ts';
import { useKeyedSubmit, type Unanswered } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useCreateOco, usePlaceOrder, type KeyedRequest } from './actions.ts';
import { usePlacedSentence } from './order-words.ts';
import type { Order, PlacedOco } from './shapes.ts';
import {
  isOrderTicket,
  ocoPayloadOf,
  payloadOf,
  type OcoPayload,
  type OrderPayload,
} from './ticket-payload.ts';
import type { Ticket, TicketPair } from './ticket.ts';

type Placement =
  | { readonly kind: 'order'; readonly payload: OrderPayload }
  | { readonly kind: 'oco'; readonly payload: OcoPayload };

interface Placing {
  /** Places the order of a ticket at the time `now` (milliseconds UTC). Resolves to whether the order was placed. */
  readonly place: (ticket: Ticket, now: number) => Promise<boolean>;
  readonly isPlacing: boolean;
  readonly unanswered: Unanswered | undefined;
}

/**
 * Places orders of one pair and side idempotently: when the user presses the button again after a missing response, the
 * same order is sent again with the same expiry and idempotency key. The outcome is shown in a notification; `onPlaced`
 * is called with the ticket whose order was placed.
 */
export function usePlacing(pair: TicketPair, side: Side, onPlaced: (ticket: Ticket) => void): Placing {
  const order = usePlaceOrder();
  const oco = useCreateOco();
  const sentenceOf = usePlacedSentence(pair);
  const t = useWords('trade');
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: `spot order ${pair.symbol} ${side}`,
    title: `${t(side)} ${pair.base}/${pair.quote}`,
    send: ({ payload: placement, clientId }: KeyedRequest<Placement>): Promise<Order | PlacedOco> => {
      const { kind, payload } = placement;
      return kind === 'order'
        ? order.mutateAsync({ payload, clientId })
        : oco.mutateAsync({ payload, clientId });
    },
    onAnswered: (placed) => {
      const { look, text } = sentenceOf(placed);
      notify[look](text);
    },
    onDone: (intent) => onPlaced(JSON.parse(intent) as Ticket),
  });
  return {
    place: (ticket, now) => submit(JSON.stringify(ticket), () => placementOf(ticket, pair, now)),
    isPlacing: isBusy,
    unanswered,
  };
}

function placementOf(ticket: Ticket, pair: TicketPair, now: number): Placement {
  return isOrderTicket(ticket)
    ? { kind: 'order', payload: payloadOf(ticket, pair, now) }
    : { kind: 'oco', payload: ocoPayloadOf(ticket, pair) };
}
