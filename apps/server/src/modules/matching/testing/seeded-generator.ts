import { SeededGenerator as Draws } from '@exchange/core/seeded-generator.ts';

/** Reproducible random numbers for tests: the same seed gives the same numbers on every machine. */
export class SeededGenerator {
  private readonly draws: Draws;

  constructor(seed: number) {
    this.draws = new Draws(seed);
  }

  /** A random whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.draws.next() * limit);
  }

  /** Returns true with a probability of `percent` per cent. */
  happens(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new RangeError('nothing to pick from');
    return choice;
  }
}
