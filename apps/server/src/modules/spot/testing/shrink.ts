const TRIES = 400;

/**
 * The shortest story that still fails, found by leaving out ever smaller parts (delta debugging), with a
 * bounded number of attempts. `fails` tells a story from the beginning; the one given must fail.
 */
export async function shrink<Command>(
  story: readonly Command[],
  fails: (story: readonly Command[]) => Promise<boolean>,
): Promise<readonly Command[]> {
  let left = story;
  let tries = 0;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < left.length && tries < TRIES; tries += 1) {
      const shorter = [...left.slice(0, start), ...left.slice(start + size)];
      if (await fails(shorter)) left = shorter;
      else start += size;
    }
  }
  return left;
}
