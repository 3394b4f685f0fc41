/**
 * `npm run utxo-signer`: the only process that can use the private key of the exchange's account of Litecoin,
 * Bitcoin or Dogecoin. It opens an encrypted wallet with its mnemonic, listens on a local socket or for
 * another machine, and signs batches of payments that were confirmed or approved at the exchange, within its
 * own limits. Each network needs a process and a folder of its own. Settings:
 *
 * | name                 | meaning                                                                              |
 * | -------------------- | ------------------------------------------------------------------------------------ |
 * | SIGNER_NETWORK       | LTC, BTC or DOGE                                                                     |
 * | SIGNER_PLACE         | path of a socket, or ADDRESS:PORT; equal to the exchange's LTC_SIGNER, BTC_SIGNER or DOGE_SIGNER |
 * | SIGNER_KEYSTORE      | the mnemonic behind LTC_XPUB, BTC_XPUB or DOGE_XPUB, as an encrypted JSON file of a wallet |
 * | SIGNER_PASSWORD_FILE | the password of that file                                                            |
 * | SIGNER_PATH          | the path of that account; default m/84'/2'/0' of LTC, m/84'/0'/0' of BTC, m/44'/3'/0' of DOGE |
 * | SIGNER_SECRET_FILE   | a secret of at least 32 characters, shared with the exchange                         |
 * | SIGNER_DIGEST_FILE   | the key that `npm run signer-key` prints: verifies what owners confirmed and operators approved |
 * | SIGNER_FOLDER        | the journal of signed batches; never lose it, never share it                         |
 * | SIGNER_LIMIT         | `ONCE/DAY`, in coins: limits of a payment and of 24 hours; without them no user is paid |
 * | SIGNER_FEE_RATE      | maximum fee in the smallest unit per virtual byte; default 500, of DOGE 100000       |
 * | SIGNER_FEE_ONCE      | maximum network fee of a transaction in coins; default 0.1 LTC, 0.05 BTC, 20 DOGE    |
 * | SIGNER_FEE_DAY       | maximum network fees of 24 hours in coins, including replacements and child transactions (child pays for parent); default 5 LTC, 1 BTC, 1000 DOGE |
 * | SIGNER_COLD_WALLET   | the cold wallet, the only receiver of surplus; without it no surplus is moved        |
 * | SIGNER_CA_FILE, SIGNER_CERT_FILE, SIGNER_KEY_FILE, SIGNER_CLIENT_NAME | certificates, as for `npm run signer` |
 */
import { HDNodeWallet } from 'ethers';
import { UtxoJournal } from '../platform/signer/utxo-journal.ts';
import { readSignerNetwork, readUtxoSigningTerms } from '../platform/signer/utxo-settings.ts';
import { UtxoSigner } from '../platform/signer/utxo-signer.ts';
import { addressCodec, placesOf } from '../platform/utxo/scripts.ts';
import { journalFolder, readKeystore, runSigner, signerParts } from '../platform/signer/signer-process.ts';

const { env } = process;
const network = readSignerNetwork(env);
const codec = await addressCodec(network);
const terms = readUtxoSigningTerms(env, codec);
const parts = signerParts();
const journal = new UtxoJournal(journalFolder());
const signer = new UtxoSigner({
  ...parts,
  terms,
  account: await openAccount(),
  placeOf: await placesOf(network),
  codec,
  journal,
});
await runSigner(
  signer,
  journal,
  (place) =>
    `The signer of ${network.code} listens at ${place}; its first deposit address is ${signer.firstDepositAddress}, its own address ${signer.address}; it has signed ${journal.count} batches.`,
);

async function openAccount(): Promise<HDNodeWallet> {
  const wallet = await readKeystore('SIGNER_KEYSTORE');
  const mnemonic = 'mnemonic' in wallet ? wallet.mnemonic : null;
  if (mnemonic === null)
    throw new Error('SIGNER_KEYSTORE must hold a wallet with its mnemonic: addresses are derived from it');
  return HDNodeWallet.fromMnemonic(mnemonic, env['SIGNER_PATH']?.trim() ?? network.path);
}
