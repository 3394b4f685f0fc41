import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { guardFolder } from './guard.ts';

/** Which PostgreSQL server the tests of this run use. */
export type TestServer =
  | { readonly kind: 'given'; readonly url: string }
  | { readonly kind: 'embedded'; readonly dataDirectory: string };

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

/**
 * Once per test run: chooses the server that `testDatabase()` uses. The embedded one is only started by
 * the first test that asks for a database, so runs of pure tests pay nothing; it ends with the run.
 */
export default function setup(project: TestProject): (() => Promise<void>) | undefined {
  const url = process.env['TEST_DATABASE_URL'];
  if (url !== undefined && url !== '') {
    project.provide('testServer', { kind: 'given', url });
    return undefined;
  }
  const dataDirectory = mkdtempSync(join(tmpdir(), 'amethyst-test-'));
  // For root: PostgreSQL's own account must be able to enter.
  chmodSync(dataDirectory, 0o755);
  project.provide('testServer', { kind: 'embedded', dataDirectory });
  // Vitest runs no teardown when it is interrupted.
  const guard = guardFolder(dataDirectory);
  return () => guard.act();
}
