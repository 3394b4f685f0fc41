/**
 * A feed node's end of the live feed: follows the depth of a pair over NATS and counts its updates. The arguments are
 * the address of the NATS server and the name of the node. Prints `{}` when the snapshot has arrived, and answers every
 * message with the number of received updates.
 */
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { ClusterFollower } from '../../apps/server/src/platform/cluster/follower.ts';
import { NatsLink } from '../../apps/server/src/platform/cluster/nats-link.ts';
import { jsonLog } from '../../apps/server/src/platform/log/json-log.ts';
import { Metrics } from '../../apps/server/src/platform/metrics/metrics.ts';
import { TOPIC } from '../feed/message.ts';

const [url = '', name = ''] = process.argv.slice(2);
const log = jsonLog({ level: 'warn', clock: systemClock, write: (line) => process.stderr.write(line) });
const follower = new ClusterFollower({
  link: new NatsLink({ url, name: `bench ${name}`, log }),
  name,
  clock: systemClock,
  log,
  metrics: new Metrics(),
  sessionEnded: () => undefined,
  userShared: () => undefined,
});
let received = 0;
let isInstalled = false;
follower.open(TOPIC, undefined, {
  install: () => {
    if (!isInstalled) process.stdout.write('{}\n');
    isInstalled = true;
  },
  update: () => {
    received += 1;
  },
  invalidate: () => undefined,
  end: (reason) => {
    throw new Error(`the topic has ended: ${reason}`);
  },
});
process.on('message', () => process.send?.(received));
process.once('SIGTERM', () => process.exit(0));
