import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { plantable } from './tools/plantable.ts';

const OUTPUTS = ['**/node_modules/**', '**/dist/**', '**/data/**'];
const OVER_THE_DATABASE = [
  'apps/server/**/*.{http,db}.test.ts',
  'apps/server/src/platform/database/**/*.test.ts',
  'apps/server/testing/**/*.test.ts',
];
/** Starts PostgreSQL for the first test that asks for it, so projects without one pay nothing. */
const DATABASE = 'apps/server/testing/postgres-global-setup.ts';
const PROPERTIES = ['tools/property-runs.ts'];
/** Libraries that keep something between renders; read anew for each file of tests, as our own modules are. */
const STATEFUL = [/@tanstack/, /user-event/];
const PAGES = [...PROPERTIES, 'tools/page-set-up.ts'];

/** For a test that ends by itself within seconds; on a host that is busy elsewhere they may be minutes. */
const PATIENCE_MS = 180_000;

/**
 * Maximum time in milliseconds that `expect.poll` waits for a value. The default of one second is too short on a busy
 * host; only failing tests wait this long.
 */
const poll = { timeout: 60_000 };

/** The gate's report shows of a failure only its message: this much of each value that was compared. */
const chaiConfig = { truncateThreshold: 400 };

/** Four kinds of test by what they need: nothing, a page, a database, a browser. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        plugins: [plantable()],
        test: {
          name: 'unit',
          chaiConfig,
          expect: { poll },
          // No module keeps a state: loading them anew for each file would cost as much as running it.
          isolate: false,
          include: [
            'packages/{core,wire,mcp}/**/*.test.ts',
            'apps/server/**/*.test.ts',
            '{tools,bench}/**/*.test.ts',
          ],
          exclude: [...OUTPUTS, ...OVER_THE_DATABASE],
          globalSetup: DATABASE,
          setupFiles: PROPERTIES,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          chaiConfig,
          expect: { poll },
          include: [
            'packages/web-kit/**/*.test.{ts,tsx}',
            'apps/{desktop,mobile,console}/**/*.test.{ts,tsx}',
          ],
          exclude: OUTPUTS,
          environment: './tools/page-environment.ts',
          isolate: false,
          server: { deps: { inline: STATEFUL } },
          setupFiles: PAGES,
          css: { modules: { classNameStrategy: 'non-scoped' } },
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        test: {
          name: 'http',
          chaiConfig,
          expect: { poll },
          // Each file has its own database and no module keeps a state: loading them once is enough.
          isolate: false,
          // Exchanges come and go: what they leave in a small young generation is collected several times as often.
          execArgv: ['--max-semi-space-size=64'],
          include: OVER_THE_DATABASE,
          exclude: OUTPUTS,
          globalSetup: DATABASE,
          setupFiles: PROPERTIES,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        test: {
          name: 'browser',
          chaiConfig,
          expect: { poll },
          include: ['e2e/**/*.spec.ts'],
          exclude: OUTPUTS,
          setupFiles: 'e2e/fixtures/failure-screenshots.ts',
          // Each file has an exchange of its own; loading the modules and starting a browser once is enough.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
