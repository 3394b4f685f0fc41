/** True if tests run in their long form, as in `npm run prove`. */
export const isLongForm = process.env['TEST_FORM'] === 'long';

/**
 * Seed that `npm test` derives from the commit, so that random tests in their short form try other seeds with each
 * commit.
 */
export const commitSeed = Number(process.env['COMMIT_SEED'] ?? 1);

/** Returns `short` in the short form of a test and `long` in its long form. */
export function byForm<Value>(short: Value, long: Value): Value {
  return isLongForm ? long : short;
}

/**
 * Selects one of several tests with the same purpose: each commit runs one of them, the long form runs all. `place`
 * counts from 0.
 */
export function isSelectedByCommit(place: number, count: number): boolean {
  return isLongForm || commitSeed % count === place;
}
