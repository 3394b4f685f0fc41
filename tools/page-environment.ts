import type { Environment } from 'vitest/runtime';

/** Modules are read as a browser reads them. The page itself comes from `page-set-up.ts`, a new one per file. */
export default {
  name: 'page',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment;
