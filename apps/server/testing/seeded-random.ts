import { SeededGenerator } from '@exchange/core/seeded-generator.ts';

/** Reproducible random numbers for tests. The same seed results in the same numbers. */
export interface SeededRandom {
  /** Returns a random integer from the lower to the upper bound, both included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns a function that returns each item once, in random order, before it returns one again. */
  inTurns<T>(items: readonly T[]): () => T;
}

/**
 * Creates a generator of random numbers for one test. The numbers are predictable, so they must not be used for
 * secrets.
 */
export function seededRandom(seed: number): SeededRandom {
  const draws = new SeededGenerator(seed);
  const whole = (min: number, max: number) => min + Math.floor(draws.next() * (max - min + 1));
  return {
    whole,
    chance: (probability) => draws.next() < probability,
    pick: <T>(items: readonly T[]) => items[Math.floor(draws.next() * items.length)]!,
    inTurns: <T>(items: readonly T[]) => {
      let due: T[] = [];
      return () => {
        if (due.length === 0) due = [...items];
        return due.splice(whole(0, due.length - 1), 1)[0]!;
      };
    },
  };
}
