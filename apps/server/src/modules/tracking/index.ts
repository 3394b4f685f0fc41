import type { Route } from '../../platform/http/route.ts';
import { trackingRoutes } from './routes.ts';
import { Tracking, type TrackingParts } from './service.ts';

/**
 * Builds the module tracking, which serves the progress of a user's deposits and withdrawals, and support
 * requests about a single transfer.
 */
export function createTracking(parts: TrackingParts): {
  readonly name: 'tracking';
  readonly routes: readonly Route[];
} {
  return { name: 'tracking', routes: trackingRoutes(new Tracking(parts), () => parts.clock.now()) };
}
