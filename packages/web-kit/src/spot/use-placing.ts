import { useRef } from 'react';
import { CallFailed, CallRefused } from '../api/call-error.ts';
import { notify } from '../notify.ts';
import { useCreateOco, usePlaceOrder, type Keyed } from './actions.ts';
import { usePlacedSentence } from './placed-sentence.ts';
import {
  isOrderTicket,
  ocoPayloadOf,
  payloadOf,
  type OcoPayload,
  type OrderPayload,
} from './ticket-payload.ts';
import type { Ticket, TicketPair } from './ticket.ts';

type Attempt = { readonly text: string } & (
  ({ readonly kind: 'order' } & Keyed<OrderPayload>) | ({ readonly kind: 'oco' } & Keyed<OcoPayload>)
);

/**
 * Places tickets so that pressing again after a lost answer repeats the very same order, expiry and key
 * included, instead of adding one. What became of it is told in a notice.
 */
export function usePlacing(pair: TicketPair) {
  const order = usePlaceOrder();
  const oco = useCreateOco();
  const sentenceOf = usePlacedSentence(pair);
  const unanswered = useRef<Attempt | undefined>(undefined);
  // A second press may come before the button could be drawn busy.
  const isUnderWay = useRef(false);

  const place = async (ticket: Ticket, now: number): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    const attempt = attemptFor(ticket, pair, now, unanswered.current, () => crypto.randomUUID());
    try {
      const placed =
        attempt.kind === 'order' ? await order.mutateAsync(attempt) : await oco.mutateAsync(attempt);
      unanswered.current = undefined;
      const { look, text } = sentenceOf(placed);
      notify[look](text);
      return true;
    } catch (error) {
      // Reason: refused, or no answer came. Without an answer the attempt is kept, so pressing again places it once.
      if (error instanceof CallFailed) unanswered.current = attempt;
      else if (error instanceof CallRefused) unanswered.current = undefined;
      else throw error;
      notify.failure(error);
      return false;
    } finally {
      isUnderWay.current = false;
    }
  };
  return { place, isPlacing: order.isPending || oco.isPending };
}

/** The attempt to send: the unanswered one where the ticket is still the same, else a new one with a key of its own. */
export function attemptFor(
  ticket: Ticket,
  pair: TicketPair,
  now: number,
  unanswered: Attempt | undefined,
  newKey: () => string,
): Attempt {
  const text = JSON.stringify([pair.symbol, ticket]);
  if (unanswered?.text === text) return unanswered;
  const clientId = newKey();
  return isOrderTicket(ticket)
    ? { text, clientId, kind: 'order', payload: payloadOf(ticket, pair, now) }
    : { text, clientId, kind: 'oco', payload: ocoPayloadOf(ticket, pair) };
}
