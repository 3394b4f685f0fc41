import type { Foundation, Platform } from './app.ts';
import { namesOf } from './platform/edge.ts';
import { Events } from './platform/events.ts';
import { FeedHub } from './platform/feed/hub.ts';
import { LIMITS, Limits } from './platform/limits/limits.ts';
import { StartTimeline } from './platform/start-timeline.ts';

/**
 * Creates the services that modules receive in a process in which none of them is started. Its feed has no connections,
 * and its rate limits apply to nobody.
 */
export function unstartedPlatform(
  { config, clock, log, end }: Pick<Foundation, 'config' | 'clock' | 'log' | 'end'>,
  { database, health, metrics }: Pick<Platform, 'database' | 'health' | 'metrics'>,
): Platform {
  const limitCounters = new Limits(clock, LIMITS);
  return {
    config,
    clock,
    log,
    end,
    database,
    health,
    metrics,
    limits: LIMITS,
    limitCounters,
    events: new Events(log),
    timeline: new StartTimeline(clock),
    feed: new FeedHub({
      clock,
      log,
      metrics,
      charges: limitCounters,
      ...namesOf(config),
      proxyHeader: config.proxyHeader,
      publicUrl: config.publicUrl,
    }),
  };
}
