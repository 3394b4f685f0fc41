import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { guardFolder } from './guard.ts';

/** The PostgreSQL server that this test run uses: the one at TEST_DATABASE_URL, or an embedded one. */
export type TestServer =
  | { readonly kind: 'given'; readonly url: string }
  | { readonly kind: 'embedded'; readonly dataDirectory: string };

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

/**
 * Runs once per test run and chooses the server for `testDatabase()`. An embedded server is started only by the first
 * test that needs a database; the returned function stops it at the end of the run. Returns undefined for a server that
 * `TEST_DATABASE_URL` gives.
 */
export default function setup(project: TestProject): (() => Promise<void>) | undefined {
  const url = process.env['TEST_DATABASE_URL'];
  if (url !== undefined && url !== '') {
    project.provide('testServer', { kind: 'given', url });
    return undefined;
  }
  const dataDirectory = mkdtempSync(join(tmpdir(), 'amethyst-test-'));
  // If the tests run as root, PostgreSQL's own account must be able to enter the folder, so the folder is made
  // readable.
  chmodSync(dataDirectory, 0o755);
  project.provide('testServer', { kind: 'embedded', dataDirectory });
  // Vitest runs no teardown when it is interrupted, so a helper process cleans up.
  const guard = guardFolder(dataDirectory);
  return () => guard.cleanUp();
}
