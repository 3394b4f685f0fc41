import { buyFinance, withdrawFinance } from '@exchange/wire/finance.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { call, type CallFields, onceMore } from '../api/client.ts';
import { askForBalances } from '../balance/live-balances.ts';
import type { Attempt } from '../form/keyed-attempts.ts';
import { askForFinance } from './live.ts';

export type PurchasePayload = CallFields<typeof buyFinance>;
export type Bought = DataOf<typeof buyFinance>;

/** Buys a product; the same attempt sent again is the same purchase. */
export function buy({ payload, clientId }: Attempt<PurchasePayload>): Promise<Bought> {
  return asked(onceMore((timeoutMs) => call(buyFinance, payload, { clientId, timeoutMs })));
}

/** Moves a matured order that waits to the coin account. */
export function withdraw({ payload, clientId }: Attempt<{ readonly id: string }>) {
  return asked(onceMore((timeoutMs) => call(withdrawFinance, payload, { clientId, timeoutMs })));
}

async function asked<Answer>(deed: Promise<Answer>): Promise<Answer> {
  try {
    return await deed;
  } finally {
    askForFinance();
    askForBalances();
  }
}
