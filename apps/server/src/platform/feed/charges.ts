import type { Charge } from '@exchange/wire/endpoint.ts';
import { isPrivateTopic } from '@exchange/wire/feed.ts';

/** A token that memory does not know is looked up in the database. */
export const SIGN_IN: Charge = { limit: 'publicRead', weight: 5 };

/** As the call that gives the same list. */
const HEAVY_TOPICS: Readonly<Record<string, number>> = { tickers: 2 };

/**
 * What subscribing costs: a snapshot each, whether or not there is such a topic. What is public is charged to
 * the address, what is a signed-in user's own to the user.
 */
export function chargesOf(topics: readonly string[], isSignedIn: boolean): readonly Charge[] {
  const own = isSignedIn ? topics.filter(isPrivateTopic).length : 0;
  const weights = topics.map((topic) => HEAVY_TOPICS[topic] ?? 1);
  const open = weights.reduce((sum, weight) => sum + weight, 0) - own;
  const charges: Charge[] = [];
  if (open > 0) charges.push({ limit: 'publicRead', weight: open });
  if (own > 0) charges.push({ limit: 'signedInRead', weight: own });
  return charges;
}
