import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encryptKeystoreJsonSync, HDNodeWallet } from 'ethers';
import { depositKeys } from '../src/platform/signer/settings.ts';
import { TronJournal } from '../src/platform/signer/tron-journal.ts';
import { readTronSigningTerms, tronAccount } from '../src/platform/signer/tron-settings.ts';
import { TronSigner } from '../src/platform/signer/tron-signer.ts';
import { TRON_USDT } from './fake-tron.ts';
import { aSignerIn, aSignerProcessOf, KEYSTORE, TEST_DIGEST_KEY } from './signers.ts';

/** The mnemonic of the TRON test wallets. It is public, so nothing of value may be sent there. */
const PHRASE = 'test test test test test test test test test test test junk';
/** Derivation path of the account whose children are the deposit addresses of the TRON test wallet. */
const DEPOSITS_PATH = "m/44'/195'/0'";

/** Returns the extended public key from which the deposit addresses of the TRON test wallet are derived. */
export function testTronXpub(): string {
  return HDNodeWallet.fromPhrase(PHRASE, '', DEPOSITS_PATH).neuter().extendedKey;
}

/** Returns the key and address of the hot wallet of tests. */
export function testTronAccount() {
  return tronAccount(HDNodeWallet.fromPhrase(PHRASE));
}

/**
 * Starts a signer of TRON in this process, which listens at a Unix socket. `limit` has the form `ONCE/DAY`:
 * the maximum USDT of one payment and of all payments within 24 hours.
 */
export async function aTronSigner({
  limit = '1000/10000',
  cold,
  gas = '60/6000',
  feesDay,
  now = () => Date.now(),
}: {
  readonly limit?: string;
  readonly cold?: string;
  readonly gas?: string;
  /** Maximum TRX that all transactions within 24 hours can burn; the default if undefined. */
  readonly feesDay?: string;
  readonly now?: () => number;
} = {}) {
  const wallet = HDNodeWallet.fromPhrase(PHRASE);
  const account = testTronAccount();
  const terms = readTronSigningTerms({
    SIGNER_TOKENS: `USDT=${TRON_USDT}:6`,
    SIGNER_LIMITS: `USDT=${limit}`,
    SIGNER_COLD_WALLET: cold,
    SIGNER_GAS: gas,
    SIGNER_FEE_DAY: feesDay,
  });
  const deposits = depositKeys(wallet, DEPOSITS_PATH);
  return aSignerIn((folder, parts) => {
    const journal = new TronJournal(folder);
    const signer = new TronSigner({ ...parts, ...account, terms, deposits, journal, now });
    return { journal, signer };
  });
}

/**
 * Starts the built TRON signer as an operator runs it: as a separate process, with the mnemonic in an encrypted file.
 */
export async function aTronSignerProcess(limit: string) {
  const { mnemonic, address, privateKey } = HDNodeWallet.fromPhrase(PHRASE);
  const account = { address, privateKey, mnemonic: { entropy: mnemonic!.entropy, path: "m/44'/60'/0'/0/0" } };
  const keystore = encryptKeystoreJsonSync(account, KEYSTORE.password, KEYSTORE.options);
  return aSignerProcessOf(
    'tron-signer',
    { SIGNER_KEYSTORE: keystore, SIGNER_DEPOSITS_KEYSTORE: keystore },
    { SIGNER_TOKENS: `USDT=${TRON_USDT}:6`, SIGNER_LIMITS: `USDT=${limit}` },
  );
}

/**
 * Starts a TRON signer in this process that continues a killed signer process: it uses the same folder and socket, and
 * takes the time from `now`.
 */
export async function continueTronSigner(
  {
    folder,
    place,
    secretFile,
  }: { readonly folder: string; readonly place: string; readonly secretFile: string },
  limit: string,
  now: () => number,
) {
  const journal = new TronJournal(join(folder, 'memory'));
  const signer = new TronSigner({
    secret: readFileSync(secretFile, 'utf8'),
    digestKey: TEST_DIGEST_KEY,
    ...testTronAccount(),
    terms: readTronSigningTerms({ SIGNER_TOKENS: `USDT=${TRON_USDT}:6`, SIGNER_LIMITS: `USDT=${limit}` }),
    deposits: undefined,
    journal,
    now,
  });
  await signer.listen(place);
  return {
    close: async () => {
      await signer.close();
      journal.close();
    },
  };
}
