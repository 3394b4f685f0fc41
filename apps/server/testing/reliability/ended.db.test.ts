import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { byForm, isLongForm, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { eventually } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';

const programme = fileURLToPath(new URL('crash.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/**
 * Programmes that the test ends by SIGTERM. In `crash` the server starts its own database, in `writers` the programme
 * starts it.
 */
const TERMINATED = byForm(['writers'], ['crash', 'writers']);
const KILLED = byForm(['crash'], ['crash', 'faults']);

describe('a programme that is ended early', () => {
  let folder: string;
  let child: ChildProcess;
  let output: string;
  beforeAll(requireBuiltServer);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'amethyst-ended-'));
    chmodSync(folder, 0o755);
    output = '';
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a reliability programme as a child process whose temporary files are all in the test's folder. */
  const startProgramme = (name: string, command = 'exec "$@"') => {
    const args = [process.execPath, '--import', tsx, programme, `--programme=${name}`, '--traders=2'];
    child = spawn('/bin/sh', ['-c', command, 'sh', ...args], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout!.on('data', (text: Buffer) => (output += text.toString()));
  };

  const runningServers = () =>
    spawnSync('ps', ['-axo', 'args='], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((args) => args.includes(`${folder}/amethyst-crash-`));

  const databaseStarted = () =>
    eventually(() =>
      expect(
        readdirSync(folder).some((name) => existsSync(join(folder, name, 'database/cluster/postmaster.pid'))),
      ).toBe(true),
    );

  const waitForCleanup = () =>
    eventually(() => {
      expect(runningServers()).toEqual([]);
      expect(readdirSync(folder).filter((name) => name.startsWith('amethyst-crash-'))).toEqual([]);
    });

  it.runIf(isSelectedByCommit(0, 2)).each(TERMINATED)(
    'REL-022 %s: terminated while its database starts, it leaves nothing behind',
    async (name) => {
      startProgramme(name);
      await databaseStarted();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect((await ended)[0]).toBe(1);
      await waitForCleanup();
      expect(output).toContain('SIGTERM: ended early');
    },
  );

  it.runIf(isSelectedByCommit(1, 2)).each(KILLED)(
    'REL-022 %s: killed while it runs, it leaves nothing behind',
    async (name) => {
      startProgramme(name);
      await eventually(() => expect(output).toContain('first start'));
      expect(runningServers().length).toBeGreaterThan(0);
      child.kill('SIGKILL');
      await waitForCleanup();
    },
  );

  // Only the long form kills the programme's parent process.
  it.runIf(isLongForm)(
    'REL-022 after its parent was killed, it ends by itself and leaves nothing behind',
    async () => {
      startProgramme('crash', '"$@" & wait');
      await eventually(() => expect(output).toContain('first start'));
      child.kill('SIGKILL');
      await waitForCleanup();
      expect(output).toContain('its parent is gone: ended early');
    },
  );
});
