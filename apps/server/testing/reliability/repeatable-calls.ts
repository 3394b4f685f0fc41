import { claimFaucet } from '@exchange/wire/account.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import * as spot from '@exchange/wire/spot.ts';
import { addAlert, removeAlert } from '@exchange/wire/watchlist.ts';

/**
 * The endpoint of each kind of request that changes data and that a client retries if it receives no
 * response.
 */
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

/** A request that must take effect once, however many copies of it are sent. */
export interface IntendedRequest {
  readonly kind: CallKind;
  /** Index of the user account that sends the request. */
  readonly owner: number;
  /**
   * The request id (idempotency key). Requests that cancel a single order or remove an alert are sent without it,
   * because they can take effect only once anyway.
   */
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Other field values. The server must refuse a request that has these values and the same request id. */
  readonly other?: Readonly<Record<string, string>>;
  /** The request that created the order or alert which this request changes; undefined if it changes none. */
  readonly target?: IntendedRequest;
}

/**
 * Returns the fields to send. `id` is the target's id, undefined if there is no target or its creation was
 * refused.
 */
export function fieldsToSend(
  { kind, key, fields, target }: IntendedRequest,
  id: string | undefined,
): Readonly<Record<string, string>> {
  return {
    ...fields,
    ...(REPEATABLE_CALLS[kind].idempotent ? { clientId: key } : {}),
    ...(target === undefined || id === undefined ? {} : { id }),
  };
}
