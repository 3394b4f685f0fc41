import { isChainAddress } from '@exchange/core/chain-address.ts';
import { readAccountKey, type ExtendedKeyProblem } from '@exchange/core/extended-key.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { TRON, TRON_GENESIS } from '@exchange/core/tron-network.ts';
import { isNodeUrl, partsOf } from './chain-config.ts';
import type { Environment } from './setting-fields.ts';

const PREFIX = 'TRON';
const FIELDS = ['RPC_URL', 'XPUB', 'CHAIN', 'TOKENS', 'START_BLOCK', 'RESERVES'] as const;
type Field = (typeof FIELDS)[number];
const REQUIRED: readonly Field[] = ['RPC_URL', 'XPUB', 'TOKENS'];
const CHAINS = [...TRON_GENESIS.keys()];
const MAIN = 'main';

/** Settings of TRON, on which tokens can be deposited only. */
export interface TronConfig {
  readonly rpcUrl: string;
  /** Extended public key of an account, as an xpub. */
  readonly xpub: string;
  /** Name of the network in `TRON_GENESIS`. */
  readonly chain: string;
  /** Contracts in base 58, and decimals of their units, by coin. */
  readonly tokens: ReadonlyMap<string, { readonly contract: string; readonly digits: number }>;
  readonly startBlock: number | undefined;
  readonly reserves: readonly string[];
}

const KEY_PROBLEMS: Readonly<Record<ExtendedKeyProblem, string>> = {
  malformed: 'must be the extended public key of an account, such as xpub…',
  private: 'is a private key: the server takes only the public one, and this one should not be used any more',
  depth: "must be the key of an account, m/44'/195'/0', not of a wallet or an address",
};

const readerOf = (settings: Environment) => (field: Field) => settings[`${PREFIX}_${field}`];

/** The settings of TRON; undefined if there are none. `settings` have no problems (see `tronProblems`). */
export function tronOf(settings: Environment): TronConfig | undefined {
  const read = readerOf(settings);
  const [rpcUrl, key] = [read('RPC_URL'), read('XPUB')];
  const xpub = key === undefined ? undefined : readAccountKey(key);
  const tokens = readTokens(read('TOKENS') ?? '');
  if (rpcUrl === undefined || xpub?.ok !== true || tokens === undefined) return undefined;
  const startBlock = read('START_BLOCK');
  return {
    rpcUrl,
    xpub: xpub.value,
    chain: read('CHAIN') ?? MAIN,
    tokens,
    startBlock: startBlock === undefined ? undefined : Number(startBlock),
    reserves: partsOf(read('RESERVES')),
  };
}

/** One sentence for each setting that is missing or invalid. No sentence repeats a key or a URL. */
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
  require('RPC_URL', isNodeUrl(
    read('RPC_URL')!,
  ), 'must be an http:// or https:// address without a password');
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
  return problems;
}

/**
 * Parses `USDT=T…:6, …`: a coin, its contract, and the decimals of its units; undefined for an
 * invalid text.
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
