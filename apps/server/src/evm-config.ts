import { resolve } from 'node:path';
import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import * as z from 'zod';
import { tlsFilesOf, type TlsFiles } from '@exchange/core/signer-place.ts';
import { choice, mustBe, secretly, url, type Environment } from './setting-fields.ts';

const EVM_CODES = ['ERC20', 'BEP20'] as const;
/** Native coins that the exchange lists, by network. */
const EVM_COINS: ReadonlyMap<string, string> = new Map([['ERC20', 'ETH']]);
const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, mustBe('an address of 0x and 40 hex digits'));
/** Parses `0x…, 0x…`. */
const evmAddresses = z
  .string()
  .regex(
    /^0x[0-9a-fA-F]{40}(?:\s*,\s*0x[0-9a-fA-F]{40})*$/,
    mustBe('addresses of 0x and 40 hex digits, parted by commas'),
  )
  .transform((text) => text.split(',').map((part) => part.trim()));
const wholeNumber = (least: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= least,
      mustBe(`a whole number from ${least} on`),
    )
    .transform(Number);

/** Parses `USDT=0x…:6, …`: a coin, its contract, and the decimals of its units. */
function readTokens(text: string, context: z.RefinementCtx) {
  const tokens = text.split(',').map((part) => {
    const match = /^([A-Z0-9]{1,12})=(0x[0-9a-fA-F]{40}):(\d|1[0-8])$/.exec(part.trim());
    return match === null
      ? undefined
      : ([match[1]!, { contract: match[2]!.toLowerCase(), digits: Number(match[3]) }] as const);
  });
  if (tokens.includes(undefined))
    context.addIssue({ code: 'custom', message: 'must be COIN=0x…:DIGITS, parted by commas' });
  return new Map(tokens.flatMap((token) => (token === undefined ? [] : [token])));
}

/** How much of a coin the hot wallet should hold, in units of the coin. */
interface HotBounds {
  readonly least: Decimal;
  readonly target: Decimal;
  readonly most: Decimal;
}

/** Parses `USDT=20000/50000/100000, …`: a coin, and the least, target and most of it in the hot wallet. */
function readBounds(text: string, context: z.RefinementCtx): ReadonlyMap<string, HotBounds> {
  const bounds = new Map<string, HotBounds>();
  for (const part of text.split(',')) {
    const [, asset = '', ...amounts] =
      /^([A-Z0-9]{1,12})=([\d.]+)\/([\d.]+)\/([\d.]+)$/.exec(part.trim()) ?? [];
    const [least, target, most] = amounts.map((amount) => Decimal.tryParse(amount));
    if (least === undefined || target === undefined || most === undefined) {
      context.addIssue({ code: 'custom', message: 'must be COIN=LEAST/TARGET/MOST, parted by commas' });
      return bounds;
    }
    if (!least.isLess(target) || !target.isLess(most)) {
      context.addIssue({ code: 'custom', message: `must be ordered: ${asset} needs LEAST < TARGET < MOST` });
      return bounds;
    }
    bounds.set(asset, { least, target, most });
  }
  return bounds;
}

/** Settings of a real blockchain; documented in `config.ts`. */
export const EVM_SETTINGS = {
  EVM_RPC_URL: url(['http:', 'https:']),
  EVM_CHAIN_ID: wholeNumber(1).default(1),
  EVM_NETWORK: choice(EVM_CODES).default('ERC20'),
  EVM_XPUB: z
    .string()
    .regex(/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/, secretly('an extended public key that begins with xpub'))
    .optional(),
  EVM_TOKENS: z.string().transform(readTokens).optional(),
  EVM_CONFIRMATIONS: wholeNumber(1).optional(),
  EVM_START_BLOCK: wholeNumber(0).optional(),
  EVM_RESERVES: evmAddresses.optional(),
  EVM_WALLET: evmAddress.optional(),
  EVM_SIGNER: z.string().max(100).optional(),
  EVM_SIGNER_SECRET_FILE: z.string().optional(),
  EVM_SIGNER_CA_FILE: z.string().optional(),
  EVM_SIGNER_CERT_FILE: z.string().optional(),
  EVM_SIGNER_KEY_FILE: z.string().optional(),
  EVM_SIGNER_NAME: z.string().optional(),
  EVM_COLD_WALLET: evmAddress.optional(),
  EVM_HOT_BOUNDS: z.string().transform(readBounds).optional(),
  EVM_TRACE: choice(['none', 'debug'] as const).default('none'),
  EVM_SWEEP_FACTOR: wholeNumber(1).optional(),
  EVM_SWEEP_GWEI: wholeNumber(1).default(50),
  EVM_REPLACE_MINUTES: wholeNumber(1).default(10),
  EVM_REPLACE_GWEI: wholeNumber(1).default(100),
};

