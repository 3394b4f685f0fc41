import type { Endpoint } from './endpoint.ts';
import * as user from './user.ts';
import * as withdrawal from './withdrawal.ts';

const DESCRIBED: readonly unknown[] = [...Object.values(user), ...Object.values(withdrawal)];

/** The calls that take a mailed code, by path. A code is mailed for one of them with its fields, and confirms no other. */
export const ACTS: ReadonlyMap<string, Endpoint> = new Map(
  DESCRIBED.filter(isEndpoint)
    .filter(({ access }) => access.mailCode !== undefined)
    .map((act) => [act.path, act]),
);

/**
 * What the access row of a call that guards an account lacks, or `undefined`. A call for signed-in users demands a mailed
 * code, or says why a session alone is enough. The trade password alone is not enough: it is six digits that are typed at
 * every order of a day, and no mail reaches the owner.
 */
export function confirmationProblem({ access }: Pick<Endpoint, 'access'>): string | undefined {
  if (access.who === 'anyone') return undefined;
  const { mailCode, tradePassword, sessionAlone } = access;
  if (mailCode !== undefined)
    return sessionAlone === undefined ? undefined : 'demands a mailed code and says that a session is enough';
  if (tradePassword === true) return 'demands the trade password without a mailed code';
  return sessionAlone === undefined ? 'does not say what confirms it' : undefined;
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}
