/**
 * `npm run signer`: the signer of an EVM chain, the only process that can use the hot wallet's private key. It opens an
 * encrypted key file or uses a key in Web3Signer, listens on a local socket or for another machine, and signs payments
 * that were confirmed or approved at the exchange, within its own limits. Settings:
 *
 * | name                 | meaning                                                                              |
 * | -------------------- | ------------------------------------------------------------------------------------ |
 * | SIGNER_PLACE         | path of a socket, or ADDRESS:PORT; equal to the exchange's EVM_SIGNER, or BEP20_SIGNER and so on; one signer per network |
 * | SIGNER_KEYSTORE      | the key, as an encrypted JSON file of a wallet                                       |
 * | SIGNER_PASSWORD_FILE | the password of that file                                                            |
 * | SIGNER_SECRET_FILE   | a secret of at least 32 characters, shared with the exchange                         |
 * | SIGNER_DIGEST_FILE   | the key that `npm run signer-key` prints: verifies what owners confirmed and operators approved |
 * | SIGNER_FOLDER        | the journal of signed payments; never lose it, never share it                        |
 * | SIGNER_CHAIN_ID      | the chain; default 1                                                                 |
 * | SIGNER_NETWORK       | code of the only network whose payments are signed; default that of SIGNER_CHAIN_ID, else ERC20 |
 * | SIGNER_FEE_MODEL     | eip1559 or legacy, equal to the exchange's EVM_FEE_MODEL; default eip1559             |
 * | SIGNER_COIN          | the chain's native coin; default that of the network, such as ETH, BNB or POL        |
 * | SIGNER_TOKENS        | `USDT=0x…:6, …`: contracts and decimals of their units                               |
 * | SIGNER_LIMITS        | `ETH=5/20, USDT=20000/100000`: limits of a payment and of 24 hours; a coin without limits is refused |
 * | SIGNER_COLD_WALLET   | the cold wallet, the only receiver of surplus; without it no surplus is moved        |
 * | SIGNER_DEPOSITS_KEYSTORE | the mnemonic behind EVM_XPUB, as an encrypted JSON file; without it nothing is swept  |
 * | SIGNER_DEPOSITS_PATH | the path of EVM_XPUB; default m/44'/60'/0'                                             |
 * | SIGNER_GAS           | `ONCE/DAY`: maximum gas, in coins, that is sent to a deposit address at once, and to all within 24 hours; default 0.02/2, on POLYGON 0.5/50, on ARBITRUM 0.002/0.5 |
 * | SIGNER_FEE_GWEI      | maximum price of a unit of gas in Gwei; default 500, on POLYGON 5000, on ARBITRUM 50 |
 * | SIGNER_FEE_ONCE      | maximum network fee of a transaction, in the native coin; default 0.05, on BEP20 0.02, on POLYGON 0.5, on ARBITRUM 0.01 |
 * | SIGNER_FEE_DAY       | maximum network fees of 24 hours, replacements included; default 5, on BEP20 2, on POLYGON 100, on ARBITRUM 1 |
 * | SIGNER_CA_FILE       | certificate of your own authority; required, like the next three, for a signer on another machine |
 * | SIGNER_CERT_FILE     | the signer's certificate from that authority                                         |
 * | SIGNER_KEY_FILE      | its private key                                                                      |
 * | SIGNER_CLIENT_NAME   | the name in the certificate of the exchange, the only client that is served          |
 * | SIGNER_WEB3SIGNER_URL | https://… (or http://… on this machine) of a Web3Signer with the key, instead of SIGNER_KEYSTORE |
 * | SIGNER_WEB3SIGNER_PUBLIC_KEY | the wallet's public key in Web3Signer, 128 hex digits                        |
 * | SIGNER_WEB3SIGNER_CA_FILE, …_CERT_FILE, …_KEY_FILE, …_NAME | certificate files of this connection, and the name in Web3Signer's certificate |
 */
import { systemClock } from '../platform/clock.ts';
import { SigningJournal } from '../platform/signer/journal.ts';
import { depositKeys, readSigningTerms, readWeb3Signer } from '../platform/signer/settings.ts';
import { Signer } from '../platform/signer/signer.ts';
import { Web3SignerKey } from '../platform/signer/web3signer-key.ts';
import { journalFolder, readKeystore, runSigner, signerParts } from '../platform/signer/signer-process.ts';

const { env } = process;
const terms = readSigningTerms(env);
const remote = readWeb3Signer(env);
const wallet =
  remote === undefined
    ? await readKeystore('SIGNER_KEYSTORE')
    : new Web3SignerKey({ ...remote, now: () => systemClock.now() });
const deposits =
  env['SIGNER_DEPOSITS_KEYSTORE'] === undefined
    ? undefined
    : depositKeys(
        await readKeystore('SIGNER_DEPOSITS_KEYSTORE'),
        env['SIGNER_DEPOSITS_PATH'] ?? "m/44'/60'/0'",
      );
const parts = signerParts();
const journal = new SigningJournal(journalFolder());
const signer = new Signer({ ...parts, terms, wallet, deposits, journal });
await runSigner(
  signer,
  journal,
  (place) => `The signer of ${signer.address} listens at ${place}; it has signed ${journal.count} payments.`,
);
