import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { call, type CallFields, onceMore } from '../api/client.ts';
import { askForBalances } from '../balance/live-balances.ts';
import type { Attempt } from '../form/keyed-attempts.ts';

/** A deed under its own key: the same attempt sent again is the same deed. Whatever comes of it, what is shown is asked anew. */
export function keyed<E extends Endpoint>(endpoint: E, ask: () => void) {
  return async ({ payload, clientId }: Attempt<CallFields<E>>): Promise<DataOf<E>> => {
    try {
      return await onceMore((timeoutMs) => call(endpoint, payload, { clientId, timeoutMs }));
    } finally {
      ask();
      askForBalances();
    }
  };
}
