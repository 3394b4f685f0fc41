const TRIES = 400;

/**
 * Finds a short command sequence that still fails by removing smaller and smaller parts (delta debugging), with
 * at most 400 tries. `fails` runs a sequence from the beginning. The complete `story` must fail.
 */
export async function shrink<Command>(
  story: readonly Command[],
  fails: (story: readonly Command[]) => Promise<boolean>,
): Promise<readonly Command[]> {
  let shortest = story;
  let tries = 0;
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < shortest.length && tries < TRIES; tries += 1) {
      const shorter = [...shortest.slice(0, start), ...shortest.slice(start + size)];
      if (await fails(shorter)) shortest = shorter;
      else start += size;
    }
  }
  return shortest;
}
