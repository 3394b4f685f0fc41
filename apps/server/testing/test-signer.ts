import { encryptKeystoreJsonSync } from 'ethers';
import { SigningJournal } from '../src/platform/signer/journal.ts';
import {
  coldTransferDigest,
  returnDigest,
  withdrawalDigest,
  type ApprovedColdTransfer,
  type ApprovedReturn,
  type ConfirmedWithdrawal,
} from '../src/platform/signer/protocol.ts';
import { readSigningTerms } from '../src/platform/signer/settings.ts';
import { Signer } from '../src/platform/signer/signer.ts';
import type { TlsFiles } from '@exchange/core/signer-place.ts';
import { account, ANVIL_CHAIN, DEPOSITS_PATH, testDepositKeys, testDepositsAccount } from './anvil.ts';
import { aSignerIn, aSignerProcessOf, KEYSTORE, TEST_DIGEST_KEY } from './signers.ts';

/** Returns the digest that the test server computes when a user confirms a withdrawal. */
export function confirmedDigest(withdrawal: ConfirmedWithdrawal): string {
  return withdrawalDigest(TEST_DIGEST_KEY, withdrawal);
}

/**
 * Returns the digest that the test server computes when two operators approve a transfer to the cold wallet.
 */
export function coldDigest(transfer: ApprovedColdTransfer): string {
  return coldTransferDigest(TEST_DIGEST_KEY, transfer);
}

/**
 * Returns the digest that the test server computes when two operators approve the return of a transfer to its
 * sender.
 */
export function approvedReturnDigest(approved: ApprovedReturn): string {
  return returnDigest(TEST_DIGEST_KEY, approved);
}

interface SignerOptions {
  readonly address?: string;
  readonly cold?: string;
  /** Limits of the native coin that the signer sends to deposit addresses for gas, in the format of `SIGNER_GAS`. */
  readonly gas?: string;
  /**
   * Maximum network fees of a transaction and of all transactions within 24 hours, in the native coin; the
   * defaults if undefined.
   */
  readonly feeLimits?: { readonly once: string; readonly day: string };
  readonly tls?: TlsFiles;
  readonly feeModel?: string;
  readonly network?: string;
  readonly chainId?: number;
  /** Number of decimals of the token. */
  readonly digits?: number;
  /** Called for every refused connection or request, with the reason. */
  readonly warn?: (line: string) => void;
}

/**
 * Starts a signer in this process with the key of the test chain's first account. Its journal is in a temporary folder.
 * It listens at `address`, or by default at a Unix socket. `cold` is the address of the cold wallet, to which it may
 * move surplus.
 */
export async function aSigner(
  token: string,
  limits = 'ETH=10/1000, USDT=5000/100000',
  {
    address,
    cold,
    gas,
    feeLimits,
    tls,
    warn,
    feeModel,
    network,
    chainId = ANVIL_CHAIN,
    digits = 6,
  }: SignerOptions = {},
) {
  const terms = readSigningTerms({
    SIGNER_CHAIN_ID: String(chainId),
    SIGNER_NETWORK: network,
    SIGNER_FEE_MODEL: feeModel,
    SIGNER_TOKENS: `USDT=${token}:${digits}`,
    SIGNER_LIMITS: limits,
    SIGNER_COLD_WALLET: cold,
    SIGNER_GAS: gas,
    SIGNER_FEE_ONCE: feeLimits?.once,
    SIGNER_FEE_DAY: feeLimits?.day,
  });
  return aSignerIn((folder, parts) => {
    const journal = new SigningJournal(folder);
    const signer = new Signer({
      ...parts,
      terms,
      wallet: account(0),
      deposits: testDepositKeys(),
      journal,
      now: () => Date.now(),
      tls,
      warn,
    });
    return { journal, signer };
  }, address);
}

/**
 * Starts the built signer of EVM networks as an operator runs it: as a separate process, with the key in an
 * encrypted file.
 */
export async function aSignerProcess(token: string, limits = 'ETH=10/100, USDT=5000/20000', cold?: string) {
  const { address, privateKey } = account(0);
  const settings: Record<string, string> = {
    SIGNER_DEPOSITS_PATH: DEPOSITS_PATH,
    SIGNER_CHAIN_ID: String(ANVIL_CHAIN),
    SIGNER_TOKENS: `USDT=${token}:6`,
    SIGNER_LIMITS: limits,
  };
  if (cold !== undefined) settings['SIGNER_COLD_WALLET'] = cold;
  const encrypted = (key: Parameters<typeof encryptKeystoreJsonSync>[0]) =>
    encryptKeystoreJsonSync(key, KEYSTORE.password, KEYSTORE.options);
  return aSignerProcessOf(
    'signer',
    {
      SIGNER_KEYSTORE: encrypted({ address, privateKey }),
      SIGNER_DEPOSITS_KEYSTORE: encrypted(testDepositsAccount()),
    },
    settings,
  );
}
