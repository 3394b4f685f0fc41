/**
 * Work that stops between slices, so that whoever runs it can do other things meanwhile; it knows nothing about when
 * it goes on.
 */
export type Slices<Value> = Generator<undefined, Value>;

/** So many things are done in a slice: about a millisecond of what is done here. */
const SLICE = 500;

/** Does all of it at once. */
export function finished<Value>(slices: Slices<Value>): Value {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/** What becomes of each thing, in their order. */
export function* mapped<Thing, Value>(
  things: readonly Thing[],
  of: (thing: Thing, at: number) => Value,
): Slices<Value[]> {
  const values: Value[] = [];
  for (const [at, thing] of things.entries()) {
    values.push(of(thing, at));
    if ((at + 1) % SLICE === 0) yield;
  }
  return values;
}

/** The things in an order; equal ones stay as they came. Slices are sorted and then merged, two by two. */
export function* sorted<Thing>(
  things: readonly Thing[],
  compare: (one: Thing, other: Thing) => number,
): Slices<Thing[]> {
  let runs: Thing[][] = [];
  for (let at = 0; at < things.length; at += SLICE) {
    runs.push(things.slice(at, at + SLICE).toSorted(compare));
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
  ones: readonly Thing[],
  others: readonly Thing[],
  compare: (one: Thing, other: Thing) => number,
): Slices<Thing[]> {
  const all: Thing[] = [];
  for (let [one, other] = [0, 0]; one < ones.length || other < others.length;) {
    const isOne = other >= others.length || (one < ones.length && compare(ones[one]!, others[other]!) <= 0);
    all.push(isOne ? ones[one++]! : others[other++]!);
    if (all.length % SLICE === 0) yield;
  }
  return all;
}
