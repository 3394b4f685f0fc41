import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import { clientMessage, type ClientMessage } from '@exchange/wire/feed.ts';
import { fillWords } from '@exchange/core/locale.ts';
import { REFUSAL_WORDS } from '@exchange/wire/words/refusals.ts';
import type { Connection } from './connection.ts';

export const UNFIT = refusal('invalidField', 'l.field_invalid', { field: 'message' });
export const NOT_FOUND = refusal('generic', 'l.not_found');
export const FAILED = refusal('generic', 'l.error');

/** Tells a reader what was refused, in its language. */
export function refuse(connection: Connection, reason: Refusal, topic?: string): void {
  const msg = fillWords(REFUSAL_WORDS[connection.locale][reason.key], reason.parameters);
  connection.tell({
    op: 'refused',
    code: REFUSAL_CODES[reason.kind],
    msg,
    ...(topic === undefined ? {} : { topic }),
  });
}

/** A reader's message; undefined for anything that is none of the protocol's. */
export function parsed(text: string): ClientMessage | undefined {
  try {
    const checked = clientMessage.safeParse(JSON.parse(text));
    return checked.success ? checked.data : undefined;
  } catch {
    // Not JSON: as unfit as any other message that is none of ours.
    return undefined;
  }
}
