/** True if tests run in their long form, as in `npm run prove`. */
export const isLongForm = process.env['TEST_FORM'] === 'long';

/**
 * Seed that `npm test` derives from the commit, so that random tests in their short form run with different seeds for
 * each commit.
 */
export const commitSeed = Number(process.env['COMMIT_SEED'] ?? 1);

/** Returns `short` in the short form of the tests and `long` in their long form. */
export function byForm<Value>(short: Value, long: Value): Value {
  return isLongForm ? long : short;
}

/**
 * Returns whether the test with the index `place` is run, of `count` tests with the same purpose (the first has the
 * index 0). In the short form, each commit runs one of them; the long form runs all.
 */
export function isSelectedByCommit(place: number, count: number): boolean {
  return isLongForm || commitSeed % count === place;
}
