import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encryptKeystoreJsonSync } from 'ethers';
import { UtxoJournal } from '../src/platform/signer/utxo-journal.ts';
import { readUtxoSigningTerms } from '../src/platform/signer/utxo-settings.ts';
import { UtxoSigner } from '../src/platform/signer/utxo-signer.ts';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { addressCodec, placesOf } from '../src/platform/utxo/scripts.ts';
import { testAccount, testWallet } from './litecoind.ts';
import { requireBuiltServer } from './reliability/built-server.ts';
import { TEST_DIGEST_KEY } from './test-signer.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SIGNER_SECRET = 'a secret that exchange and signer share';

/**
 * A signer in this process for the account of Litecoin of tests (`testAccount`). It listens at a socket; its journal is in a
 * temporary folder. `limit` is `ONCE/DAY` in coins, `rate` the greatest fee per virtual byte.
 */
export async function aUtxoSigner({
  limit = '10/1000',
  rate = '300',
  cold,
  now = () => Date.now(),
}: {
  readonly limit?: string;
  readonly rate?: string;
  readonly cold?: string;
  readonly now?: () => number;
} = {}) {
  const network = UTXO_NETWORKS.get('LTC')!;
  const [codec, placeOf] = [await addressCodec(network), await placesOf(network)];
  const folder = mkdtempSync(join(tmpdir(), 'exchange-utxo-signer-'));
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, SIGNER_SECRET);
  const place = join(folder, 'socket');
  const settings = {
    SIGNER_NETWORK: 'LTC',
    SIGNER_LIMIT: limit,
    SIGNER_FEE_RATE: rate,
    SIGNER_COLD_WALLET: cold,
  };
  const terms = readUtxoSigningTerms(settings, codec);
  const open = () => {
    const journal = new UtxoJournal(folder);
    const signer = new UtxoSigner({
      terms,
      account: testAccount(),
      placeOf,
      codec,
      journal,
      secret: SIGNER_SECRET,
      digestKey: TEST_DIGEST_KEY,
      now,
    });
    return { journal, signer };
  };
  let running = open();
  await running.signer.listen(place);
  const stop = async () => {
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
    get journal() {
      return running.journal;
    },
    stop,
    /** Starts the signer again on the same folder after `stop`. */
    start: async () => {
      running = open();
      await running.signer.listen(place);
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The built signer as its operator runs it: a separate process with the mnemonic in an encrypted file. */
export async function aUtxoSignerProcess(limit: string) {
  requireBuiltServer();
  const folder = mkdtempSync(join(tmpdir(), 'exchange-utxo-signer-'));
  const fileIn = (name: string) => join(folder, name);
  const password = 'correct horse battery';
  writeFileSync(
    fileIn('key.json'),
    encryptKeystoreJsonSync(testWallet(), password, { scrypt: { N: 1 << 10 } }),
  );
  writeFileSync(fileIn('password'), `${password}\n`);
  writeFileSync(fileIn('secret'), SIGNER_SECRET);
  writeFileSync(fileIn('digest'), TEST_DIGEST_KEY.toString('hex'));
  let child: ChildProcess | undefined;
  const start = async () => {
    const started = spawn(process.execPath, [join(ROOT, 'apps/server/dist/utxo-signer.js')], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        SIGNER_NETWORK: 'LTC',
        SIGNER_PLACE: fileIn('socket'),
        SIGNER_KEYSTORE: fileIn('key.json'),
        SIGNER_PASSWORD_FILE: fileIn('password'),
        SIGNER_SECRET_FILE: fileIn('secret'),
        SIGNER_DIGEST_FILE: fileIn('digest'),
        SIGNER_FOLDER: fileIn('memory'),
        SIGNER_LIMIT: limit,
      },
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
    place: fileIn('socket'),
    secretFile: fileIn('secret'),
    /** Kills the process like a power failure. */
    kill,
    start,
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
