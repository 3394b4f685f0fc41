import type { HashCost } from '../src/platform/secrets/slow-hash.ts';

/** The least that the algorithm takes: what costs whoever guesses time would cost each user of a test as much. */
export const QUICK_HASH: HashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
