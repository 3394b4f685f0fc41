/**
 * `npm run signer`: the process that alone can use the private key for sending coins. It opens an encrypted key
 * file or uses a key in Web3Signer, listens on a local socket or for another machine, and signs payments that the
 * exchange approved, within its own limits. Settings:
 *
 * | name                 | meaning                                                                              |
 * | -------------------- | ------------------------------------------------------------------------------------ |
 * | SIGNER_PLACE         | path of a socket, or ADDRESS:PORT; equal to the exchange's EVM_SIGNER                |
 * | SIGNER_KEYSTORE      | the key, as an encrypted JSON file of a wallet                                       |
 * | SIGNER_PASSWORD_FILE | the password of that file                                                            |
 * | SIGNER_SECRET_FILE   | a secret of at least 32 characters, shared with the exchange                         |
 * | SIGNER_DIGEST_FILE   | the key that `npm run signer-key` prints: only what owners confirmed is signed       |
 * | SIGNER_FOLDER        | the journal of signed payments; never lose it, never share it                        |
 * | SIGNER_CHAIN_ID      | the chain; default 1                                                                 |
 * | SIGNER_COIN          | the chain's native coin; default ETH                                                 |
 * | SIGNER_TOKENS        | `USDT=0x…:6, …`: contracts and decimals of their units                               |
 * | SIGNER_LIMITS        | `ETH=5/20, USDT=20000/100000`: limit of a payment and of a day; others are refused   |
 * | SIGNER_COLD_WALLET   | the cold wallet, the only receiver of surplus; without it none is moved              |
 * | SIGNER_DEPOSITS_KEYSTORE | the mnemonic behind EVM_XPUB, as an encrypted JSON file; without it nothing is swept  |
 * | SIGNER_DEPOSITS_PATH | the path of EVM_XPUB; default m/44'/60'/0'                                             |
 * | SIGNER_GAS           | `ONCE/DAY`: most of the coin that goes to a deposit address as gas; default 0.02/2     |
 * | SIGNER_FEE_GWEI      | greatest price of a unit of gas; default 500                                         |
 * | SIGNER_CA_FILE       | certificate of the own authority; needed with the next three for another machine     |
 * | SIGNER_CERT_FILE     | the signer's certificate from that authority                                         |
 * | SIGNER_KEY_FILE      | its private key                                                                      |
 * | SIGNER_CLIENT_NAME   | the name in the certificate of the exchange, the only one that is heard              |
 * | SIGNER_WEB3SIGNER_URL | https://… of a Web3Signer that holds the key, instead of SIGNER_KEYSTORE            |
 * | SIGNER_WEB3SIGNER_PUBLIC_KEY | the wallet's public key there, 128 hex digits                                |
 * | SIGNER_WEB3SIGNER_CA_FILE, …_CERT_FILE, …_KEY_FILE, …_NAME | certificates and name, as above                |
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { Wallet } from 'ethers';
import { systemClock } from '../platform/clock.ts';
import { readSecret } from '../platform/signer/client.ts';
import {
  depositKeys,
  readDigestKey,
  readSignerTls,
  readSigningTerms,
  readWeb3Signer,
} from '../platform/signer/settings.ts';
import { SigningJournal } from '../platform/signer/journal.ts';
import { Signer } from '../platform/signer/signer.ts';
import { Web3SignerKey } from '../platform/signer/web3signer-key.ts';

const SAME_WARNING_MS = 10_000;
let lastWarning: { readonly line: string; readonly at: number } = { line: '', at: 0 };

const { env } = process;
const requiredSetting = (name: string): string => {
  const value = env[name]?.trim();
  if (value === undefined || value === '') throw new Error(`${name} must be set`);
  return value;
};

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
const place = requiredSetting('SIGNER_PLACE');
const tls = readSignerTls(place, env);
/** Prints a warning, at most once in ten seconds if it is the same. */
const warn = (line: string) => {
  const now = systemClock.now();
  if (line === lastWarning.line && now - lastWarning.at < SAME_WARNING_MS) return;
  lastWarning = { line, at: now };
  process.stderr.write(`${line}\n`);
};
const folder = requiredSetting('SIGNER_FOLDER');
mkdirSync(folder, { recursive: true, mode: 0o700 });
const journal = new SigningJournal(folder);
const signer = new Signer({
  terms,
  wallet,
  deposits,
  journal,
  now: () => systemClock.now(),
  secret: readSecret(requiredSetting('SIGNER_SECRET_FILE')),
  digestKey: readDigestKey(requiredSetting('SIGNER_DIGEST_FILE')),
  tls,
  warn,
});
await signer.listen(place);
process.stdout.write(
  `The signer of ${signer.address} listens at ${place}; it has signed ${journal.count} payments.\n`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void signer.close().then(() => {
      journal.close();
      process.exit(0);
    });
  });

function readKeystore(setting: string) {
  const password = readFileSync(requiredSetting('SIGNER_PASSWORD_FILE'), 'utf8').replace(/\r?\n$/, '');
  return Wallet.fromEncryptedJson(readFileSync(requiredSetting(setting), 'utf8'), password);
}
