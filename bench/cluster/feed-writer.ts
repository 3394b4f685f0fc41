/**
 * The writer's end of the live feed: publishes depth updates to feed nodes over NATS. The argument is the address of
 * the NATS server. Understands the messages `nodes` (answered with whether a feed node follows the topic), `start N` (N
 * updates per second) and `stop` (answered with the number of updates and the processor time in microseconds).
 */
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { NatsLink } from '../../apps/server/src/platform/cluster/nats-link.ts';
import { ClusterPublisher } from '../../apps/server/src/platform/cluster/publisher.ts';
import { FeedHub } from '../../apps/server/src/platform/feed/hub.ts';
import { jsonLog } from '../../apps/server/src/platform/log/json-log.ts';
import { Limits, NO_LIMITS } from '../../apps/server/src/platform/limits/limits.ts';
import { Metrics } from '../../apps/server/src/platform/metrics/metrics.ts';
import { depthNow, TOPIC } from '../feed/message.ts';

export interface WriterUsage {
  readonly updates: number;
  readonly cpuMicroseconds: number;
}

/**
 * Interval in milliseconds at which all due updates are published together. This resembles the exchange, in which a
 * batch of orders also changes several price levels at the same time.
 */
const TURN_MS = 10;

const log = jsonLog({ level: 'warn', clock: systemClock, write: (line) => process.stderr.write(line) });
const link = new NatsLink({ url: process.argv[2] ?? '', name: 'bench writer', log });
const metrics = new Metrics();
const publisher = new ClusterPublisher({ link, clock: systemClock, log, metrics });
const feed = new FeedHub({
  clock: systemClock,
  log,
  metrics,
  charges: new Limits(systemClock, NO_LIMITS),
  relay: publisher,
  proxyHeader: undefined,
  publicUrl: undefined,
});
feed.serve('depth', depthNow);
const noStreams = { join: () => false, leave: () => undefined };
publisher.start({
  sessions: { remembered: () => undefined, find: () => undefined, onSessionEnded: () => undefined },
  epoch: () => 1n,
  snapshot: () => depthNow(),
  sharedUsers: () => [],
  streams: { market: noStreams, users: noStreams },
});

let timer: NodeJS.Timeout | undefined;
let updates = 0;
let usageBefore = process.cpuUsage();

process.on('message', (command) => {
  const [action, argument] = String(command).split(' ');
  if (action === 'nodes') process.send?.(feed.hasListeners(TOPIC));
  else if (action === 'start') {
    start(Number(argument));
    process.send?.('started');
  } else {
    clearInterval(timer);
    const { user, system } = process.cpuUsage(usageBefore);
    const usage: WriterUsage = { updates, cpuMicroseconds: user + system };
    process.send?.(usage);
  }
});
process.once('SIGTERM', () => process.exit(0));
process.stdout.write('{}\n');

function start(perSecond: number): void {
  updates = 0;
  usageBefore = process.cpuUsage();
  const startMs = performance.now();
  timer = setInterval(() => {
    const dueUpdates = ((performance.now() - startMs) * perSecond) / 1_000;
    for (; updates < dueUpdates; updates += 1) feed.publish(TOPIC, depthNow());
  }, TURN_MS);
}
