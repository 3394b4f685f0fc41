/** Whether tests play their long form, as `npm run prove` has them do. */
export const isLongForm = process.env['TEST_FORM'] === 'long';

/** Drawn from the commit by `npm test`, which tells it: random tests in their short form try other seeds with each commit. */
export const commitSeed = Number(process.env['COMMIT_SEED'] ?? 1);

/** What a test plays in its short form, and what in its long one. */
export function inForm<Value>(short: Value, long: Value): Value {
  return isLongForm ? long : short;
}

/** Whether it is the turn of one of several tests that look for the same: each commit plays one of them, the long form all. */
export function isTurn(place: number, of: number): boolean {
  return isLongForm || commitSeed % of === place;
}
