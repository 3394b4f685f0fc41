import type { Demo } from '../src/platform/demo.ts';

/** Parts of a demo for a test: what fails is thrown, and what is made once is remembered here. */
export function demoParts(): Pick<Demo, 'attempt' | 'once'> {
  const made = new Set<string>();
  const attempt: Demo['attempt'] = async (_part, make) => {
    await make();
    return true;
  };
  return {
    attempt,
    once: async (part, make) => {
      if (!made.has(part)) await attempt(part, make);
      made.add(part);
      return true;
    },
  };
}
