import { encryptKeystoreJsonSync } from 'ethers';
import { UTXO_NETWORKS, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import { UtxoJournal } from '../src/platform/signer/utxo-journal.ts';
import { readUtxoSigningTerms } from '../src/platform/signer/utxo-settings.ts';
import { UtxoSigner } from '../src/platform/signer/utxo-signer.ts';
import { addressCodec, placesOf } from '../src/platform/utxo/scripts.ts';
import { testAccount, testWallet } from './litecoind.ts';
import { aSignerIn, aSignerProcessOf, KEYSTORE } from './signers.ts';

/**
 * Starts a signer in this process for the account `testAccount` of a network, by default Litecoin. It listens
 * at a Unix socket, and its journal is in a temporary folder. `limit` has the form `ONCE/DAY`: the maximum
 * coins of one payment and of all payments within 24 hours. `rate` is the maximum fee in the smallest unit
 * per virtual byte; if undefined, it is 300 for Litecoin and the default of the network for other networks.
 */
export async function aUtxoSigner({
  code = 'LTC',
  limit = '10/1000',
  rate = code === 'LTC' ? '300' : undefined,
  cold,
  fees,
  now = () => Date.now(),
}: {
  readonly code?: UtxoNetwork['code'];
  readonly limit?: string;
  readonly rate?: string | undefined;
  readonly cold?: string;
  /**
   * Maximum network fees in coins, of a single transaction (`once`) and of all transactions within 24 hours
   * (`day`); the defaults if undefined.
   */
  readonly fees?: { readonly once: string; readonly day: string };
  readonly now?: () => number;
} = {}) {
  const network = UTXO_NETWORKS.get(code)!;
  const [codec, placeOf] = [await addressCodec(network), await placesOf(network)];
  const settings = {
    SIGNER_NETWORK: code,
    SIGNER_LIMIT: limit,
    SIGNER_FEE_RATE: rate,
    SIGNER_COLD_WALLET: cold,
    SIGNER_FEE_ONCE: fees?.once,
    SIGNER_FEE_DAY: fees?.day,
  };
  const terms = readUtxoSigningTerms(settings, codec);
  return aSignerIn((folder, parts) => {
    const journal = new UtxoJournal(folder);
    const signer = new UtxoSigner({
      ...parts,
      terms,
      account: testAccount(code),
      placeOf,
      codec,
      journal,
      now,
    });
    return { journal, signer };
  });
}

/**
 * Starts the built signer of a network, by default Litecoin, as an operator runs it: as a separate process, with the
 * mnemonic in an encrypted file.
 */
export async function aUtxoSignerProcess(limit: string, code: UtxoNetwork['code'] = 'LTC') {
  return aSignerProcessOf(
    'utxo-signer',
    { SIGNER_KEYSTORE: encryptKeystoreJsonSync(testWallet(), KEYSTORE.password, KEYSTORE.options) },
    { SIGNER_NETWORK: code, SIGNER_LIMIT: limit },
  );
}
