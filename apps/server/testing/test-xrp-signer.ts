import { encryptKeystoreJsonSync, HDNodeWallet } from 'ethers';
import { XrpJournal } from '../src/platform/signer/xrp-journal.ts';
import { readXrpSigningTerms, xrpAccount } from '../src/platform/signer/xrp-settings.ts';
import { XrpSigner } from '../src/platform/signer/xrp-signer.ts';
import { aSignerIn, aSignerProcessOf, KEYSTORE } from './signers.ts';

/** The mnemonic of the XRP test account. It is public, so nothing of value may be sent there. */
const PHRASE = 'test test test test test test test test test test test junk';
/** Network id of the simulated XRP Ledger. Every transaction on it contains this id. */
export const XRP_TEST_NETWORK = 21_338;

/**
 * Returns the key and address of the account with the given index below the test mnemonic. Account 0 is the
 * exchange's hot wallet.
 */
export function testXrpAccount(number = 0) {
  return xrpAccount(HDNodeWallet.fromPhrase(PHRASE).mnemonic, `m/44'/144'/0'/0/${number}`);
}

/**
 * Starts a signer of the XRP Ledger in this process, which listens at a Unix socket. `limit` has the form
 * `ONCE/DAY`: the maximum XRP of one payment and of all payments within 24 hours.
 */
export async function anXrpSigner({
  limit = '100/1000',
  cold,
  feesDay,
  now = () => Date.now(),
}: {
  readonly limit?: string;
  readonly cold?: string;
  /** Maximum network fees in XRP of all transactions within 24 hours; the default if undefined. */
  readonly feesDay?: string;
  readonly now?: () => number;
} = {}) {
  const account = await testXrpAccount();
  const terms = readXrpSigningTerms({
    SIGNER_LIMIT: limit,
    SIGNER_COLD_WALLET: cold,
    SIGNER_FEE_DAY: feesDay,
    SIGNER_NETWORK_ID: String(XRP_TEST_NETWORK),
  });
  return aSignerIn((folder, parts) => {
    const journal = new XrpJournal(folder);
    const signer = new XrpSigner({ ...parts, ...account, terms, journal, now });
    return { journal, signer };
  });
}

/**
 * Starts the built XRP signer as an operator runs it: as a separate process, with the mnemonic in an encrypted file.
 */
export async function anXrpSignerProcess(limit: string) {
  const { mnemonic, address, privateKey } = HDNodeWallet.fromPhrase(PHRASE);
  const account = { address, privateKey, mnemonic: { entropy: mnemonic!.entropy, path: "m/44'/60'/0'/0/0" } };
  const keystore = encryptKeystoreJsonSync(account, KEYSTORE.password, KEYSTORE.options);
  return aSignerProcessOf(
    'xrp-signer',
    { SIGNER_KEYSTORE: keystore },
    { SIGNER_LIMIT: limit, SIGNER_NETWORK_ID: String(XRP_TEST_NETWORK) },
  );
}