const SETTINGS = z.object(EVM_SETTINGS);

/** A blockchain for deposits and withdrawals. */
export interface EvmConfig {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly network: string;
  readonly xpub: string;
  readonly tokens: ReadonlyMap<string, { readonly contract: string; readonly digits: number }>;
  readonly confirmations: number | undefined;
  readonly startBlock: number | undefined;
  /** Whether the node traces calls, so that transfers from inside contracts are deposits. */
  readonly isTraced: boolean;
  readonly reserves: readonly string[];
  readonly sending:
    | {
        readonly wallet: string;
        readonly signer: string;
        readonly secretFile: string;
        /** Certificates of the connection to a signer on another machine. */
        readonly tls: TlsFiles | undefined;
      }
    | undefined;
  readonly cold: string | undefined;
  /** How much of each coin the hot wallet should hold. */
  readonly bounds: ReadonlyMap<string, HotBounds>;
  /** How many times its cost a sweep of a deposit address has to be worth, and its greatest fee in wei per unit of gas. */
  readonly sweeping: { readonly factor: number; readonly maxFee: bigint } | undefined;
  /** When a payment that is in no block is replaced automatically, and up to which fee in wei per unit of gas. */
  readonly replacement: { readonly afterMs: number; readonly maxFee: bigint };
}

const GWEI = 1_000_000_000n;

/** The configured chain, if any. */
export function evmOf(data: z.output<typeof SETTINGS>): EvmConfig | undefined {
  if (data.EVM_RPC_URL === undefined || data.EVM_XPUB === undefined) return undefined;
  const { EVM_WALLET: wallet, EVM_SIGNER: signer, EVM_SIGNER_SECRET_FILE: secretFile } = data;
  return {
    rpcUrl: data.EVM_RPC_URL,
    chainId: data.EVM_CHAIN_ID,
    network: data.EVM_NETWORK,
    xpub: data.EVM_XPUB,
    tokens: data.EVM_TOKENS ?? new Map(),
    confirmations: data.EVM_CONFIRMATIONS,
    startBlock: data.EVM_START_BLOCK,
    isTraced: data.EVM_TRACE === 'debug',
    reserves: data.EVM_RESERVES ?? [],
    sending:
      wallet === undefined || signer === undefined || secretFile === undefined
        ? undefined
        : {
            wallet,
            signer,
            secretFile: resolve(secretFile),
            tls: signerTls(signer, data),
          },
    cold: data.EVM_COLD_WALLET,
    bounds: data.EVM_HOT_BOUNDS ?? new Map(),
    sweeping:
      data.EVM_SWEEP_FACTOR === undefined
        ? undefined
        : { factor: data.EVM_SWEEP_FACTOR, maxFee: BigInt(data.EVM_SWEEP_GWEI) * GWEI },
    replacement: {
      afterMs: data.EVM_REPLACE_MINUTES * MINUTE_MS,
      maxFee: BigInt(data.EVM_REPLACE_GWEI) * GWEI,
    },
  };
}

