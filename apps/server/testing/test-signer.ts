import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encryptKeystoreJsonSync } from 'ethers';
import { SigningJournal } from '../src/platform/signer/journal.ts';
import { readSigningTerms } from '../src/platform/signer/settings.ts';
import { Signer } from '../src/platform/signer/signer.ts';
import { account, ANVIL_CHAIN } from './anvil.ts';
import { requireBuiltServer } from './reliability/built-server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SIGNER_SECRET = 'a secret that exchange and signer share';

/** A signer of the test chain's first account, in this process; its memory is in a folder of its own. */
export async function aSigner(token: string, limits = 'ETH=10/1000, USDT=5000/100000') {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-signer-'));
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, SIGNER_SECRET);
  const place = join(folder, 'socket');
  const terms = readSigningTerms({
    SIGNER_CHAIN_ID: String(ANVIL_CHAIN),
    SIGNER_TOKENS: `USDT=${token}:6`,
    SIGNER_LIMITS: limits,
  });
  const open = () => {
    const journal = new SigningJournal(folder);
    const signer = new Signer({
      terms,
      wallet: account(0),
      journal,
      secret: SIGNER_SECRET,
      now: () => Date.now(),
    });
    return { journal, signer };
  };
  let running = open();
  await running.signer.listen(place);
  const close = async () => {
    await running.signer.close();
    running.journal.close();
  };
  return {
    folder,
    secretFile,
    place,
    get signer() {
      return running.signer;
    },
    /** Ends it and starts it again on the same folder, after what is done `meanwhile`. */
    restart: async (meanwhile?: () => void) => {
      await close();
      meanwhile?.();
      running = open();
      await running.signer.listen(place);
    },
    close: async () => {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The built signer as its operator runs it: a process of its own, with the key in an encrypted file. */
export async function aSignerProcess(token: string, limits = 'ETH=10/100, USDT=5000/20000') {
  requireBuiltServer();
  const folder = mkdtempSync(join(tmpdir(), 'exchange-signer-'));
  const at = (name: string) => join(folder, name);
  const password = 'correct horse battery';
  const { address, privateKey } = account(0);
  writeFileSync(
    at('key.json'),
    encryptKeystoreJsonSync({ address, privateKey }, password, { scrypt: { N: 1 << 10 } }),
  );
  writeFileSync(at('password'), `${password}\n`);
  writeFileSync(at('secret'), SIGNER_SECRET);
  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [join(ROOT, 'apps/server/dist/signer.js')], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        SIGNER_PLACE: at('socket'),
        SIGNER_KEYSTORE: at('key.json'),
        SIGNER_PASSWORD_FILE: at('password'),
        SIGNER_SECRET_FILE: at('secret'),
        SIGNER_FOLDER: at('memory'),
        SIGNER_CHAIN_ID: String(ANVIL_CHAIN),
        SIGNER_TOKENS: `USDT=${token}:6`,
        SIGNER_LIMITS: limits,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const abandon = () => void child.kill('SIGKILL');
    process.once('exit', abandon);
    child.once('exit', () => process.off('exit', abandon));
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text: Buffer) => text.toString().includes('listens at') && resolve());
      child.once('exit', (code) => reject(new Error(`the signer ended with ${code}`)));
    });
    return child;
  };
  let child = await launch();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return {
    folder,
    place: at('socket'),
    secretFile: at('secret'),
    /** Ends it as a power cut would. */
    kill,
    start: async () => {
      child = await launch();
    },
    /** Ends it as a power cut would, and starts it again. */
    restart: async () => {
      await kill();
      child = await launch();
    },
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
