import { isChainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { readAccountKey, type ExtendedKeyProblem } from '@exchange/core/extended-key.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { TRON, TRON_GENESIS } from '@exchange/core/tron-network.ts';
import {
  coinBoundsOf,
  type HotBounds,
  isNodeUrl,
  partsOf,
  readCoinBounds,
  SIGNER_FIELDS,
  type SignerConfig,
  signerOf,
} from './chain-config.ts';
import type { Environment } from './setting-fields.ts';

const PREFIX = 'TRON';
const FIELDS = [
  'RPC_URL',
  'FULL_URL',
  'SECOND_URL',
  'XPUB',
  'CHAIN',
  'TOKENS',
  'START_BLOCK',
  'RESERVES',
  'WALLET',
  ...SIGNER_FIELDS,
  'COLD_WALLET',
  'HOT_BOUNDS',
  'FEE_TRX',
  'SWEEP_LEAST',
] as const;
type Field = (typeof FIELDS)[number];
const REQUIRED: readonly Field[] = ['RPC_URL', 'XPUB', 'TOKENS'];
/** Names of the settings for payments from the hot wallet. Either all of them are set or none. */
const SENDING: readonly Field[] = ['WALLET', 'SIGNER', 'SIGNER_SECRET_FILE'];
const FEE_TRX = '60';
const TRX_DIGITS = 6;
const CHAINS = [...TRON_GENESIS.keys()];
const MAIN = 'main';

/** Configuration of TRON, through which users deposit and withdraw tokens. */
export interface TronConfig {
  readonly rpcUrl: string;
  /** URL of the node that accepts transactions; undefined if this is the node at `rpcUrl`. */
  readonly fullUrl: string | undefined;
  /** URL of a second node, whose blocks are compared with those of the first; undefined without a second node. */
  readonly secondUrl: string | undefined;
  /** Extended public key (xpub) of the account from which deposit addresses are derived. */
  readonly xpub: string;
  /** Name of the TRON network, which is a key of `TRON_GENESIS`, e.g. `main`. */
  readonly chain: string;
  /** Each token's contract address in base 58 and number of decimals, by coin. */
  readonly tokens: ReadonlyMap<string, { readonly contract: string; readonly digits: number }>;
  readonly startBlock: number | undefined;
  readonly reserves: readonly string[];
  /** The hot wallet and its signer; undefined if the exchange accepts deposits but sends no withdrawals. */
  readonly sending: (SignerConfig & { readonly wallet: string }) | undefined;
  readonly cold: string | undefined;
  /** Lower bound, target and upper bound of the hot wallet's balance in coins, by coin code. */
  readonly bounds: ReadonlyMap<string, HotBounds>;
  /** Maximum fee limit of a transaction, in sun. */
  readonly feeMost: bigint;
  /**
   * Minimum value in USDT of a deposit address's balance that is swept; undefined if deposit addresses are not swept.
   */
  readonly sweepLeast: Decimal | undefined;
}

const KEY_PROBLEMS: Readonly<Record<ExtendedKeyProblem, string>> = {
  malformed: 'must be the extended public key of an account, such as xpub…',
  private: 'is a private key: the server takes only the public one, and this one should not be used any more',
  depth: "must be the key of an account, m/44'/195'/0', not of a wallet or an address",
};

const readerOf = (settings: Environment) => (field: Field) => settings[`${PREFIX}_${field}`];

/**
 * Reads the settings of TRON; returns undefined if none is set. `tronProblems` must have returned no problems for
 * `settings`.
 */
export function tronOf(settings: Environment): TronConfig | undefined {
  const read = readerOf(settings);
  const [rpcUrl, key] = [read('RPC_URL'), read('XPUB')];
  const xpub = key === undefined ? undefined : readAccountKey(key);
  const tokens = readTokens(read('TOKENS') ?? '');
  if (rpcUrl === undefined || xpub?.ok !== true || tokens === undefined) return undefined;
  const startBlock = read('START_BLOCK');
  const [wallet, signer] = [read('WALLET'), signerOf(PREFIX, read)];
  return {
    rpcUrl,
    fullUrl: read('FULL_URL'),
    secondUrl: read('SECOND_URL'),
    xpub: xpub.value,
    chain: read('CHAIN') ?? MAIN,
    tokens,
    startBlock: startBlock === undefined ? undefined : Number(startBlock),
    reserves: partsOf(read('RESERVES')),
    sending:
      wallet === undefined || signer === undefined
        ? undefined
        : {
            wallet,
            signer: signer.signer,
            secretFile: signer.secretFile,
            tls: signer.tls,
          },
    cold: read('COLD_WALLET'),
    bounds: coinBoundsOf(read('HOT_BOUNDS')),
    feeMost: Decimal.parse(read('FEE_TRX') ?? FEE_TRX).toScaled(TRX_DIGITS),
    sweepLeast: read('SWEEP_LEAST') === undefined ? undefined : Decimal.parse(read('SWEEP_LEAST')!),
  };
}

/**
 * Describes the problems of the settings of TRON; empty if there are none or if none of these settings is set. If
 * required settings are missing, the result is one sentence that names them all; otherwise there is a sentence for each
 * invalid setting. No sentence repeats a key or a URL.
 */
export function tronProblems(settings: Environment): string[] {
  const read = readerOf(settings);
  if (FIELDS.every((field) => read(field) === undefined)) return [];
  const missing = REQUIRED.filter((field) => read(field) === undefined);
  if (missing.length > 0)
    return [`${missing.map((field) => `${PREFIX}_${field}`).join(' and ')} must be set too`];
  const problems: string[] = [];
  const require = (field: Field, isRight: boolean, problem: string) => {
    if (!isRight) problems.push(`${PREFIX}_${field} ${problem}`);
  };
  for (const field of ['RPC_URL', 'FULL_URL', 'SECOND_URL'] as const)
    require(field, read(field) === undefined ||
      isNodeUrl(read(field)!), 'must be an http:// or https:// address without a password');
  const key = readAccountKey(read('XPUB')!);
  if (!key.ok) problems.push(`${PREFIX}_XPUB ${KEY_PROBLEMS[key.refusal]}`);
  const chain = read('CHAIN') ?? MAIN;
  require('CHAIN', CHAINS.includes(chain), `must be ${CHAINS.join(' or ')}, not "${chain}"`);
  const isDemo = (settings['MODE'] ?? 'demo') === 'demo';
  require('CHAIN', isDemo !== (chain === MAIN), isDemo
    ? 'must be a test network in a demo, whose coins are no money'
    : 'must be main in live mode: the coins of other networks are no money');
  const tokens = readTokens(read('TOKENS')!);
  require('TOKENS', tokens !== undefined, 'must be COIN=T…:DIGITS, parted by commas');
  const unlisted = [...(tokens?.keys() ?? [])].filter((asset) => findCoinNetwork(asset, TRON) === undefined);
  require('TOKENS', unlisted.length === 0, `names ${unlisted.join(', ')}, which has no network ${TRON} here`);
  const start = read('START_BLOCK');
  require('START_BLOCK', start === undefined ||
    /^[1-9]\d{0,9}$/.test(start), 'must be a whole number from 1 on');
  const wrong = partsOf(read('RESERVES')).find((text) => !isChainAddress('tron', text));
  require('RESERVES', wrong === undefined, `must be addresses of TRON, parted by commas, not "${wrong}"`);
  return [...problems, ...sendingProblems(read)];
}

/**
 * Describes each missing or invalid setting for payments and sweeps on TRON in a sentence; empty if there are
 * none.
 */
function sendingProblems(read: (field: Field) => string | undefined): string[] {
  const problems: string[] = [];
  const require = (field: Field, isRight: boolean, problem: string) => {
    if (!isRight) problems.push(`${PREFIX}_${field} ${problem}`);
  };
  const missing = SENDING.filter((field) => read(field) === undefined);
  if (missing.length > 0 && missing.length < SENDING.length)
    problems.push(
      `${missing.map((field) => `${PREFIX}_${field}`).join(' and ')} must be set too: payments need all of ${SENDING.map((field) => `${PREFIX}_${field}`).join(', ')}`,
    );
  try {
    signerOf(PREFIX, read);
  } catch (cause) {
    problems.push(`${PREFIX}_SIGNER is incomplete: ${(cause as Error).message}`);
  }
  const [wallet, cold] = [read('WALLET'), read('COLD_WALLET')];
  require('WALLET', wallet === undefined || isChainAddress('tron', wallet), 'must be an address of TRON');
  const isCold = cold === undefined || (isChainAddress('tron', cold) && cold !== wallet);
  require('COLD_WALLET', isCold, `must be another address of TRON than ${PREFIX}_WALLET`);
  const isAmount = (text: string | undefined) =>
    text === undefined || Decimal.tryParse(text)?.isPositive() === true;
  const fee = read('FEE_TRX');
  const isFee = isAmount(fee) && Decimal.parse(fee ?? FEE_TRX).fits(TRX_DIGITS);
  require('FEE_TRX', isFee, 'must be a number of TRX above 0');
  const least = read('SWEEP_LEAST');
  require('SWEEP_LEAST', isAmount(least), 'must be an amount of USDT above 0');
  require('SWEEP_LEAST', least === undefined || wallet !== undefined, `needs ${PREFIX}_WALLET`);
  const text = read('HOT_BOUNDS');
  if (text === undefined) return problems;
  const bounds = readCoinBounds(text);
  if (typeof bounds === 'string') return [...problems, `${PREFIX}_HOT_BOUNDS must be ${bounds}`];
  require('HOT_BOUNDS', wallet !== undefined &&
    cold !== undefined, `needs ${PREFIX}_WALLET and ${PREFIX}_COLD_WALLET`);
  const tokens = readTokens(read('TOKENS')!);
  const unknown = [...bounds.keys()].filter((asset) => tokens?.has(asset) !== true);
  require('HOT_BOUNDS', unknown.length === 0, `names ${unknown.join(', ')}, which this chain does not pay`);
  return problems;
}

/**
 * Parses the tokens of the TRON network from text such as `USDT=T…:6, …`, which gives each coin's contract and number
 * of decimals. Returns undefined for an invalid text.
 */
function readTokens(
  text: string,
): Map<string, { readonly contract: string; readonly digits: number }> | undefined {
  const tokens = new Map<string, { contract: string; digits: number }>();
  for (const part of partsOf(text)) {
    const [, asset, contract = '', digits] = /^([A-Z0-9]{1,12})=(T\w{33}):(\d|1[0-8])$/.exec(part) ?? [];
    if (asset === undefined || !isChainAddress('tron', contract)) return undefined;
    tokens.set(asset, { contract, digits: Number(digits) });
  }
  return tokens;
}
