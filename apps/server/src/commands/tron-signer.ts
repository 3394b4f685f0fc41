/**
 * `npm run tron-signer`: the only process that can use the key of the exchange's hot wallet on TRON. It opens an
 * encrypted wallet, listens on a local socket or for another machine, and signs payments that were confirmed or
 * approved at the exchange, within its own limits. Its clock must be correct, because the next transaction of a payment
 * is signed only when the earlier ones have expired by this clock. Settings:
 *
 * | name                 | meaning                                                                              |
 * | -------------------- | ------------------------------------------------------------------------------------ |
 * | SIGNER_PLACE         | path of a socket, or ADDRESS:PORT; equal to the exchange's TRON_SIGNER               |
 * | SIGNER_KEYSTORE      | the hot wallet, as an encrypted JSON file with a mnemonic or a key                   |
 * | SIGNER_PASSWORD_FILE | the password of that file                                                            |
 * | SIGNER_PATH          | the path of the hot wallet's key below a mnemonic; default m/44'/195'/1'/0/0         |
 * | SIGNER_SECRET_FILE   | a secret of at least 32 characters, shared with the exchange                         |
 * | SIGNER_DIGEST_FILE   | the key that `npm run signer-key` prints: verifies what owners confirmed and operators approved |
 * | SIGNER_FOLDER        | the journal of signed payments; never lose it, never share it                        |
 * | SIGNER_TOKENS        | `USDT=T…:6, …`: contracts and decimals of their units                                |
 * | SIGNER_LIMITS        | `USDT=20000/100000`: limits of a payment and of 24 hours; a coin without limits is refused |
 * | SIGNER_FEE_TRX       | maximum fee limit of a transaction in TRX; default 100                               |
 * | SIGNER_FEE_DAY       | maximum TRX that the transactions of 24 hours can burn; default 20000                |
 * | SIGNER_COLD_WALLET   | the cold wallet, the only receiver of surplus; without it no surplus is moved        |
 * | SIGNER_DEPOSITS_KEYSTORE | the mnemonic behind TRON_XPUB, as an encrypted JSON file; without it nothing is swept |
 * | SIGNER_DEPOSITS_PATH | the path of TRON_XPUB; default m/44'/195'/0'                                         |
 * | SIGNER_GAS           | `ONCE/DAY`: maximum TRX that are sent for sweeps to a deposit address at once, and to all within 24 hours; default 60/6000 |
 * | SIGNER_CA_FILE, SIGNER_CERT_FILE, SIGNER_KEY_FILE, SIGNER_CLIENT_NAME | certificates, as for `npm run signer` |
 */
import { TronJournal } from '../platform/signer/tron-journal.ts';
import { readTronSigningTerms, tronAccount } from '../platform/signer/tron-settings.ts';
import { TronSigner } from '../platform/signer/tron-signer.ts';
import { depositKeys } from '../platform/signer/settings.ts';
import { journalFolder, readKeystore, runSigner, signerParts } from '../platform/signer/signer-process.ts';

const { env } = process;
const terms = readTronSigningTerms(env);
const parts = signerParts();
const account = tronAccount(await readKeystore('SIGNER_KEYSTORE'), env['SIGNER_PATH']?.trim());
const deposits =
  env['SIGNER_DEPOSITS_KEYSTORE'] === undefined
    ? undefined
    : depositKeys(
        await readKeystore('SIGNER_DEPOSITS_KEYSTORE'),
        env['SIGNER_DEPOSITS_PATH'] ?? "m/44'/195'/0'",
      );
const journal = new TronJournal(journalFolder());
const signer = new TronSigner({ ...parts, ...account, terms, deposits, journal });
await runSigner(
  signer,
  journal,
  (place) => `The signer of ${signer.address} listens at ${place}; it has signed ${journal.count} payments.`,
);
