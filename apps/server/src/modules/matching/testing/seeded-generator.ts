import { SeededGenerator as Draws } from '@exchange/core/seeded-generator.ts';

/** Repeatable random numbers for tests: the same seed draws the same numbers on every machine. */
export class SeededGenerator {
  private readonly draws: Draws;

  constructor(seed: number) {
    this.draws = new Draws(seed);
  }

  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.draws.next() * limit);
  }

  /** True in `percent` of a hundred draws. */
  happens(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new RangeError('nothing to pick from');
    return choice;
  }
}
