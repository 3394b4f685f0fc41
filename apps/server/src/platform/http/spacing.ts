import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { Limits } from '../limits/limits.ts';

/** A request as spacing knows it: whose, and under which key. */
export interface SpacedRequest {
  readonly userId: string;
  readonly key: string | undefined;
}

const KEYS_MOST = 10_000;

/**
 * Keeps the requests of a user apart, as its call's description says: each is charged before its fields are looked at, and
 * stays charged where it is refused. What is being served or was, sent again under its key, is the same request and costs
 * nothing: whoever has lost an answer gets it, and not a wait. Undefined for a call without.
 */
export function behindSpacing(
  { spacing }: Endpoint,
  limits: Limits,
): ((request: SpacedRequest, serve: () => unknown) => Promise<unknown>) | undefined {
  if (spacing === undefined) return undefined;
  const { charge, told } = spacing;
  /** The oldest first. */
  const known = new Set<string>();
  return async ({ userId, key }, serve) => {
    const name = key === undefined ? undefined : `${userId} ${key}`;
    if (name !== undefined && known.has(name)) return serve();
    const seconds = limits.charge(charge, { addressGroup: '', userId });
    if (seconds > 0) {
      const about = { limit: String(limits.secondsOf(charge)), seconds: String(seconds) };
      throw new Refused(refusal('rateLimited', told, about));
    }
    if (name === undefined) return serve();
    known.add(name);
    const [oldest] = known;
    if (known.size > KEYS_MOST && oldest !== undefined) known.delete(oldest);
    try {
      return await serve();
    } catch (thrown) {
      // Nothing was done under it: the next one is a request like any other.
      if (thrown instanceof Refused) known.delete(name);
      throw thrown;
    }
  };
}
