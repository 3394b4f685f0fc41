import type { SeededRandom } from '../seeded-random.ts';
import { DISTURBANCES, type Disturbance } from './disturbances.ts';
import type { Intent } from './repeatable-calls.ts';
import { drawIntents, type Prices } from './wave-draws.ts';

/** A call that is sent now, more than once where there are copies: all in the same turn, so that a batch gets them together. */
export interface Sending {
  readonly intent: Intent;
  readonly copies: number;
}

/** What happens to the server once this share of the wave's calls has been answered. */
export interface PlannedDisturbance {
  readonly kind: Disturbance;
  readonly afterShare: number;
}

/** Many calls of many accounts, each sent one to five times in any order, and what is done to the server meanwhile. */
export interface Wave {
  readonly intents: readonly Intent[];
  /** By account, in the order in which they are sent. */
  readonly queues: readonly (readonly Sending[])[];
  readonly disturbances: readonly PlannedDisturbance[];
}

export interface WaveDemand {
  /** From 0. */
  readonly wave: number;
  /** The request ids under which the accounts have claimed play money; as many as there are accounts. */
  readonly claimKeys: readonly string[];
  readonly prices: Prices;
}

const COPIES_MAX = 5;
const TOGETHER = 0.35;
const DISTURBED_TIMES = 2;
/** Late enough that calls are under way, early enough that new ones still come. */
const DISTURBED = { least: 10, most: 60 } as const;

/** Draws a wave; the same seed and demand draw the same. */
export function drawWave(random: SeededRandom, { wave, claimKeys, prices }: WaveDemand): Wave {
  const byOwner = claimKeys.map((claimKey, owner) => drawIntents(random, { owner, wave, claimKey, prices }));
  const disturbances = Array.from({ length: DISTURBED_TIMES }, (_, index) => ({
    kind: DISTURBANCES[(wave * DISTURBED_TIMES + index) % DISTURBANCES.length]!,
    afterShare: random.whole(DISTURBED.least, DISTURBED.most) / 100,
  }));
  return {
    intents: byOwner.flat(),
    queues: byOwner.map((intents) => queueOf(random, intents)),
    disturbances: disturbances.toSorted((one, other) => one.afterShare - other.afterShare),
  };
}

/** All copies of one account's intents, mixed; none is sent before what it changes has been sent once. */
function queueOf(random: SeededRandom, intents: readonly Intent[]): Sending[] {
  const begins = new Map<Intent, number>();
  const timed = intents.flatMap((intent) => {
    const earliest = intent.target === undefined ? 0 : begins.get(intent.target)!;
    const sendings = sendingsOf(random, intent).map((sending) => ({
      sending,
      at: earliest + (1 - earliest) * (random.whole(1, 9_999) / 10_000),
    }));
    begins.set(intent, Math.min(...sendings.map(({ at }) => at)));
    return sendings;
  });
  return timed.toSorted((one, other) => one.at - other.at).map(({ sending }) => sending);
}

function sendingsOf(random: SeededRandom, intent: Intent): Sending[] {
  const sendings: Sending[] = [];
  let left = random.whole(1, COPIES_MAX);
  while (left > 0) {
    const copies = left > 1 && random.chance(TOGETHER) ? random.whole(2, left) : 1;
    sendings.push({ intent, copies });
    left -= copies;
  }
  return sendings;
}

/** How many calls a wave sends. */
export function callsOf({ queues }: Wave): number {
  return queues.flat().reduce((sum, { copies }) => sum + copies, 0);
}
