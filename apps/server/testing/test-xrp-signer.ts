import { encryptKeystoreJsonSync, HDNodeWallet } from 'ethers';
import { XrpJournal } from '../src/platform/signer/xrp-journal.ts';
import { readXrpSigningTerms, xrpAccount } from '../src/platform/signer/xrp-settings.ts';
import { XrpSigner } from '../src/platform/signer/xrp-signer.ts';
import { aSignerIn, aSignerProcessOf, KEYSTORE } from './signers.ts';

/** The mnemonic of the XRP test account. It is public, so nothing of value may be sent there. */
const PHRASE = 'test test test test test test test test test test test junk';
/** Network id of the test network. Its transactions contain it. */
export const XRP_TEST_NETWORK = 21_338;

/** The key and address of an account of the test mnemonic. Account 0 is the exchange's. */
export function testXrpAccount(number = 0) {
  return xrpAccount(HDNodeWallet.fromPhrase(PHRASE).mnemonic, `m/44'/144'/0'/0/${number}`);
}

/**
 * A signer of the XRP Ledger in this process, which listens at a Unix socket. `limit` has the form `ONCE/DAY`: the
 * maximum XRP of a payment and of a day.
 */
export async function anXrpSigner({
  limit = '100/1000',
  cold,
  now = () => Date.now(),
}: {
  readonly limit?: string;
  readonly cold?: string;
  readonly now?: () => number;
} = {}) {
  const account = await testXrpAccount();
  const terms = readXrpSigningTerms({
    SIGNER_LIMIT: limit,
    SIGNER_COLD_WALLET: cold,
    SIGNER_NETWORK_ID: String(XRP_TEST_NETWORK),
  });
  return aSignerIn((folder, parts) => {
    const journal = new XrpJournal(folder);
    const signer = new XrpSigner({ ...parts, ...account, terms, journal, now });
    return { journal, signer };
  });
}

/** The built signer as its operator runs it: a separate process with the mnemonic in an encrypted file. */
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
