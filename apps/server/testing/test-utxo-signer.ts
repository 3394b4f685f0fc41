import { encryptKeystoreJsonSync } from 'ethers';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { UtxoJournal } from '../src/platform/signer/utxo-journal.ts';
import { readUtxoSigningTerms } from '../src/platform/signer/utxo-settings.ts';
import { UtxoSigner } from '../src/platform/signer/utxo-signer.ts';
import { addressCodec, placesOf } from '../src/platform/utxo/scripts.ts';
import { testAccount, testWallet } from './litecoind.ts';
import { aSignerIn, aSignerProcessOf, KEYSTORE } from './signers.ts';

/**
 * Starts a signer in this process for the Litecoin account `testAccount`. It listens at a Unix socket, and its journal
 * is in a temporary folder. `limit` has the form `ONCE/DAY`: the maximum LTC of one payment and of one day. `rate` is
 * the maximum fee in litoshis per virtual byte.
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
  const settings = {
    SIGNER_NETWORK: 'LTC',
    SIGNER_LIMIT: limit,
    SIGNER_FEE_RATE: rate,
    SIGNER_COLD_WALLET: cold,
  };
  const terms = readUtxoSigningTerms(settings, codec);
  return aSignerIn((folder, parts) => {
    const journal = new UtxoJournal(folder);
    const signer = new UtxoSigner({ ...parts, terms, account: testAccount(), placeOf, codec, journal, now });
    return { journal, signer };
  });
}

/**
 * Starts the built Litecoin signer as an operator runs it: as a separate process, with the mnemonic in an encrypted
 * file.
 */
export async function aUtxoSignerProcess(limit: string) {
  return aSignerProcessOf(
    'utxo-signer',
    { SIGNER_KEYSTORE: encryptKeystoreJsonSync(testWallet(), KEYSTORE.password, KEYSTORE.options) },
    { SIGNER_NETWORK: 'LTC', SIGNER_LIMIT: limit },
  );
}
