import { isChainAddress } from '@exchange/core/chain-address.ts';
import {
  type HotBounds,
  isNodeUrl,
  partsOf,
  readBounds,
  SIGNER_FIELDS,
  type SignerConfig,
  signerOf,
} from './chain-config.ts';
import type { Environment } from './setting-fields.ts';

const PREFIX = 'XRP';
const FIELDS = [
  'RPC_URL',
  'ACCOUNT',
  'NETWORK_ID',
  'START_LEDGER',
  'RESERVES',
  ...SIGNER_FIELDS,
  'COLD_WALLET',
  'HOT_BOUNDS',
  'FEE_DROPS',
] as const;
type Field = (typeof FIELDS)[number];
const REQUIRED: readonly Field[] = ['RPC_URL', 'ACCOUNT'];

/** Configuration of the XRP Ledger for deposits and withdrawals. */
export interface XrpConfig {
  readonly rpcUrl: string;
  readonly networkId: number;
  readonly account: string;
  readonly startLedger: number | undefined;
  readonly reserves: readonly string[];
  readonly sending: SignerConfig | undefined;
  readonly cold: string | undefined;
  /**
   * Lower bound, target and upper bound of the XRP account's balance, in XRP, not counting the reserve that
   * the ledger requires; undefined if none are set.
   */
  readonly bounds: HotBounds | undefined;
  /** Minimum and maximum fee, in drops, of the transactions that the exchange sends. */
  readonly fees: { readonly least: bigint; readonly most: bigint };
}

const FEE_DROPS = '12/2000';
const MAIN = '0';

const readerOf = (settings: Environment) => (field: Field) => settings[`${PREFIX}_${field}`];

/**
 * Reads the settings of the XRP Ledger; returns undefined if none is set. `xrpProblems` must have returned no problems
 * for `settings`.
 */
export function xrpOf(settings: Environment): XrpConfig | undefined {
  const read = readerOf(settings);
  const [rpcUrl, account] = [read('RPC_URL'), read('ACCOUNT')];
  if (rpcUrl === undefined || account === undefined) return undefined;
  const startLedger = read('START_LEDGER');
  return {
    rpcUrl,
    account,
    networkId: Number(read('NETWORK_ID') ?? MAIN),
    startLedger: startLedger === undefined ? undefined : Number(startLedger),
    reserves: partsOf(read('RESERVES')),
    sending: signerOf(PREFIX, read),
    cold: read('COLD_WALLET'),
    bounds: readBounds(read('HOT_BOUNDS')),
    fees: readFees(read('FEE_DROPS') ?? FEE_DROPS)!,
  };
}

/**
 * Describes the problems of the settings of the XRP Ledger; empty if there are none or if none of these settings is
 * set. If required settings are missing, the result is one sentence that names them all; otherwise there is a sentence
 * for each invalid setting. No sentence repeats a URL.
 */
export function xrpProblems(settings: Environment): string[] {
  const read = readerOf(settings);
  if (FIELDS.every((field) => read(field) === undefined)) return [];
  const missing = REQUIRED.filter((field) => read(field) === undefined);
  if (missing.length > 0)
    return [`${missing.map((field) => `${PREFIX}_${field}`).join(' and ')} must be set too`];
  const problems: string[] = [];
  const require = (field: Field, isRight: boolean, problem: string) => {
    if (!isRight) problems.push(`${PREFIX}_${field} ${problem}`);
  };
  const isAccount = (text: string) => isChainAddress('ripple', text);
  const account = read('ACCOUNT')!;
  const cold = read('COLD_WALLET');
  const isNode = isNodeUrl(read('RPC_URL')!);
  require('RPC_URL', isNode, 'must be an http:// or https:// address without a password');
  require('ACCOUNT', isAccount(account), 'must be an account of the XRP Ledger, such as r…, without a tag');
  const networkId = read('NETWORK_ID') ?? MAIN;
  require('NETWORK_ID', /^\d{1,9}$/.test(networkId), 'must be a whole number');
  const isDemo = (settings['MODE'] ?? 'demo') === 'demo';
  require('NETWORK_ID', isDemo !== (networkId === MAIN), isDemo
    ? 'must be that of a test network in a demo, whose coins are no money'
    : 'must be 0 in live mode: the coins of other networks are no money');
  const start = read('START_LEDGER');
  require('START_LEDGER', start === undefined || /^[1-9]\d{0,8}$/.test(start), 'must be a whole number');
  const wrong = partsOf(read('RESERVES')).find((text) => !isAccount(text) || text === account);
  require('RESERVES', wrong === undefined, `must be other accounts of the ledger, not "${wrong}"`);
  const isCold = cold === undefined || (isAccount(cold) && cold !== account);
  require('COLD_WALLET', isCold, 'must be another account of the ledger');
  return [...problems, ...sendingProblems(read)];
}

function sendingProblems(read: (field: Field) => string | undefined): string[] {
  const problems: string[] = [];
  const signer = read('SIGNER');
  if ((signer === undefined) !== (read('SIGNER_SECRET_FILE') === undefined))
    problems.push('XRP_SIGNER and XRP_SIGNER_SECRET_FILE must both be set, or neither');
  try {
    signerOf(PREFIX, read);
  } catch (cause) {
    problems.push(`XRP_SIGNER is incomplete: ${(cause as Error).message}`);
  }
  const bounds = read('HOT_BOUNDS');
  if (bounds !== undefined && readBounds(bounds) === undefined)
    problems.push('XRP_HOT_BOUNDS must be LEAST/TARGET/MOST, in XRP and rising');
  if (bounds !== undefined && (signer === undefined || read('COLD_WALLET') === undefined))
    problems.push('XRP_HOT_BOUNDS needs XRP_SIGNER and XRP_COLD_WALLET');
  if (readFees(read('FEE_DROPS') ?? FEE_DROPS) === undefined)
    problems.push(`XRP_FEE_DROPS must be LEAST/MOST in drops and not falling, such as ${FEE_DROPS}`);
  return problems;
}

/**
 * Parses the minimum and the maximum transaction fee from text such as `12/2000`, in drops. Returns undefined
 * for an invalid text, and if the minimum is below 10 drops or above the maximum.
 */
function readFees(text: string): XrpConfig['fees'] | undefined {
  const [, least = '0', most = '0'] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const fees = { least: BigInt(least), most: BigInt(most) };
  return fees.least >= 10n && fees.least <= fees.most ? fees : undefined;
}
