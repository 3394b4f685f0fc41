import { confirmationProblem } from '@exchange/wire/confirmed-endpoints.ts';
import { GUARDED } from '@exchange/wire/catalogue.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { demandProblems, type DemandEnforcer } from './demands.ts';
import type { Route } from './route.ts';

/**
 * Returns the routes that are served in a mode, demo or live. In live mode, endpoints for demos only are left out.
 * Throws an error that lists all problems, e.g. an endpoint without a route, a duplicate route, or a requirement that
 * no enforcer checks.
 */
export function servedRoutes(
  routes: readonly Route[],
  endpoints: readonly Endpoint[],
  mode: 'demo' | 'live',
  demands: readonly DemandEnforcer[],
): readonly Route[] {
  const problems = [...routeProblems(routes, endpoints, demands), ...missingRoutes(routes, endpoints, mode)];
  if (problems.length > 0) throw new Error(`the routes are not complete: ${problems.join('; ')}`);
  return routes.filter(({ endpoint }) => isServed(endpoint, mode));
}

export function isServed(endpoint: Endpoint, mode: 'demo' | 'live'): boolean {
  return mode === 'demo' || endpoint.access.demoOnly !== true;
}

function routeProblems(
  routes: readonly Route[],
  endpoints: readonly Endpoint[],
  demands: readonly DemandEnforcer[],
): string[] {
  const described = new Set(endpoints);
  const names = new Set<string>();
  return routes.flatMap(({ endpoint, once }) => {
    const name = `${endpoint.method} ${endpoint.path}`;
    const problems = [];
    if (!hasAccessRow(endpoint)) problems.push(`${name} has no access row`);
    else problems.push(...demandProblems(endpoint, demands).map((problem) => `${name} ${problem}`));
    const unconfirmed = GUARDED.has(endpoint) ? confirmationProblem(endpoint) : undefined;
    if (unconfirmed !== undefined) problems.push(`${name} ${unconfirmed}`);
    if (!described.has(endpoint)) problems.push(`${name} is not in the catalogue of calls`);
    if (endpoint.idempotent !== (once !== undefined))
      problems.push(
        `${name} ${endpoint.idempotent ? 'honours a key and stores no' : 'stores a'} first answer`,
      );
    if (names.has(name)) problems.push(`${name} has two routes`);
    names.add(name);
    return problems;
  });
}

function missingRoutes(
  routes: readonly Route[],
  endpoints: readonly Endpoint[],
  mode: 'demo' | 'live',
): readonly string[] {
  const routed = new Set(routes.map((route) => route.endpoint));
  return endpoints
    .filter((endpoint) => isServed(endpoint, mode) && !routed.has(endpoint))
    .map((endpoint) => `${endpoint.method} ${endpoint.path} has no route`);
}

/** Returns whether an endpoint has an access description. The types require it, but a cast could bypass them. */
function hasAccessRow({ access }: Endpoint): boolean {
  const row = access as Endpoint['access'] | undefined;
  return row?.who === 'anyone' || row?.who === 'user';
}
