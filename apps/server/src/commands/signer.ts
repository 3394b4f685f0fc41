/**
 * `npm run signer`: the process that alone has the key coins are sent with. It opens an encrypted key, listens at a place
 * of this machine, and signs payments that the exchange approved, within limits of its own. Its settings:
 *
 * | name                 | meaning                                                                          |
 * | -------------------- | -------------------------------------------------------------------------------- |
 * | SIGNER_PLACE         | a socket's path, or 127.0.0.1:PORT; the exchange's EVM_SIGNER                     |
 * | SIGNER_KEYSTORE      | the key, an encrypted JSON file as wallets write it                              |
 * | SIGNER_PASSWORD_FILE | the password of that file                                                        |
 * | SIGNER_SECRET_FILE   | 32 characters at least that the exchange has too                                 |
 * | SIGNER_FOLDER        | where it remembers what it signed; never lose it, never share it                 |
 * | SIGNER_CHAIN_ID      | the chain, 1 without it                                                          |
 * | SIGNER_COIN          | the chain's own coin, ETH without it                                             |
 * | SIGNER_TOKENS        | `USDT=0x…:6, …`: contracts and the digits of their units                         |
 * | SIGNER_LIMITS        | `ETH=5/20, USDT=20000/100000`: most at once and within a day; others are refused |
 * | SIGNER_FEE_GWEI      | the most for a unit of gas, 500 without it                                       |
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { Wallet } from 'ethers';
import { systemClock } from '../platform/clock.ts';
import { readSecret } from '../platform/signer/client.ts';
import { SigningJournal } from '../platform/signer/journal.ts';
import { readSigningTerms } from '../platform/signer/settings.ts';
import { Signer } from '../platform/signer/signer.ts';

const { env } = process;
const needed = (name: string): string => {
  const value = env[name]?.trim();
  if (value === undefined || value === '') throw new Error(`${name} must be set`);
  return value;
};

const terms = readSigningTerms(env);
const password = readFileSync(needed('SIGNER_PASSWORD_FILE'), 'utf8').replace(/\r?\n$/, '');
const wallet = await Wallet.fromEncryptedJson(readFileSync(needed('SIGNER_KEYSTORE'), 'utf8'), password);
const folder = needed('SIGNER_FOLDER');
mkdirSync(folder, { recursive: true, mode: 0o700 });
const journal = new SigningJournal(folder);
const signer = new Signer({
  terms,
  wallet,
  journal,
  now: () => systemClock.now(),
  secret: readSecret(needed('SIGNER_SECRET_FILE')),
});
const place = needed('SIGNER_PLACE');
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
