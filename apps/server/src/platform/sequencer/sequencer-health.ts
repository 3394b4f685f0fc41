import type { CommitWait, CommitWaits } from '../database/commit-waits.ts';
import type { ProcessFigures } from '../cluster/processes.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Following } from './following.ts';
import type { Sequencer } from './sequencer.ts';

type WatchedSequencer = Pick<
  Sequencer,
  'isRunning' | 'isStandby' | 'queueLength' | 'haltedBecause' | 'following'
>;

/**
 * Returns the health of the sequencer. It is down while no steps are executed or commits wait for a standby.
 * Reasons are in words for operators.
 */
export async function sequencerHealth(
  sequencer: WatchedSequencer,
  waits: Pick<CommitWaits, 'poll' | 'latest'>,
): Promise<ComponentHealth> {
  const isBusy = !sequencer.isRunning || sequencer.queueLength > 0;
  const commitWait = isBusy ? await waits.poll() : waits.latest;
  const { isRunning, isStandby, haltedBecause, queueLength } = sequencer;
  const facts = { waiting: queueLength, ...standbyFacts(commitWait) };
  if (haltedBecause !== undefined)
    return { isUp: false, reason: `nothing is written: ${haltedBecause}`, facts };
  if (isStandby) {
    return {
      isUp: false,
      isStandby: true,
      reason: 'another server is the writer',
      facts: { ...facts, ...followingFacts(sequencer.following) },
    };
  }
  if (commitWait.reason !== undefined && isBusy) return { isUp: false, reason: commitWait.reason, facts };
  return { isUp: isRunning, facts };
}

/**
 * Returns figures for the operators' list of processes: the writer's epoch, or for a standby whether a
 * takeover finds its state loaded (`warm`) or why not, and how many steps its state is behind.
 */
export function writerFigures(
  sequencer: Pick<Sequencer, 'epoch' | 'isStandby' | 'following'>,
): ProcessFigures {
  const { epoch, isStandby, following } = sequencer;
  if (!isStandby || following === undefined) return { epoch: epoch?.toString() };
  const { isWarm, stepsBehind, reason = 'nothing is loaded' } = following;
  return {
    epoch: epoch?.toString(),
    takeover: isWarm ? 'warm' : `cold: ${reason}`,
    stepsBehind: isWarm ? stepsBehind : undefined,
  };
}

function followingFacts(following: Following | undefined): Record<string, string | number> {
  if (following === undefined) return {};
  const { isWarm, stepsBehind = 0, checkedMsAgo = 0, reason = '' } = following;
  return isWarm ? { takeover: 'warm', stepsBehind, checkedMsAgo } : { takeover: `cold: ${reason}` };
}

function standbyFacts({ standbys }: CommitWait): Record<string, string> {
  return Object.fromEntries([...standbys].map(([name, state]) => [`standby ${name}`, state]));
}
