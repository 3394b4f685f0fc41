import * as apiKey from './api-key.ts';
import { isEndpoint, type Endpoint } from './endpoint.ts';
import * as user from './user.ts';
import * as withdrawal from './withdrawal.ts';

const DESCRIBED: readonly unknown[] = [
  ...Object.values(user),
  ...Object.values(apiKey),
  ...Object.values(withdrawal),
];

/**
 * Endpoints whose requests require an email code, by path. An email code is bound to one endpoint and to the values of
 * the request fields in its `mailCodeBinds`.
 */
export const CONFIRMED_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  DESCRIBED.filter(isEndpoint)
    .filter(({ access }) => access.mailCode !== undefined)
    .map((endpoint) => [endpoint.path, endpoint]),
);

/**
 * Returns why the access rules of a guarded endpoint are insufficient; undefined if they are sufficient. An endpoint
 * for signed-in users must require an email code, or give a reason why a session is enough, but not both. Requiring
 * only the trade password is insufficient: users type its six digits for every purchase of a product, and its use sends
 * no mail.
 */
export function confirmationProblem({ access }: Pick<Endpoint, 'access'>): string | undefined {
  if (access.who === 'anyone') return undefined;
  const { mailCode, tradePassword, sessionAlone } = access;
  if (mailCode !== undefined)
    return sessionAlone === undefined ? undefined : 'demands a mailed code and says that a session is enough';
  if (tradePassword === true) return 'demands the trade password without a mailed code';
  return sessionAlone === undefined ? 'does not say what confirms it' : undefined;
}
