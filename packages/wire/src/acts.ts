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

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}
