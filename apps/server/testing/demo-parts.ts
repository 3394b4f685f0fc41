import type { Demo } from '../src/platform/demo.ts';

/**
 * Returns replacements of the functions by which modules seed demo data. Errors are thrown, and the completed
 * parts are recorded in memory.
 */
export function demoParts(): Pick<Demo, 'attempt' | 'once'> {
  const completed = new Set<string>();
  const attempt: Demo['attempt'] = async (_part, make) => {
    await make();
    return true;
  };
  return {
    attempt,
    once: async (part, make) => {
      if (!completed.has(part)) await attempt(part, make);
      completed.add(part);
      return true;
    },
  };
}
