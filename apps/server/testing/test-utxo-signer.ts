import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UtxoJournal } from '../src/platform/signer/utxo-journal.ts';
import { readUtxoSigningTerms } from '../src/platform/signer/utxo-settings.ts';
import { UtxoSigner } from '../src/platform/signer/utxo-signer.ts';
import { UTXO_NETWORKS } from '../src/platform/utxo/networks.ts';
import { addressCodec, placesOf } from '../src/platform/utxo/scripts.ts';
import { testAccount } from './litecoind.ts';
import { TEST_DIGEST_KEY } from './test-signer.ts';

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
