import type { Environment } from 'vitest/runtime';

/** A vitest environment that loads modules like a browser. `page-set-up.ts` creates the page for each test file. */
export default {
  name: 'page',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment;