/** The certificates of the connection to the signer; throws a sentence for an incomplete setting. */
function signerTls(signer: string, settings: Environment | z.output<typeof SETTINGS>): TlsFiles | undefined {
  const { EVM_SIGNER_CA_FILE, EVM_SIGNER_CERT_FILE, EVM_SIGNER_KEY_FILE, EVM_SIGNER_NAME } = settings;
  const file = (value: string | undefined) => value && resolve(value);
  return tlsFilesOf(signer, {
    ca: { name: 'EVM_SIGNER_CA_FILE', value: file(EVM_SIGNER_CA_FILE) },
    certificate: { name: 'EVM_SIGNER_CERT_FILE', value: file(EVM_SIGNER_CERT_FILE) },
    key: { name: 'EVM_SIGNER_KEY_FILE', value: file(EVM_SIGNER_KEY_FILE) },
    peer: { name: 'EVM_SIGNER_NAME', value: EVM_SIGNER_NAME },
  });
}

function tlsProblems(settings: Environment): string[] {
  try {
    signerTls(settings['EVM_SIGNER'] ?? '', settings);
    return [];
  } catch (cause) {
    return [(cause as Error).message];
  }
}

/**
 * Reports hot-wallet bounds without a hot wallet, without a cold wallet, or for a coin that the
 * chain does not have.
 */
function boundsProblems(settings: Environment): string[] {
  const { EVM_HOT_BOUNDS: bounds, EVM_COLD_WALLET: cold, EVM_WALLET: wallet } = settings;
  if (cold !== undefined && cold.toLowerCase() === wallet?.toLowerCase())
    return ['EVM_COLD_WALLET must differ from EVM_WALLET'];
  if (bounds === undefined) return [];
  const missing = ['EVM_WALLET', 'EVM_COLD_WALLET'].filter((name) => settings[name] === undefined);
  if (missing.length > 0) return [`${missing.join(' and ')} must be set too: EVM_HOT_BOUNDS needs it`];
  const coins = [
    EVM_COINS.get(settings['EVM_NETWORK'] ?? 'ERC20'),
    ...(settings['EVM_TOKENS'] ?? '').split(',').map((part) => part.split('=')[0]!.trim()),
  ];
  const unknown = bounds
    .split(',')
    .map((part) => part.split('=')[0]!.trim())
    .filter((asset) => !coins.includes(asset));
  return unknown.length === 0
    ? []
    : [`EVM_HOT_BOUNDS names ${unknown.join(', ')}, which this chain does not pay`];
}

/**
 * Reports sweep settings without a hot wallet that receives the coins, or on a chain whose native
 * coin has no price on the exchange.
 */
function sweepProblems(settings: Environment): string[] {
  if (settings['EVM_SWEEP_FACTOR'] === undefined) return [];
  if (settings['EVM_WALLET'] === undefined) return ['EVM_WALLET must be set too: EVM_SWEEP_FACTOR needs it'];
  const network = settings['EVM_NETWORK'] ?? 'ERC20';
  return EVM_COINS.has(network)
    ? []
    : [`EVM_SWEEP_FACTOR needs a network whose coin is listed, and that of ${network} is not`];
}

/** Chains of a developer's machine, whose coins have no value. */
const TEST_CHAINS = ['1337', '31337'];

/** Problems of the EVM settings that concern several settings together. */
export function evmProblems(settings: Environment): string[] {
  const problems: string[] = [];
  if ((settings['EVM_RPC_URL'] === undefined) !== (settings['EVM_XPUB'] === undefined))
    problems.push('EVM_RPC_URL and EVM_XPUB must both be set, or neither');
  const sending = ['EVM_WALLET', 'EVM_SIGNER', 'EVM_SIGNER_SECRET_FILE'];
  const missing = sending.filter((name) => settings[name] === undefined);
  if (missing.length > 0 && missing.length < sending.length)
    problems.push(`${missing.join(' and ')} must be set too: payments need all of ${sending.join(', ')}`);
  problems.push(...tlsProblems(settings), ...boundsProblems(settings), ...sweepProblems(settings));
  const isDemo = (settings['MODE'] ?? 'demo') === 'demo';
  if (
    isDemo &&
    settings['EVM_RPC_URL'] !== undefined &&
    !TEST_CHAINS.includes(settings['EVM_CHAIN_ID'] ?? '1')
  )
    problems.push(`EVM_CHAIN_ID must be ${TEST_CHAINS.join(' or ')} in a demo, whose coins are no money`);
  return problems;
}
