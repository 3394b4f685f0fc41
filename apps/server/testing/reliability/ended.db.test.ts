import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inForm, isLongForm, isTurn } from '../../../../tools/test-form.ts';
import { eventually } from '../eventually.ts';
import { requireBuiltServer } from './built-server.ts';

const programme = fileURLToPath(new URL('crash.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** One that starts its database in its server, and one that starts it itself. */
const TOLD = inForm(['writers'], ['crash', 'writers']);
const KILLED = inForm(['crash'], ['crash', 'faults']);

describe('a programme that is ended', () => {
  let folder: string;
  let child: ChildProcess;
  let said: string;
  beforeAll(requireBuiltServer);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'amethyst-ended-'));
    chmodSync(folder, 0o755);
    said = '';
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Everything that it makes lies in our folder. */
  const begin = (name: string, command = 'exec "$@"') => {
    const args = [process.execPath, '--import', tsx, programme, `--programme=${name}`, '--traders=2'];
    child = spawn('/bin/sh', ['-c', command, 'sh', ...args], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout!.on('data', (text: Buffer) => (said += text.toString()));
  };

  const running = () =>
    spawnSync('ps', ['-axo', 'args='], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((args) => args.includes(`${folder}/amethyst-crash-`));

  const databaseStarted = () =>
    eventually(() =>
      expect(
        readdirSync(folder).some((name) => existsSync(join(folder, name, 'database/cluster/postmaster.pid'))),
      ).toBe(true),
    );

  const nothingLeft = () =>
    eventually(() => {
      expect(running()).toEqual([]);
      expect(readdirSync(folder).filter((name) => name.startsWith('amethyst-crash-'))).toEqual([]);
    });

  it.runIf(isTurn(0, 2)).each(TOLD)(
    'REL-022 %s: told to end while its database starts, it leaves nothing',
    async (name) => {
      begin(name);
      await databaseStarted();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect((await ended)[0]).toBe(1);
      await nothingLeft();
      expect(said).toContain('SIGTERM: ended early');
    },
  );

  it.runIf(isTurn(1, 2)).each(KILLED)('REL-022 %s: killed under way, it leaves nothing', async (name) => {
    begin(name);
    await eventually(() => expect(said).toContain('first start'));
    expect(running().length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await nothingLeft();
  });

  // Of the two ways to die suddenly the short form tries the other.
  it.runIf(isLongForm)('REL-022 its parent killed, it ends by itself and leaves nothing', async () => {
    begin('crash', '"$@" & wait');
    await eventually(() => expect(said).toContain('first start'));
    child.kill('SIGKILL');
    await nothingLeft();
    expect(said).toContain('its parent is gone: ended early');
  });
});
