/**
 * `npm run xrp-signer`: the only process that can use the key of the exchange's account of the XRP Ledger. It opens an
 * encrypted wallet with its mnemonic, listens on a local socket or for another machine, and signs payments that were
 * confirmed or approved at the exchange, within its own limits. Settings:
 *
 * | name                 | meaning                                                                              |
 * | -------------------- | ------------------------------------------------------------------------------------ |
 * | SIGNER_PLACE         | path of a socket, or ADDRESS:PORT; equal to the exchange's XRP_SIGNER                |
 * | SIGNER_KEYSTORE      | the mnemonic of the account, as an encrypted JSON file of a wallet                   |
 * | SIGNER_PASSWORD_FILE | the password of that file                                                            |
 * | SIGNER_PATH          | the path of the account; default m/44'/144'/0'/0/0                                   |
 * | SIGNER_SECRET_FILE   | a secret of at least 32 characters, shared with the exchange                         |
 * | SIGNER_DIGEST_FILE   | the key that `npm run signer-key` prints: verifies what owners confirmed and operators approved |
 * | SIGNER_FOLDER        | the journal of signed payments; never lose it, never share it                        |
 * | SIGNER_LIMIT         | `ONCE/DAY`, in XRP: limits of a payment and of 24 hours; without them no user is paid |
 * | SIGNER_FEE_DROPS     | maximum fee of a transaction in drops; default 5000                                  |
 * | SIGNER_FEE_DAY       | maximum fees of 24 hours in XRP; default 50                                          |
 * | SIGNER_NETWORK_ID    | the network; default 0, the public one                                               |
 * | SIGNER_COLD_WALLET   | the cold wallet, the only receiver of surplus; without it no surplus is moved        |
 * | SIGNER_CA_FILE, SIGNER_CERT_FILE, SIGNER_KEY_FILE, SIGNER_CLIENT_NAME | certificates, as for `npm run signer` |
 */
import { XrpJournal } from '../platform/signer/xrp-journal.ts';
import { readXrpSigningTerms, xrpAccount } from '../platform/signer/xrp-settings.ts';
import { XrpSigner } from '../platform/signer/xrp-signer.ts';
import { journalFolder, readKeystore, runSigner, signerParts } from '../platform/signer/signer-process.ts';

const { env } = process;
const terms = readXrpSigningTerms(env);
const parts = signerParts();
const wallet = await readKeystore('SIGNER_KEYSTORE');
const account = await xrpAccount('mnemonic' in wallet ? wallet.mnemonic : null, env['SIGNER_PATH']?.trim());
const journal = new XrpJournal(journalFolder());
const signer = new XrpSigner({ ...parts, ...account, terms, journal });
await runSigner(
  signer,
  journal,
  (place) => `The signer of ${signer.address} listens at ${place}; it has signed ${journal.count} payments.`,
);
