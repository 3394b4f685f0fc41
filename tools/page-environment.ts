import type { Environment } from 'vitest/runtime';

/**
 * A vitest environment that loads modules as a browser does. The page itself is created by `page-set-up.ts`, a new
 * one per test file.
 */
export default {
  name: 'page',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment;
