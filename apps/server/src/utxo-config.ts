import { resolve } from 'node:path';
import { isChainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { readAccountKey, type ExtendedKeyProblem } from '@exchange/core/extended-key.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
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

/**
 * Codes of the networks, e.g. `LTC`. The names of a network's settings begin with its code and an underscore.
 */
const UTXO_CODES = [...UTXO_NETWORKS.keys()];
const CHAINS = ['main', 'regtest'] as const;
const FIELDS = [
  'RPC_URL',
  'RPC_AUTH_FILE',
  'XPUB',
  'CHAIN',
  'CONFIRMATIONS',
  'START_BLOCK',
  'RESERVES',
  ...SIGNER_FIELDS,
  'COLD_WALLET',
  'COLD_XPUB',
  'HOT_BOUNDS',
  'FEE_RATE',
  'REPLACE_MINUTES',
] as const;
type Field = (typeof FIELDS)[number];
const REQUIRED: readonly Field[] = ['RPC_URL', 'RPC_AUTH_FILE', 'XPUB'];

/** A rule of the configuration: a deposit of at least `from` coins requires `confirmations` blocks. */
interface ConfirmationStep {
  readonly from: Decimal;
  readonly confirmations: number;
}

/** Configuration of a Bitcoin-family chain for deposits and withdrawals. */
export interface UtxoConfig {
  readonly network: string;
  readonly chain: (typeof CHAINS)[number];
  readonly rpcUrl: string;
  /** Absolute path of a file that contains the `user:password` of the node's RPC interface. */
  readonly authFile: string;
  /** Extended public key (xpub) of the account from which the exchange's addresses on this chain are derived. */
  readonly xpub: string;
  /**
   * Required confirmations by amount, from amount zero upwards; empty if the network's default applies to every amount.
   */
  readonly steps: readonly ConfirmationStep[];
  readonly startBlock: number | undefined;
  readonly reserves: readonly string[];
  readonly sending: SignerConfig | undefined;
  readonly cold: string | undefined;
  /**
   * Extended public key (xpub) of the account of cold storage, whose addresses count as reserves; undefined if none is
   * set.
   */
  readonly coldXpub: string | undefined;
  /** Lower bound, target and upper bound of the hot wallet's balance, in coins; undefined if none are set. */
  readonly bounds: HotBounds | undefined;
  /**
   * Fee rates of transactions, in the smallest unit per 1,000 virtual bytes: the minimum, the rate up to
   * which a batch also spends small outputs to consolidate them, and the maximum.
   */
  readonly rates: { readonly least: bigint; readonly consolidate: bigint; readonly most: bigint };
  /**
   * Milliseconds after which a transaction that no block contains is replaced automatically by one with a higher fee.
   */
  readonly replaceAfterMs: number;
}

const REPLACE_MINUTES = '30';
const RATE_VBYTES = 1_000n;

const KEY_PROBLEMS: Readonly<Record<ExtendedKeyProblem, string>> = {
  malformed: 'must be the extended public key of an account, such as xpub… or zpub…',
  private: 'is a private key: the server takes only the public one, and this one should not be used any more',
  depth: "must be the key of an account, such as m/84'/2'/0', not of a wallet or an address",
};

type Read = (field: Field) => string | undefined;

const readerOf =
  (settings: Environment, code: string): Read =>
  (field) =>
    settings[`${code}_${field}`];

/**
 * Converts an account's extended public key with any network's prefix (e.g. zpub, Ltub, dgub) to an xpub; undefined for
 * a text that is no such key.
 */
function accountKeyOf(text: string | undefined): string | undefined {
  const key = text === undefined ? undefined : readAccountKey(text);
  return key?.ok === true ? key.value : undefined;
}

/** Reads the configured Bitcoin-family chains. `utxoProblems` must have returned no problems for `settings`. */
export function utxoOf(settings: Environment): UtxoConfig[] {
  return UTXO_CODES.flatMap((network) => {
    const read = readerOf(settings, network);
    const [rpcUrl, authFile, key] = [read('RPC_URL'), read('RPC_AUTH_FILE'), read('XPUB')];
    if (rpcUrl === undefined || authFile === undefined || key === undefined) return [];
    const xpub = readAccountKey(key);
    if (!xpub.ok) return [];
    const startBlock = read('START_BLOCK');
    return [
      {
        network,
        chain: CHAINS.find((chain) => chain === read('CHAIN')) ?? 'main',
        rpcUrl,
        authFile: resolve(authFile),
        xpub: xpub.value,
        steps: readSteps(read('CONFIRMATIONS') ?? '') ?? [],
        startBlock: startBlock === undefined ? undefined : Number(startBlock),
        reserves: partsOf(read('RESERVES')),
        sending: signerOf(network, read),
        cold: read('COLD_WALLET'),
        coldXpub: accountKeyOf(read('COLD_XPUB')),
        bounds: readBounds(read('HOT_BOUNDS')),
        rates: readRates(read('FEE_RATE') ?? usualRates(network))!,
        replaceAfterMs: Number(read('REPLACE_MINUTES') ?? REPLACE_MINUTES) * MINUTE_MS,
      },
    ];
  });
}

/**
 * Describes the problems of the settings of the Bitcoin-family chains; empty if there are none. A chain without any
 * setting has no problem. If required settings of a chain are missing, one sentence names them all; otherwise there is
 * a sentence for each invalid setting of the chain. No sentence repeats a key or a URL.
 */
export function utxoProblems(settings: Environment): string[] {
  return UTXO_CODES.flatMap((code) => {
    const read = readerOf(settings, code);
    if (FIELDS.every((field) => read(field) === undefined)) return [];
    const missing = REQUIRED.filter((field) => read(field) === undefined);
    if (missing.length > 0)
      return [
        `${missing.map((field) => `${code}_${field}`).join(' and ')} must be set too: a chain needs all of ${REQUIRED.map((field) => `${code}_${field}`).join(', ')}`,
      ];
    const isDemo = (settings['MODE'] ?? 'demo') === 'demo';
    return fieldProblems(code, read, isDemo).map(({ field, problem }) => `${code}_${field} ${problem}`);
  });
}

function fieldProblems(code: string, read: Read, isDemo: boolean) {
  const problems: { readonly field: Field; readonly problem: string }[] = [];
  const require = (field: Field, isRight: boolean, problem: string) => {
    if (!isRight) problems.push({ field, problem });
  };
  require('RPC_URL', isNodeUrl(
    read('RPC_URL')!,
  ), 'must be an http:// or https:// address without a password: that is in the file of the credentials');
  const key = readAccountKey(read('XPUB')!);
  if (!key.ok) problems.push({ field: 'XPUB', problem: KEY_PROBLEMS[key.refusal] });
  const chain = read('CHAIN') ?? 'main';
  require('CHAIN', CHAINS.some((name) => name === chain), `must be ${CHAINS.join(' or ')}, not "${chain}"`);
  const isTestChain = chain === 'regtest';
  require('CHAIN', isDemo ? chain !== 'main' : !isTestChain, isDemo
    ? 'must be regtest in a demo, whose coins are no money'
    : 'must be main in live mode: anybody can make coins on regtest');
  const steps = read('CONFIRMATIONS');
  require('CONFIRMATIONS', steps === undefined ||
    readSteps(steps) !==
      undefined, 'must be COUNT, AMOUNT=COUNT, … with rising amounts and counts, such as 3, 100=6, 1000=12');
  const start = read('START_BLOCK');
  require('START_BLOCK', start === undefined || /^\d{1,9}$/.test(start), 'must be a whole number from 0 on');
  const { addressKind } = findCoinNetwork(code, code)!.network;
  const wrong = partsOf(read('RESERVES')).find((address) => !isChainAddress(addressKind, address));
  require('RESERVES', wrong === undefined, `must be addresses of ${code}, parted by commas, not "${wrong}"`);
  const cold = read('COLD_WALLET');
  require('COLD_WALLET', cold === undefined ||
    isChainAddress(addressKind, cold), `must be an address of ${code}`);
  const coldKey = read('COLD_XPUB');
  const readColdKey = coldKey === undefined ? undefined : readAccountKey(coldKey);
  if (readColdKey?.ok === false)
    problems.push({ field: 'COLD_XPUB', problem: KEY_PROBLEMS[readColdKey.refusal] });
  const isSameAccount = key.ok && readColdKey?.ok === true && readColdKey.value === key.value;
  require('COLD_XPUB', !isSameAccount, `must be the key of another account than ${code}_XPUB`);
  return [...problems, ...sendingProblems(code, read)];
}

function sendingProblems(code: string, read: Read) {
  const problems: { readonly field: Field; readonly problem: string }[] = [];
  const require = (field: Field, isRight: boolean, problem: string) => {
    if (!isRight) problems.push({ field, problem });
  };
  const signer = read('SIGNER');
  require('SIGNER_SECRET_FILE', (read('SIGNER_SECRET_FILE') === undefined) ===
    (signer === undefined), `and ${code}_SIGNER must both be set, or neither`);
  try {
    signerOf(code, read);
  } catch (cause) {
    problems.push({ field: 'SIGNER', problem: `is incomplete: ${(cause as Error).message}` });
  }
  const bounds = read('HOT_BOUNDS');
  require('HOT_BOUNDS', bounds === undefined ||
    readBounds(bounds) !== undefined, 'must be LEAST/TARGET/MOST, in coins and rising');
  require('HOT_BOUNDS', bounds === undefined ||
    (signer !== undefined &&
      read('COLD_WALLET') !== undefined), `needs ${code}_SIGNER and ${code}_COLD_WALLET`);
  const rates = readRates(read('FEE_RATE') ?? usualRates(code));
  require('FEE_RATE', rates !==
    undefined, `must be LEAST/CHEAP/MOST in the smallest unit per virtual byte and not falling, such as ${usualRates(code)}`);
  const { relayRate } = UTXO_NETWORKS.get(code)!;
  require('FEE_RATE', rates === undefined ||
    rates.least >=
      relayRate, `must begin with ${relayRate / RATE_VBYTES} or more: nodes of ${code} pass on no transaction for less`);
  require('REPLACE_MINUTES', /^[1-9]\d{0,4}$/.test(
    read('REPLACE_MINUTES') ?? REPLACE_MINUTES,
  ), 'must be a whole number from 1 on');
  return problems;
}

/**
 * Returns the default fee rates of a network (minimum, for consolidation, maximum) in the format of the
 * setting FEE_RATE, e.g. `1/2/200`.
 */
function usualRates(code: string): string {
  return UTXO_NETWORKS.get(code)!.usualRates.exchange.join('/');
}

/**
 * Parses the minimum fee rate, the maximum rate for consolidation and the maximum fee rate from text such as
 * `1/2/200`, in the smallest unit per virtual byte, and converts them to rates per 1,000 virtual bytes.
 * Returns undefined for an invalid text, if the minimum is zero, or if a rate is lower than the one before.
 */
function readRates(text: string): UtxoConfig['rates'] | undefined {
  const parts = /^(\d{1,6})\/(\d{1,6})\/(\d{1,6})$/
    .exec(text)
    ?.slice(1)
    .map((part) => BigInt(part) * RATE_VBYTES);
  const [least = 0n, consolidate = 0n, most = 0n] = parts ?? [];
  return least > 0n && least <= consolidate && consolidate <= most ? { least, consolidate, most } : undefined;
}

/**
 * Parses the required confirmations from text such as `3, 100=6, 1000=12`: 3 for every deposit, 6 from 100
 * coins, 12 from 1,000 coins. Returns undefined for an invalid text, and if amounts or confirmations do not
 * increase.
 */
function readSteps(text: string): ConfirmationStep[] | undefined {
  const steps: ConfirmationStep[] = [];
  for (const [at, part] of partsOf(text).entries()) {
    const [, amount, count = ''] = /^(?:([\d.]+)=)?(\d{1,4})$/.exec(part) ?? [];
    const from = at === 0 && amount === undefined ? Decimal.zero : Decimal.tryParse(amount ?? '');
    const confirmations = Number(count);
    const last = steps.at(-1);
    const isRising =
      last === undefined ? from?.isZero() : from?.isMore(last.from) && confirmations > last.confirmations;
    if (from === undefined || isRising !== true || confirmations < 1) return undefined;
    steps.push({ from, confirmations });
  }
  return steps;
}
