import { HDNodeWallet } from 'ethers';
import { depositKeys } from '../src/platform/signer/settings.ts';
import { TronJournal } from '../src/platform/signer/tron-journal.ts';
import { readTronSigningTerms, tronAccount } from '../src/platform/signer/tron-settings.ts';
import { TronSigner } from '../src/platform/signer/tron-signer.ts';
import { TRON_USDT } from './fake-tron.ts';
import { aSignerIn } from './signers.ts';

/** The mnemonic of the TRON test wallets; it is public, so nothing of value may be sent there. */
const PHRASE = 'test test test test test test test test test test test junk';
/** Path of the deposit addresses of the test wallet. */
const DEPOSITS_PATH = "m/44'/195'/0'";

/** Extended public key of the deposit addresses of the test wallet. */
export function testTronXpub(): string {
  return HDNodeWallet.fromPhrase(PHRASE, '', DEPOSITS_PATH).neuter().extendedKey;
}

/** A signer of TRON in this process. `limit` is `ONCE/DAY` in USDT. It listens at a socket. */
export async function aTronSigner({
  limit = '1000/10000',
  cold,
  gas = '60/6000',
  now = () => Date.now(),
}: {
  readonly limit?: string;
  readonly cold?: string;
  readonly gas?: string;
  readonly now?: () => number;
} = {}) {
  const wallet = HDNodeWallet.fromPhrase(PHRASE);
  const account = tronAccount(wallet);
  const terms = readTronSigningTerms({
    SIGNER_TOKENS: `USDT=${TRON_USDT}:6`,
    SIGNER_LIMITS: `USDT=${limit}`,
    SIGNER_COLD_WALLET: cold,
    SIGNER_GAS: gas,
  });
  const deposits = depositKeys(wallet, DEPOSITS_PATH);
  return aSignerIn((folder, parts) => {
    const journal = new TronJournal(folder);
    const signer = new TronSigner({ ...parts, ...account, terms, deposits, journal, now });
    return { journal, signer };
  });
}
