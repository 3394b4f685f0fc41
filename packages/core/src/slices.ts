/**
 * A long computation as a generator that yields after each slice of items, so that its caller can do other work before
 * it continues the computation.
 */
export type Slices<Value> = Generator<undefined, Value>;

/** Number of items per slice. Processing a slice takes about a millisecond. */
const SLICE = 500;

/** Runs a sliced computation to its end without pauses and returns its result. */
export function runToEnd<Value>(slices: Slices<Value>): Value {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/** Maps items in their order, as a computation that pauses after each slice. */
export function* mapSliced<Thing, Value>(
  items: readonly Thing[],
  map: (thing: Thing, index: number) => Value,
): Slices<Value[]> {
  const values: Value[] = [];
  for (const [index, item] of items.entries()) {
    values.push(map(item, index));
    if ((index + 1) % SLICE === 0) yield;
  }
  return values;
}

/** Sorts items stably, as a computation that pauses: sorts each slice of items, then merges the slices pairwise. */
export function* sortSliced<Thing>(
  items: readonly Thing[],
  compare: (a: Thing, b: Thing) => number,
): Slices<Thing[]> {
  let runs: Thing[][] = [];
  for (let at = 0; at < items.length; at += SLICE) {
    runs.push(items.slice(at, at + SLICE).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Thing[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergedRuns(runs[at]!, runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedRuns<Thing>(
  left: readonly Thing[],
  right: readonly Thing[],
  compare: (a: Thing, b: Thing) => number,
): Slices<Thing[]> {
  const merged: Thing[] = [];
  for (let [leftAt, rightAt] = [0, 0]; leftAt < left.length || rightAt < right.length;) {
    const takesLeft =
      rightAt >= right.length || (leftAt < left.length && compare(left[leftAt]!, right[rightAt]!) <= 0);
    merged.push(takesLeft ? left[leftAt++]! : right[rightAt++]!);
    if (merged.length % SLICE === 0) yield;
  }
  return merged;
}
