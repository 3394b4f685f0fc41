import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

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
  return endWithThisProcess(dataDirectory);
}

/**
 * Starts a small guard that waits for the end of its input, which comes with the end of this process,
 * however it ends: vitest runs no teardown when it is interrupted. Then it ends the server, which needs
 * no checkpoint any more, and removes the files. Gives a function that makes it do so now.
 */
function endWithThisProcess(dataDirectory: string): () => Promise<void> {
  const script = `
    cat > /dev/null
    lock="$1/cluster/postmaster.pid"
    pid=$(sed -n 1p "$lock" 2> /dev/null)
    socket=$(sed -n 5p "$lock" 2> /dev/null)
    if [ -n "$pid" ]; then
      kill -QUIT "$pid"
      tries=0
      while [ -e "$lock" ] && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
    fi
    if [ -n "$socket" ]; then rm -rf "$socket"; fi
    rm -rf "$1"`;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', dataDirectory], {
    // A session of its own, so that Ctrl-C does not end the guard as well.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  return async () => {
    const ended = once(guard, 'exit');
    guard.ref();
    guard.stdin.end();
    await ended;
  };
}
