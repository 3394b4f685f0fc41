import type { AppModule } from '../../platform/app-module.ts';
import type { Events } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { PushTransport } from '../../platform/outgoing/push-transport.ts';
import type { Messages } from '../messages/index.ts';
import { publicTransport, pushRepository, removeWithSessions } from './assembly.ts';
import { pushRoutes } from './routes.ts';
import { PushSender } from './sender.ts';
import { Push, SEND_JOB, type PushParts } from './service.ts';

export interface PushDeps extends Omit<PushParts, 'messages' | 'repository'> {
  readonly log: Log;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly messages: Messages;
  /** Contact of the exchange that push services receive with each push, a `https:` or `mailto:` URL. */
  readonly contact: string;
  /** The transport to push services; by default HTTPS to public addresses. */
  readonly transport?: PushTransport | undefined;
}

/**
 * push: messages on devices, also while no page is open. A push wakes the device's service worker, which reads the text
 * from this server, so push services never see a text. A device receives pushes until its session ends.
 */
export function createPush(
  deps: PushDeps,
): AppModule & { readonly push: Push; sendTo(device: string): Promise<void> } {
  const { events, jobs, log, messages, metrics } = deps;
  const repository = pushRepository(deps.database);
  const push = new Push({ ...deps, repository });
  const transport = deps.transport ?? publicTransport();
  const sender = new PushSender({
    ...deps,
    repository,
    push,
    transport,
    sent: metrics.counter('push_sent_total', 'Pushes that push services accepted'),
    failed: metrics.counter('push_failed_total', 'Attempts to push that failed or were refused'),
  });
  const sendTo = (device: string) => sender.send(device);
  const runJob = (payload: unknown) => sendTo((payload as { device: string }).device);
  jobs.define(SEND_JOB, runJob, undefined, 'outside');
  jobs.define('push.cleanUp', () => repository.cleanUp(deps.clock.now()), { cron: '29 * * * *' });
  messages.pushBy(push);
  removeWithSessions(events, repository, log);
  return {
    name: 'push',
    routes: pushRoutes(push),
    push,
    sendTo,
    stop: () => transport.close(),
  };
}
