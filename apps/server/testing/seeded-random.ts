import { SeededGenerator } from '@exchange/core/seeded-generator.ts';

/** Reproducible random numbers for tests. The same seed results in the same numbers. */
export interface SeededRandom {
  /** A random integer. Both bounds are included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** Creates a generator for one test; not suitable for secrets. */
export function seededRandom(seed: number): SeededRandom {
  const draws = new SeededGenerator(seed);
  return {
    whole: (min, max) => min + Math.floor(draws.next() * (max - min + 1)),
    chance: (probability) => draws.next() < probability,
    pick: <T>(items: readonly T[]) => items[Math.floor(draws.next() * items.length)]!,
  };
}
