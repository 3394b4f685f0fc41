import { actText } from '@exchange/core/canonical.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { ActName } from './words/shape.ts';

/** A call that a code is mailed for, with the values of the fields that say what is done. */
export interface Act {
  readonly endpoint: Endpoint;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What the mail says that its code confirms. */
export interface ActWords {
  readonly name: ActName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What the code of a call is bound to, as one text: the call and those of its fields that say what is done. */
export function boundTo({ endpoint, fields }: Act): string {
  return actText(endpoint.path, endpoint.access.mailCodeBinds ?? [], fields);
}
