import { actText } from '@exchange/core/canonical.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { ActionName } from './words/shape.ts';

/** A request that a mailed code confirms, with the fields that identify it. */
export interface ConfirmedAction {
  readonly endpoint: Endpoint;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Name and parameters of a request in the mail with its code. */
export interface ActionWords {
  readonly name: ActionName;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The text that a mailed code is bound to: the endpoint and the fields that identify the request.
 */
export function boundTo({ endpoint, fields }: ConfirmedAction): string {
  return actText(endpoint.path, endpoint.access.mailCodeBinds ?? [], fields);
}
