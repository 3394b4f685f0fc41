/**
 * `npm run signer`: the process that holds the private key for sending coins, which no other process has. It
 * opens an encrypted key file, listens on a local socket, and signs payments that the exchange approved,
 * within its own limits. Settings:
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
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { Wallet } from 'ethers';
import { systemClock } from '../platform/clock.ts';
import { readSecret } from '../platform/signer/client.ts';
import { depositKeys, readDigestKey, readSigningTerms } from '../platform/signer/settings.ts';
import { SigningJournal } from '../platform/signer/journal.ts';
import { Signer } from '../platform/signer/signer.ts';

const { env } = process;
const requiredSetting = (name: string): string => {
  const value = env[name]?.trim();
  if (value === undefined || value === '') throw new Error(`${name} must be set`);
  return value;
};

const terms = readSigningTerms(env);
const password = readFileSync(requiredSetting('SIGNER_PASSWORD_FILE'), 'utf8').replace(/\r?\n$/, '');
const wallet = await Wallet.fromEncryptedJson(
  readFileSync(requiredSetting('SIGNER_KEYSTORE'), 'utf8'),
  password,
);
const depositsFile = env['SIGNER_DEPOSITS_KEYSTORE'];
const deposits =
  depositsFile === undefined
    ? undefined
    : depositKeys(
        await Wallet.fromEncryptedJson(readFileSync(depositsFile, 'utf8'), password),
        env['SIGNER_DEPOSITS_PATH'] ?? "m/44'/60'/0'",
      );
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
});
const place = requiredSetting('SIGNER_PLACE');
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
