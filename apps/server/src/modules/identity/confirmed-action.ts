import { actText } from '@exchange/core/canonical.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { ActionName } from './words/shape.ts';

/** A request that a mailed code or a passkey confirms, with those of its fields that identify it. */
export interface ConfirmedAction {
  readonly endpoint: Endpoint;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Name and parameters of the text with which the mail describes the request that its code confirms. */
export interface ActionWords {
  readonly name: ActionName;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The text that a mailed code or a passkey's challenge is bound to: the path of the endpoint and the fields that
 * identify the request.
 */
export function boundTo({ endpoint, fields }: ConfirmedAction): string {
  return actText(endpoint.path, endpoint.access.mailCodeBinds ?? [], fields);
}
