import type { CommitWait, CommitWaits } from '../database/commit-waits.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Sequencer } from './sequencer.ts';

type Watched = Pick<Sequencer, 'isRunning' | 'isStandby' | 'queueLength' | 'haltedBecause'>;

/** How the writer is: what it waits for, and why it takes no steps, in words for operators. */
export async function sequencerHealth(
  sequencer: Watched,
  waits: Pick<CommitWaits, 'look' | 'latest'>,
): Promise<ComponentHealth> {
  const isBusy = !sequencer.isRunning || sequencer.queueLength > 0;
  const found = isBusy ? await waits.look() : waits.latest;
  const { isRunning, isStandby, haltedBecause, queueLength } = sequencer;
  const facts = { waiting: queueLength, ...standbyFacts(found) };
  if (haltedBecause !== undefined)
    return { isUp: false, reason: `nothing is written: ${haltedBecause}`, facts };
  if (isStandby) return { isUp: false, isStandby: true, reason: 'another server is the writer', facts };
  if (found.reason !== undefined && isBusy) return { isUp: false, reason: found.reason, facts };
  return { isUp: isRunning, facts };
}

function standbyFacts({ standbys }: CommitWait): Record<string, string> {
  return Object.fromEntries([...standbys].map(([name, standing]) => [`standby ${name}`, standing]));
}
