import type { SeededRandom } from '../seeded-random.ts';
import { DISTURBANCES, type Disturbance } from './disturbances.ts';
import type { IntendedRequest } from './repeatable-calls.ts';
import { drawRequests, type Prices } from './wave-draws.ts';

/**
 * A request and the number of copies of it that are sent at the same time, so that the server may execute them in one
 * batch of steps.
 */
export interface Sending {
  readonly intent: IntendedRequest;
  readonly copies: number;
}

/**
 * A disturbance of the server (kill, restart or fault), which begins when the share `afterShare` (0 to 1) of the wave's
 * requests, copies included, has been answered.
 */
export interface PlannedDisturbance {
  readonly kind: Disturbance;
  readonly afterShare: number;
}

/**
 * Requests of many accounts, each sent one to five times in random order, and the disturbances of the server that
 * happen while they are sent.
 */
export interface Wave {
  readonly requests: readonly IntendedRequest[];
  /** One queue for each account: its requests with the numbers of their copies, in the order of sending. */
  readonly queues: readonly (readonly Sending[])[];
  readonly disturbances: readonly PlannedDisturbance[];
}

export interface WaveOptions {
  /** Index of the wave, from 0. */
  readonly wave: number;
  /** Request ids of the accounts' faucet claims, one per account. */
  readonly claimKeys: readonly string[];
  readonly prices: Prices;
}

const COPIES_MAX = 5;
const TOGETHER_CHANCE = 0.35;
const DISTURBANCES_PER_WAVE = 2;
/**
 * Range of the percentage of a wave's requests that are answered before the server is disturbed. At that time other
 * requests are still running, and more follow.
 */
const DISTURBED_AFTER_PERCENT = { least: 10, most: 60 } as const;

/** Draws a wave. The same random seed and options result in the same wave. */
export function drawWave(random: SeededRandom, { wave, claimKeys, prices }: WaveOptions): Wave {
  const byOwner = claimKeys.map((claimKey, owner) => drawRequests(random, { owner, wave, claimKey, prices }));
  const disturbances = Array.from({ length: DISTURBANCES_PER_WAVE }, (_, index) => ({
    kind: DISTURBANCES[(wave * DISTURBANCES_PER_WAVE + index) % DISTURBANCES.length]!,
    afterShare: random.whole(DISTURBED_AFTER_PERCENT.least, DISTURBED_AFTER_PERCENT.most) / 100,
  }));
  return {
    requests: byOwner.flat(),
    queues: byOwner.map((intents) => queueOf(random, intents)),
    disturbances: disturbances.toSorted((a, b) => a.afterShare - b.afterShare),
  };
}

/**
 * Returns the copies of one account's requests in random order. A request comes after the first copy of the request
 * that creates its order or alert.
 */
function queueOf(random: SeededRandom, intents: readonly IntendedRequest[]): Sending[] {
  const firstSentAt = new Map<IntendedRequest, number>();
  const timed = intents.flatMap((intent) => {
    const earliest = intent.target === undefined ? 0 : firstSentAt.get(intent.target)!;
    const sendings = sendingsOf(random, intent).map((sending) => ({
      sending,
      at: earliest + (1 - earliest) * (random.whole(1, 9_999) / 10_000),
    }));
    firstSentAt.set(intent, Math.min(...sendings.map(({ at }) => at)));
    return sendings;
  });
  return timed.toSorted((a, b) => a.at - b.at).map(({ sending }) => sending);
}

function sendingsOf(random: SeededRandom, intent: IntendedRequest): Sending[] {
  const sendings: Sending[] = [];
  let remaining = random.whole(1, COPIES_MAX);
  while (remaining > 0) {
    const copies = remaining > 1 && random.chance(TOGETHER_CHANCE) ? random.whole(2, remaining) : 1;
    sendings.push({ intent, copies });
    remaining -= copies;
  }
  return sendings;
}

/** Returns how many requests a wave sends, repeated copies included. */
export function callsOf({ queues }: Wave): number {
  return queues.flat().reduce((sum, { copies }) => sum + copies, 0);
}
