import { isChainAddress } from '@exchange/core/chain-address.ts';
import { HDNodeWallet } from 'ethers';
import { xrpAddressOf, type XrpKey } from '../xrp/transactions.ts';
import { readFeeLimit } from './fee-limit.ts';
import { readLimit } from './settings.ts';
import type { XrpSigningTerms } from './xrp-signer.ts';

const XRP_DIGITS = 6;
/** Default maximum in XRP of the network fees of all transactions that are signed within 24 hours. */
const FEES_DAY = '50';
/** Default maximum fee of a transaction in drops. */
const FEE_MAX = '5000';
/** The derivation path of an XRP Ledger account, as common wallets use it (SLIP 44). */
const XRP_PATH = "m/44'/144'/0'/0/0";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the limits and other terms by which the signer signs from its environment variables. Throws for an invalid
 * setting.
 */
export function readXrpSigningTerms(environment: Environment): XrpSigningTerms {
  const { SIGNER_LIMIT, SIGNER_FEE_DROPS = FEE_MAX, SIGNER_NETWORK_ID = '0' } = environment;
  const cold = environment['SIGNER_COLD_WALLET'];
  if (cold !== undefined && !isChainAddress('ripple', cold))
    throw new Error('SIGNER_COLD_WALLET must be an account of the XRP Ledger');
  if (!/^[1-9]\d{0,8}$/.test(SIGNER_FEE_DROPS)) throw new Error('SIGNER_FEE_DROPS must be a whole number');
  if (!/^\d{1,9}$/.test(SIGNER_NETWORK_ID)) throw new Error('SIGNER_NETWORK_ID must be a whole number');
  return {
    networkId: Number(SIGNER_NETWORK_ID),
    limit: SIGNER_LIMIT === undefined ? undefined : readLimit(SIGNER_LIMIT),
    fees: readFeeLimit(environment, {
      coin: 'XRP',
      digits: XRP_DIGITS,
      once: BigInt(SIGNER_FEE_DROPS),
      day: FEES_DAY,
    }),
    cold,
  };
}

/** Derives the key and address of an account from a mnemonic and a derivation path. Throws without a mnemonic. */
export async function xrpAccount(
  mnemonic: HDNodeWallet['mnemonic'],
  path = XRP_PATH,
): Promise<{ readonly key: XrpKey; readonly address: string }> {
  if (mnemonic === null)
    throw new Error('SIGNER_KEYSTORE must hold a wallet with its mnemonic: the key is derived from it');
  const { publicKey, privateKey } = HDNodeWallet.fromMnemonic(mnemonic, path);
  const key = { publicKey: publicKey.slice(2), privateKey: privateKey.slice(2) };
  return { key, address: await xrpAddressOf(key.publicKey) };
}
