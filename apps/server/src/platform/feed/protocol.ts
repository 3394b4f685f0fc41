import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import type { Charge } from '@exchange/wire/endpoint.ts';
import { clientMessage, FEED_LIMITS, isPrivateTopic, type ClientMessage } from '@exchange/wire/feed.ts';
import { refusalText } from '../refusal-text.ts';
import type { Connection } from './connection.ts';

export const UNFIT = refusal('invalidField', 'l.field_invalid', { field: 'message' });
export const FAILED = refusal('generic', 'l.error');
export const SESSION_ENDED = refusal('sessionEnded', 'l.session_ended');

/** Maximum number of characters of an unknown topic that the refusal repeats. */
const TOPIC_SHOWN = 60;

export function unknownTopic(topic: string): Refusal {
  return refusal('invalidField', 'l.topic_unknown', { field: 'topics', value: topic.slice(0, TOPIC_SHOWN) });
}

/**
 * Returns the refusal of a subscription to too many topics. `count` is the number of topics in the request,
 * or the number that the connection would have with another topic.
 */
export function tooManyTopics(count: number): Refusal {
  const parameters = { field: 'topics', limit: String(FEED_LIMITS.topics), value: String(count) };
  return refusal('aboveMaximum', 'l.topics_max', parameters);
}

/**
 * Returns the refusal of a sign-in on too many connections. `limit` is the maximum number of a user's
 * signed-in connections.
 */
export function tooManyConnections(limit: number): Refusal {
  return refusal('aboveMaximum', 'l.connections_max', { limit: String(limit), value: String(limit + 1) });
}

export function tooFrequent(waitMs: number): Refusal {
  return refusal('rateLimited', 'l.rate_limited', { seconds: String(Math.ceil(waitMs / 1_000)) });
}

/** Sends a refusal to a client, in its language. */
export function refuse(connection: Connection, reason: Refusal, topic?: string): void {
  const msg = refusalText(connection.locale, reason);
  connection.send({
    op: 'refused',
    code: REFUSAL_CODES[reason.kind],
    msg,
    errKey: reason.key,
    data: reason.parameters,
    ...(topic === undefined ? {} : { topic }),
  });
}

/** Parses a message of a client; undefined if the message is invalid. */
export function parsed(text: string): ClientMessage | undefined {
  try {
    const checked = clientMessage.safeParse(JSON.parse(text));
    return checked.success ? checked.data : undefined;
  } catch {
    // A text that is not JSON is an invalid message.
    return undefined;
  }
}

/** Rate-limit cost of a sign-in whose session is not cached and must be looked up in the database. */
export const SIGN_IN: Charge = { limit: 'publicRead', weight: 5 };

/** Rate-limit weights of feed topics whose snapshot costs more than usual. Other topics have weight 1. */
const HEAVY_TOPICS: ReadonlyMap<string, number> = new Map([['tickers', 2]]);

/**
 * Returns the rate-limit costs of subscribing to topics, each of which sends a snapshot. Private topics of a
 * signed-in connection are charged to the user, all other topics to the address group.
 */
export function chargesOf(topics: readonly string[], isSignedIn: boolean): readonly Charge[] {
  const privateTopics = isSignedIn ? topics.filter(isPrivateTopic).length : 0;
  const weights = topics.map((topic) => HEAVY_TOPICS.get(topic) ?? 1);
  const publicWeight = weights.reduce((sum, weight) => sum + weight, 0) - privateTopics;
  const charges: Charge[] = [];
  if (publicWeight > 0) charges.push({ limit: 'publicRead', weight: publicWeight });
  if (privateTopics > 0) charges.push({ limit: 'signedInRead', weight: privateTopics });
  return charges;
}
