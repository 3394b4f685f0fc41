import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { ServedCall } from './identified-call.ts';
import { servedRoutes } from './registration.ts';
import type { Route } from './route.ts';
import { servedHere, type EdgeParts } from './serve-route.ts';

export interface ServedCallsOptions extends EdgeParts {
  readonly mode: 'demo' | 'live';
  readonly endpoints: readonly Endpoint[];
  readonly routes: readonly Route[];
}

/**
 * Returns the endpoints that use cases in this process serve in a mode, demo or live. Throws if routes and
 * endpoints do not match (see `servedRoutes`).
 */
export function servedCalls(options: ServedCallsOptions): readonly ServedCall[] {
  return servedRoutes(options.routes, options.endpoints, options.mode, options.demands).map((route) =>
    servedHere(route, options),
  );
}
