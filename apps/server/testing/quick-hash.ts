import type { HashCost } from '../src/platform/secrets/slow-hash.ts';

/** The minimum cost of password hashing, so that signing in is fast in tests. */
export const QUICK_HASH: HashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
