import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServerSecret } from '../src/platform/secrets/server-secret.ts';
import type { SignerParts } from '../src/platform/signer/line-signer.ts';
import { DIGEST_PURPOSE } from '../src/platform/signer/protocol.ts';
import { requireBuiltServer } from './reliability/built-server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SIGNER_SECRET = 'a secret that exchange and signer share';
/** The server secret for which the test signers sign. A test server gets it as `SERVER_SECRET`. */
export const SIGNED_SERVER_SECRET = '7'.repeat(64);
/**
 * Key from which a test server computes the digests of confirmed withdrawals and approved transfers. The test signers
 * check these digests with the same key.
 */
export const TEST_DIGEST_KEY = new ServerSecret(Buffer.from(SIGNED_SERVER_SECRET, 'hex')).key(DIGEST_PURPOSE);
/** Password of the encrypted key files in tests, and a hashing cost that is low, so that the files open quickly. */
export const KEYSTORE = {
  password: 'correct horse battery',
  options: { scrypt: { N: 1 << 10 } },
};

interface RunningSigner<Signer, Journal> {
  readonly signer: Signer;
  readonly journal: Journal;
}

/**
 * Opens a signer in this process with `open` and makes it listen at `address`, or by default at a Unix socket in a
 * temporary folder. The signer's journal is in the temporary folder.
 */
export async function aSignerIn<
  Signer extends { listen(place: string): Promise<void>; close(): Promise<void> },
  Journal extends { close(): void },
>(
  open: (folder: string, parts: Pick<SignerParts, 'secret' | 'digestKey'>) => RunningSigner<Signer, Journal>,
  address?: string,
) {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-signer-'));
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, SIGNER_SECRET);
  const place = address ?? join(folder, 'socket');
  const parts = { secret: SIGNER_SECRET, digestKey: TEST_DIGEST_KEY };
  let running = open(folder, parts);
  await running.signer.listen(place);
  const stop = async () => {
    await running.signer.close();
    running.journal.close();
  };
  /** Starts the signer again on the same folder after `stop`. */
  const start = async () => {
    running = open(folder, parts);
    await running.signer.listen(place);
  };
  return {
    folder,
    secretFile,
    place,
    get signer() {
      return running.signer;
    },
    get journal() {
      return running.journal;
    },
    stop,
    start,
    /** Stops the signer, runs `meanwhile`, and starts the signer again on the same folder. */
    restart: async (meanwhile?: () => void) => {
      await stop();
      meanwhile?.();
      await start();
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Starts a built signer as an operator runs it: as a separate process with encrypted key files. `command` is the name
 * of the signer's script. `keystores` maps the names of settings to the contents of the key files. `settings` are
 * further settings.
 */
export async function aSignerProcessOf(
  command: string,
  keystores: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>>,
) {
  requireBuiltServer();
  const folder = mkdtempSync(join(tmpdir(), 'exchange-signer-'));
  const fileIn = (name: string) => join(folder, name);
  const env: Record<string, string | undefined> = {
    ...settings,
    PATH: process.env['PATH'],
    SIGNER_PLACE: fileIn('socket'),
    SIGNER_PASSWORD_FILE: fileIn('password'),
    SIGNER_SECRET_FILE: fileIn('secret'),
    SIGNER_DIGEST_FILE: fileIn('digest'),
    SIGNER_FOLDER: fileIn('memory'),
  };
  writeFileSync(fileIn('password'), `${KEYSTORE.password}\n`);
  writeFileSync(fileIn('secret'), SIGNER_SECRET);
  writeFileSync(fileIn('digest'), TEST_DIGEST_KEY.toString('hex'));
  for (const [setting, keystore] of Object.entries(keystores)) {
    env[setting] = fileIn(`${setting}.json`);
    writeFileSync(fileIn(`${setting}.json`), keystore);
  }
  let child: ChildProcess | undefined;
  const start = async () => {
    const started = spawn(process.execPath, [join(ROOT, 'apps/server/dist', `${command}.js`)], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const killChild = () => void started.kill('SIGKILL');
    process.once('exit', killChild);
    started.once('exit', () => process.off('exit', killChild));
    await new Promise<void>((resolve, reject) => {
      started.stdout.on('data', (text: Buffer) => text.toString().includes('listens at') && resolve());
      started.once('exit', (code) => reject(new Error(`the signer ended with ${code}`)));
    });
    child = started;
  };
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  await start();
  return {
    folder,
    place: fileIn('socket'),
    secretFile: fileIn('secret'),
    /** Kills the signer process with SIGKILL. */
    kill,
    /** Suspends the signer process with SIGSTOP. It is never resumed, so it can only be killed afterwards. */
    suspend: () => void child?.kill('SIGSTOP'),
    start,
    /** Kills the signer process with SIGKILL and starts it again. */
    restart: async () => {
      await kill();
      await start();
    },
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
