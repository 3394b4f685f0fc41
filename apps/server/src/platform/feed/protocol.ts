import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import type { Charge } from '@exchange/wire/endpoint.ts';
import { clientMessage, FEED_LIMITS, isPrivateTopic, type ClientMessage } from '@exchange/wire/feed.ts';
import { fillWords } from '@exchange/core/locale.ts';
import { REFUSAL_WORDS } from '@exchange/wire/words/refusals.ts';
import type { Connection } from './connection.ts';

export const UNFIT = refusal('invalidField', 'l.field_invalid', { field: 'message' });
export const FAILED = refusal('generic', 'l.error');
export const SESSION_ENDED = refusal('sessionEnded', 'l.session_ended');

/** As much of an unknown topic as is repeated in the sentence about it. */
const TOPIC_SHOWN = 60;

export function unknownTopic(topic: string): Refusal {
  return refusal('invalidField', 'l.topic_unknown', { field: 'topics', value: topic.slice(0, TOPIC_SHOWN) });
}

/** `count` is how many topics the connection would follow. */
export function tooManyTopics(count: number): Refusal {
  const parameters = { field: 'topics', limit: String(FEED_LIMITS.topics), value: String(count) };
  return refusal('aboveMaximum', 'l.topics_max', parameters);
}

/** `limit` is how many connections of one user may be signed in. */
export function tooManyConnections(limit: number): Refusal {
  return refusal('aboveMaximum', 'l.connections_max', { limit: String(limit), value: String(limit + 1) });
}

export function tooFrequent(waitMs: number): Refusal {
  return refusal('rateLimited', 'l.rate_limited', { seconds: String(Math.ceil(waitMs / 1_000)) });
}

/** Tells a reader what was refused, in its language. */
export function refuse(connection: Connection, reason: Refusal, topic?: string): void {
  const msg = fillWords(REFUSAL_WORDS[connection.locale][reason.key], reason.parameters, connection.locale);
  connection.send({
    op: 'refused',
    code: REFUSAL_CODES[reason.kind],
    msg,
    errKey: reason.key,
    data: reason.parameters,
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

/** A token that memory does not know is looked up in the database. */
export const SIGN_IN: Charge = { limit: 'publicRead', weight: 5 };

/** As the call that gives the same list. */
const HEAVY_TOPICS: ReadonlyMap<string, number> = new Map([['tickers', 2]]);

/**
 * What subscribing to topics that exist costs: a snapshot each. What is public is charged to the address, what is a
 * signed-in user's own to the user.
 */
export function chargesOf(topics: readonly string[], isSignedIn: boolean): readonly Charge[] {
  const own = isSignedIn ? topics.filter(isPrivateTopic).length : 0;
  const weights = topics.map((topic) => HEAVY_TOPICS.get(topic) ?? 1);
  const open = weights.reduce((sum, weight) => sum + weight, 0) - own;
  const charges: Charge[] = [];
  if (open > 0) charges.push({ limit: 'publicRead', weight: open });
  if (own > 0) charges.push({ limit: 'signedInRead', weight: own });
  return charges;
}
