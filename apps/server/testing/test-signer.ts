import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encryptKeystoreJsonSync } from 'ethers';
import { ServerSecret } from '../src/platform/secrets/server-secret.ts';
import { SigningJournal } from '../src/platform/signer/journal.ts';
import {
  coldTransferDigest,
  DIGEST_PURPOSE,
  withdrawalDigest,
  type ApprovedColdTransfer,
  type ConfirmedWithdrawal,
} from '../src/platform/signer/protocol.ts';
import { readSigningTerms } from '../src/platform/signer/settings.ts';
import { Signer } from '../src/platform/signer/signer.ts';
import type { TlsFiles } from '@exchange/core/signer-place.ts';
import { account, ANVIL_CHAIN, DEPOSITS_PATH, testDepositKeys, testDepositsAccount } from './anvil.ts';
import { requireBuiltServer } from './reliability/built-server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SIGNER_SECRET = 'a secret that exchange and signer share';
/** Secret of the servers for which the test signers sign; pass it as `SERVER_SECRET`. */
export const SIGNED_SERVER_SECRET = '7'.repeat(64);
/** Key of the digests of the servers for which the test signers sign. */
export const TEST_DIGEST_KEY = new ServerSecret(Buffer.from(SIGNED_SERVER_SECRET, 'hex')).key(DIGEST_PURPOSE);

/** The digest that the test server computes when an owner confirms a withdrawal. */
export function confirmedDigest(withdrawal: ConfirmedWithdrawal): string {
  return withdrawalDigest(TEST_DIGEST_KEY, withdrawal);
}

/** The digest that the test server computes when two operators approve a transfer to the cold wallet. */
export function coldDigest(transfer: ApprovedColdTransfer): string {
  return coldTransferDigest(TEST_DIGEST_KEY, transfer);
}

interface SignerOptions {
  readonly address?: string;
  readonly cold?: string;
  /** Limits of gas for deposit addresses, as in `SIGNER_GAS`. */
  readonly gas?: string;
  readonly tls?: TlsFiles;
  /** Receives why connections are refused. */
  readonly warn?: (line: string) => void;
}

/**
 * A signer in this process for the test chain's first account; its journal is in a temporary folder. It listens at a socket or at
 * `address`, and moves surplus to `cold`.
 */
export async function aSigner(
  token: string,
  limits = 'ETH=10/1000, USDT=5000/100000',
  { address, cold, gas, tls, warn }: SignerOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-signer-'));
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, SIGNER_SECRET);
  const place = address ?? join(folder, 'socket');
  const terms = readSigningTerms({
    SIGNER_CHAIN_ID: String(ANVIL_CHAIN),
    SIGNER_TOKENS: `USDT=${token}:6`,
    SIGNER_LIMITS: limits,
    SIGNER_COLD_WALLET: cold,
    SIGNER_GAS: gas,
  });
  const open = () => {
    const journal = new SigningJournal(folder);
    const signer = new Signer({
      terms,
      wallet: account(0),
      deposits: testDepositKeys(),
      journal,
      secret: SIGNER_SECRET,
      digestKey: TEST_DIGEST_KEY,
      now: () => Date.now(),
      tls,
      warn,
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
    /** Stops the signer and starts it again on the same folder; `meanwhile` runs in between. */
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

/** The built signer as its operator runs it: a separate process with the key in an encrypted file. */
export async function aSignerProcess(token: string, limits = 'ETH=10/100, USDT=5000/20000', cold?: string) {
  requireBuiltServer();
  const folder = mkdtempSync(join(tmpdir(), 'exchange-signer-'));
  const fileIn = (name: string) => join(folder, name);
  const password = 'correct horse battery';
  const { address, privateKey } = account(0);
  writeFileSync(
    fileIn('key.json'),
    encryptKeystoreJsonSync({ address, privateKey }, password, { scrypt: { N: 1 << 10 } }),
  );
  writeFileSync(
    fileIn('deposits.json'),
    encryptKeystoreJsonSync(testDepositsAccount(), password, { scrypt: { N: 1 << 10 } }),
  );
  writeFileSync(fileIn('password'), `${password}\n`);
  writeFileSync(fileIn('secret'), SIGNER_SECRET);
  writeFileSync(fileIn('digest'), TEST_DIGEST_KEY.toString('hex'));
  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [join(ROOT, 'apps/server/dist/signer.js')], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        SIGNER_PLACE: fileIn('socket'),
        SIGNER_KEYSTORE: fileIn('key.json'),
        SIGNER_DEPOSITS_KEYSTORE: fileIn('deposits.json'),
        SIGNER_DEPOSITS_PATH: DEPOSITS_PATH,
        SIGNER_PASSWORD_FILE: fileIn('password'),
        SIGNER_SECRET_FILE: fileIn('secret'),
        SIGNER_DIGEST_FILE: fileIn('digest'),
        SIGNER_FOLDER: fileIn('memory'),
        SIGNER_CHAIN_ID: String(ANVIL_CHAIN),
        SIGNER_TOKENS: `USDT=${token}:6`,
        SIGNER_LIMITS: limits,
        ...(cold === undefined ? {} : { SIGNER_COLD_WALLET: cold }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const killChild = () => void child.kill('SIGKILL');
    process.once('exit', killChild);
    child.once('exit', () => process.off('exit', killChild));
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
    place: fileIn('socket'),
    secretFile: fileIn('secret'),
    /** Kills the process like a power failure. */
    kill,
    /** Suspends the process with SIGSTOP; it can only be killed then. */
    suspend: () => void child.kill('SIGSTOP'),
    start: async () => {
      child = await launch();
    },
    /** Kills the process like a power failure and starts it again. */
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
