import { isChainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { TRON_COIN } from '@exchange/core/tron-network.ts';
import { HDNodeWallet, type BaseWallet } from 'ethers';
import { tronAddressOf } from '../tron/transactions.ts';
import { readFeeLimit } from './fee-limit.ts';
import type { SigningLimit } from './line-signer.ts';
import { readLimits } from './settings.ts';
import type { TronSigningTerms } from './tron-signer.ts';

/** Default maximum fee limit of a transaction in TRX. */
const FEE_MAX = '100';
/** Default maximum of the TRX that all transactions that are signed within 24 hours can burn. */
const FEES_DAY = '20000';
/** Default limits of TRX sent to deposit addresses: per transfer and within 24 hours. */
const GAS_LIMIT = '60/6000';
const TRX_DIGITS = 6;
/** Derivation path of the hot wallet's key. Deposit addresses belong to another account, m/44'/195'/0'. */
const HOT_PATH = "m/44'/195'/1'/0/0";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the limits and other terms by which the signer signs from its environment variables. Throws for an invalid
 * setting.
 */
export function readTronSigningTerms(environment: Environment): TronSigningTerms {
  const {
    SIGNER_TOKENS = '',
    SIGNER_LIMITS = '',
    SIGNER_FEE_TRX = FEE_MAX,
    SIGNER_GAS = GAS_LIMIT,
  } = environment;
  const cold = environment['SIGNER_COLD_WALLET'];
  if (cold !== undefined && !isChainAddress('tron', cold))
    throw new Error('SIGNER_COLD_WALLET must be an address of TRON');
  const feeMax = Decimal.tryParse(SIGNER_FEE_TRX);
  if (feeMax === undefined || !feeMax.isPositive() || !feeMax.fits(TRX_DIGITS))
    throw new Error('SIGNER_FEE_TRX must be a number of TRX');
  return {
    tokens: readTokens(SIGNER_TOKENS),
    limits: readLimits(SIGNER_LIMITS),
    fees: readFeeLimit(environment, {
      coin: TRON_COIN,
      digits: TRX_DIGITS,
      once: feeMax.toScaled(TRX_DIGITS),
      day: FEES_DAY,
    }),
    cold,
    gas: readGas(SIGNER_GAS),
  };
}

/**
 * Returns the key and address of the hot wallet: those at the derivation path `path` of the wallet's
 * mnemonic. For a wallet without a mnemonic they are the wallet's own key and address.
 */
export function tronAccount(
  wallet: BaseWallet | HDNodeWallet,
  path = HOT_PATH,
): { readonly key: string; readonly address: string } {
  const mnemonic = 'mnemonic' in wallet ? wallet.mnemonic : null;
  const { privateKey, address } = mnemonic === null ? wallet : HDNodeWallet.fromMnemonic(mnemonic, path);
  return { key: privateKey, address: tronAddressOf(address) };
}

function readTokens(text: string): TronSigningTerms['tokens'] {
  return new Map(
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => {
        const [, asset = '', contract = '', digits = ''] =
          /^([A-Z0-9]{1,12})=(T\w{33}):(\d|1[0-8])$/.exec(part) ?? [];
        if (!isChainAddress('tron', contract)) throw new Error(`"${part}" must be COIN=T…:DIGITS`);
        return [asset, { contract, digits: Number(digits) }] as const;
      }),
  );
}

function readGas(text: string): SigningLimit {
  const [once, day, further] = text.split('/').map((part) => Decimal.tryParse(part.trim()));
  if (once === undefined || day === undefined || further !== undefined)
    throw new Error('SIGNER_GAS must be ONCE/DAY, in TRX');
  return { once, day };
}
