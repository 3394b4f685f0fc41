import { claimFaucet } from '@exchange/wire/account.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import * as spot from '@exchange/wire/spot.ts';
import { addAlert, removeAlert } from '@exchange/wire/watchlist.ts';

/** Every kind of call that changes something and that a client makes again when it got no answer. */
export const REPEATABLE_CALLS = {
  limit: spot.createOrder,
  market: spot.createOrder,
  stop: spot.createOrder,
  oco: spot.createOco,
  amendment: spot.amendOrder,
  cancel: spot.cancelOrder,
  cancelAll: spot.cancelAllOrders,
  alert: addAlert,
  alertRemoval: removeAlert,
  claim: claimFaucet,
} as const satisfies Readonly<Record<string, Endpoint>>;

export type CallKind = keyof typeof REPEATABLE_CALLS;

/** A call that somebody means to make once, however often it is sent. */
export interface Intent {
  readonly kind: CallKind;
  /** Which of the accounts, by number. */
  readonly owner: number;
  /** The request id. Cancels and removals have none: they name what they end. */
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Another input, with which the same request id has to be refused. */
  readonly other?: Readonly<Record<string, string>>;
  /** What makes the order or alert that this one changes. */
  readonly target?: Intent;
}

/** The fields as they are sent; `id` is that of the target. */
export function fieldsToSend(
  { kind, key, fields, target }: Intent,
  id: string | undefined,
): Readonly<Record<string, string>> {
  return {
    ...fields,
    ...(REPEATABLE_CALLS[kind].idempotent ? { clientId: key } : {}),
    ...(target === undefined || id === undefined ? {} : { id }),
  };
}
