import { resolve } from 'node:path';
import {
  EVM_FEE_MODELS,
  EVM_FINALITIES,
  EVM_NETWORKS,
  requireEvmNetwork,
  type EvmFeeModel,
  type EvmFinality,
} from '@exchange/core/evm-network.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import {
  coinBoundsOf,
  type HotBounds,
  partsOf,
  readCoinBounds,
  SIGNER_FIELDS,
  type SignerConfig,
  signerOf,
} from './chain-config.ts';
import type { Environment } from './setting-fields.ts';

/**
 * Prefix of the settings of the network that EVM_NETWORK names; the settings of any other network begin with that
 * network's code.
 */
const FIRST = 'EVM';
const CODES = [...EVM_NETWORKS.keys()];
const FIRST_CODE = CODES[0]!;
/** Names, without prefix, of the settings that an EVM network can have. */
const FIELDS = [
  'RPC_URL',
  'CHAIN_ID',
  'TOKENS',
  'CONFIRMATIONS',
  'FINALITY',
  'FEE_MODEL',
  'TIP_GWEI',
  'START_BLOCK',
  'RESERVES',
  'WALLET',
  ...SIGNER_FIELDS,
  'COLD_WALLET',
  'HOT_BOUNDS',
  'TRACE',
  'SWEEP_FACTOR',
  'SWEEP_LEAST',
  'SWEEP_GWEI',
  'REPLACE_MINUTES',
  'REPLACE_GWEI',
] as const;
type Field = (typeof FIELDS)[number];
type Read = (field: Field) => string | undefined;
const SENDING: readonly Field[] = ['WALLET', 'SIGNER', 'SIGNER_SECRET_FILE'];
const TRACES = ['none', 'debug'] as const;
/** Ids of test chains that run on a developer's machine, whose coins have no value. */
const TEST_CHAINS = ['1337', '31337'];
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const GWEI = 1_000_000_000n;
const REPLACE_MINUTES = '10';

/** Settings of an EVM chain for deposits and withdrawals. */
export interface EvmConfig {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly network: string;
  /**
   * Extended public key from which the users' addresses are derived. It is the same for all EVM networks, so that a
   * user has the same address on each of them.
   */
  readonly xpub: string;
  readonly tokens: ReadonlyMap<string, { readonly contract: string; readonly digits: number }>;
  readonly confirmations: number | undefined;
  /** Which block the exchange treats as the newest block of the chain: latest, safe or finalized. */
  readonly finality: EvmFinality;
  readonly feeModel: EvmFeeModel;
  /**
   * Least tip of a transaction in wei per unit of gas, even if the node suggests a lower one; with the fee model
   * `legacy`, the least gas price.
   */
  readonly leastTip: bigint;
  readonly startBlock: number | undefined;
  /**
   * True if the node traces calls; then transfers of the chain's own coin that contracts make count as deposits. If
   * false, the exchange does not see such transfers.
   */
  readonly isTraced: boolean;
  readonly reserves: readonly string[];
  readonly sending: (SignerConfig & { readonly wallet: string }) | undefined;
  readonly cold: string | undefined;
  /**
   * Lower bound, target and upper bound of the balances in the hot wallet of this network, by coin, in units
   * of the coin; coins without bounds are missing.
   */
  readonly bounds: ReadonlyMap<string, HotBounds>;
  /**
   * From which value deposits are swept into the hot wallet, and the greatest fee of a sweep in wei per unit of gas;
   * undefined if no deposit is swept. The value is `factor` times the cost of the sweep, or `least` USDT on a network
   * whose coin is not listed, because the cost has no price there.
   */
  readonly sweeping:
    | { readonly factor: number; readonly least: Decimal | undefined; readonly maxFee: bigint }
    | undefined;
  /**
   * Milliseconds after which a payment that is in no block is automatically replaced by one with a higher fee, and the
   * greatest fee of the replacement in wei per unit of gas.
   */
  readonly replacement: { readonly afterMs: number; readonly maxFee: bigint };
}

/**
 * One EVM network whose settings are read: the prefix of their names, the code of the network, and the
 * function `read`, which returns a setting by its name without the prefix; undefined if the setting is not
 * set.
 */
interface NetworkSettings {
  readonly prefix: string;
  readonly network: string;
  readonly read: Read;
}

/**
 * Returns the EVM networks with at least one setting: first that of EVM_NETWORK, then those with settings
 * under their own code, in the order of the network table.
 */
function networksIn(settings: Environment): NetworkSettings[] {
  const readerOf =
    (prefix: string): Read =>
    (field) =>
      settings[`${prefix}_${field}`];
  return [
    { prefix: FIRST, network: settings['EVM_NETWORK'] ?? FIRST_CODE, read: readerOf(FIRST) },
    ...CODES.map((code) => ({ prefix: code, network: code, read: readerOf(code) })),
  ].filter(({ read }) => FIELDS.some((field) => read(field) !== undefined));
}

/** Returns the codes of the EVM networks for which the URL of a node is set. */
export function evmNetworksIn(settings: Environment): string[] {
  return networksIn(settings).flatMap(({ network, read }) =>
    read('RPC_URL') === undefined ? [] : [network],
  );
}

/**
 * Returns the settings of the configured EVM chains; call it only with settings for which `evmProblems`
 * returned no problem.
 */
export function evmOf(settings: Environment): EvmConfig[] {
  const xpub = settings['EVM_XPUB'];
  if (xpub === undefined) return [];
  return networksIn(settings).flatMap(({ prefix, network, read }) => {
    const rpcUrl = read('RPC_URL');
    if (rpcUrl === undefined) return [];
    const optionalNumber = (field: Field) => {
      const text = read(field);
      return text === undefined ? undefined : Number(text);
    };
    const wallet = read('WALLET');
    const signer = signerOf(prefix, read);
    const terms = requireEvmNetwork(network);
    return [
      {
        rpcUrl,
        network,
        xpub,
        chainId: optionalNumber('CHAIN_ID') ?? terms.chainId,
        tokens: readTokens(read('TOKENS')) ?? new Map(),
        confirmations: optionalNumber('CONFIRMATIONS'),
        finality: EVM_FINALITIES.find((name) => name === read('FINALITY')) ?? terms.finality,
        feeModel: EVM_FEE_MODELS.find((name) => name === read('FEE_MODEL')) ?? 'eip1559',
        leastTip: gweiOf(read('TIP_GWEI') ?? String(terms.leastTipGwei)),
        startBlock: optionalNumber('START_BLOCK'),
        isTraced: read('TRACE') === 'debug',
        reserves: partsOf(read('RESERVES')),
        sending:
          wallet === undefined || signer === undefined
            ? undefined
            : {
                wallet,
                signer: signer.signer,
                secretFile: resolve(signer.secretFile),
                tls: signer.tls,
              },
        cold: read('COLD_WALLET'),
        bounds: coinBoundsOf(read('HOT_BOUNDS')),
        sweeping: sweepingOf({ prefix, network, read }),
        replacement: {
          afterMs: Number(read('REPLACE_MINUTES') ?? REPLACE_MINUTES) * MINUTE_MS,
          maxFee: gweiOf(read('REPLACE_GWEI') ?? String(terms.mostGwei.replacement)),
        },
      },
    ];
  });
}

function sweepingOf({ network, read }: NetworkSettings): EvmConfig['sweeping'] {
  const [factor, least] = [read('SWEEP_FACTOR'), read('SWEEP_LEAST')];
  if (factor === undefined && least === undefined) return undefined;
  return {
    factor: Number(factor ?? '0'),
    least: least === undefined ? undefined : Decimal.parse(least),
    maxFee: gweiOf(read('SWEEP_GWEI') ?? String(requireEvmNetwork(network).mostGwei.sweep)),
  };
}

/**
 * Returns one sentence for each setting of an EVM chain that is missing or invalid. No sentence contains a
 * key or a URL.
 */
export function evmProblems(settings: Environment): string[] {
  const networks = networksIn(settings);
  const isDemo = (settings['MODE'] ?? 'demo') === 'demo';
  const code = settings['EVM_NETWORK'];
  const problems: string[] = [];
  if (code !== undefined && !EVM_NETWORKS.has(code))
    problems.push(`EVM_NETWORK must be ${CODES.join(' or ')}, not "${code}"`);
  problems.push(...addressProblems(settings, networks));
  for (const network of networks) problems.push(...networkProblems(network, isDemo));
  return [...problems, ...problemsBetween(networks)];
}

/**
 * Returns one sentence for each problem of the extended public key, which all networks share, and for each
 * network with settings but without a node.
 */
function addressProblems(settings: Environment, networks: readonly NetworkSettings[]): string[] {
  const xpub = settings['EVM_XPUB'];
  const problems: string[] = [];
  if (xpub !== undefined && !/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/.test(xpub))
    problems.push('EVM_XPUB must be an extended public key that begins with xpub');
  const further = networks.filter(({ prefix }) => prefix !== FIRST);
  const withoutNode = networks.filter(({ read }) => read('RPC_URL') === undefined);
  const hasFirst = settings['EVM_RPC_URL'] !== undefined;
  if (hasFirst !== (xpub !== undefined) && further.length === 0 && withoutNode.length === 0)
    problems.push('EVM_RPC_URL and EVM_XPUB must both be set, or neither');
  for (const { prefix } of withoutNode)
    problems.push(`${prefix}_RPC_URL must be set too: without a node nothing of ${prefix} is used`);
  if (further.length > 0 && xpub === undefined)
    problems.push('EVM_XPUB must be set too: users have the same address on all networks of this kind');
  return problems;
}

function networkProblems(settings: NetworkSettings, isDemo: boolean): string[] {
  const { prefix, network, read } = settings;
  const problems: string[] = [];
  const require = (field: Field, isRight: (text: string) => boolean, rule: string, isSecret = false) => {
    const text = read(field);
    if (text === undefined || isRight(text)) return;
    problems.push(`${prefix}_${field} must be ${rule}${isSecret ? '' : `, not "${text}"`}`);
  };
  const areIn = (texts: readonly string[]) => (text: string) => texts.includes(text);
  const isWhole = (least: number) => (text: string) => /^\d{1,15}$/.test(text) && Number(text) >= least;
  require('RPC_URL', isUrl, 'an address that begins with http:// or https://', true);
  require('CHAIN_ID', isWhole(1), 'a whole number from 1 on');
  require('TOKENS', (text) => readTokens(text) !== undefined, 'COIN=0x…:DIGITS, parted by commas', true);
  require('FINALITY', areIn(EVM_FINALITIES), EVM_FINALITIES.join(' or '));
  require('FEE_MODEL', areIn(EVM_FEE_MODELS), EVM_FEE_MODELS.join(' or '));
  require('TRACE', areIn(TRACES), TRACES.join(' or '));
  require('START_BLOCK', isWhole(0), 'a whole number from 0 on');
  for (const field of [
    'CONFIRMATIONS',
    'TIP_GWEI',
    'SWEEP_FACTOR',
    'SWEEP_GWEI',
    'REPLACE_MINUTES',
    'REPLACE_GWEI',
  ] as const)
    require(field, isWhole(1), 'a whole number from 1 on');
  const areAddresses = (text: string) => text.split(',').every((part) => ADDRESS.test(part.trim()));
  require('RESERVES', areAddresses, 'addresses of 0x and 40 hex digits, parted by commas');
  for (const field of ['WALLET', 'COLD_WALLET'] as const)
    require(field, (text) => ADDRESS.test(text), 'an address of 0x and 40 hex digits');
  require('SWEEP_LEAST', (text) =>
    Decimal.tryParse(text)?.isPositive() === true, 'an amount in USDT above zero');
  if (EVM_NETWORKS.has(network)) problems.push(...finalityProblems(settings), ...tipProblems(settings));
  problems.push(...sendingProblems(settings));
  const chainId = read('CHAIN_ID') ?? String(EVM_NETWORKS.get(network)?.chainId);
  if (isDemo && read('RPC_URL') !== undefined && !TEST_CHAINS.includes(chainId))
    problems.push(
      `${prefix}_CHAIN_ID must be ${TEST_CHAINS.join(' or ')} in a demo, whose coins are no money`,
    );
  return problems;
}

/**
 * Returns a sentence if the settings require that unfinalized blocks are read (`FINALITY` is `latest`) on a
 * network whose default is to read finalized blocks only, and CONFIRMATIONS is not set. The network's default
 * number of confirmations counts finalized blocks, so it cannot be used.
 */
function finalityProblems({ prefix, network, read }: NetworkSettings): string[] {
  const isUsualFinality = requireEvmNetwork(network).finality === 'latest';
  if (isUsualFinality || read('FINALITY') !== 'latest' || read('CONFIRMATIONS') !== undefined) return [];
  return [
    `${prefix}_CONFIRMATIONS must be set with ${prefix}_FINALITY latest: the usual number counts final blocks only`,
  ];
}

/**
 * Returns one sentence for each maximum fee (of replacement transactions, and of sweeps if they are
 * configured) that is below the least tip, since every transaction would violate one of the two limits. A
 * setting that is no number is reported elsewhere.
 */
function tipProblems({ prefix, network, read }: NetworkSettings): string[] {
  const { leastTipGwei, mostGwei } = requireEvmNetwork(network);
  const tip = Number(read('TIP_GWEI') ?? leastTipGwei);
  const bounds = [
    { field: 'REPLACE_GWEI', gwei: read('REPLACE_GWEI') ?? String(mostGwei.replacement) },
    ...(read('SWEEP_FACTOR') === undefined && read('SWEEP_LEAST') === undefined
      ? []
      : [{ field: 'SWEEP_GWEI', gwei: read('SWEEP_GWEI') ?? String(mostGwei.sweep) }]),
  ];
  return bounds
    .filter(({ gwei }) => tip > Number(gwei))
    .map(
      ({ field, gwei }) =>
        `${prefix}_TIP_GWEI must be at most ${prefix}_${field}, ${gwei}, which bounds the whole fee`,
    );
}

/**
 * Returns one sentence for each problem of the settings with which a network sends payments, for example if
 * it has some but not all of wallet, signer and secret, or sweeps without a wallet.
 */
function sendingProblems({ prefix, network, read }: NetworkSettings): string[] {
  const problems: string[] = [];
  const named = (fields: readonly Field[]) => fields.map((field) => `${prefix}_${field}`);
  const missing = SENDING.filter((field) => read(field) === undefined);
  if (missing.length > 0 && missing.length < SENDING.length)
    problems.push(
      `${named(missing).join(' and ')} must be set too: payments need all of ${named(SENDING).join(', ')}`,
    );
  try {
    signerOf(prefix, read);
  } catch (cause) {
    problems.push((cause as Error).message);
  }
  const [wallet, cold] = [read('WALLET'), read('COLD_WALLET')];
  if (cold !== undefined && cold.toLowerCase() === wallet?.toLowerCase())
    problems.push(`${prefix}_COLD_WALLET must differ from ${prefix}_WALLET`);
  else problems.push(...boundsProblems({ prefix, network, read }));
  return [...problems, ...sweepProblems({ prefix, network, read })];
}

/**
 * Returns one sentence for each problem of the settings with which deposits are swept into the hot wallet.
 */
function sweepProblems({ prefix, network, read }: NetworkSettings): string[] {
  const [field, other] =
    EVM_NETWORKS.get(network)?.coin === undefined
      ? (['SWEEP_LEAST', 'SWEEP_FACTOR'] as const)
      : (['SWEEP_FACTOR', 'SWEEP_LEAST'] as const);
  const problems: string[] = [];
  if (read(other) !== undefined)
    problems.push(
      field === 'SWEEP_LEAST'
        ? `${prefix}_SWEEP_FACTOR needs a network whose coin is listed, and that of ${network} is not: set ${prefix}_SWEEP_LEAST`
        : `${prefix}_SWEEP_LEAST is for networks whose coin is not listed, and that of ${network} is: set ${prefix}_SWEEP_FACTOR`,
    );
  if (read(field) !== undefined && read('WALLET') === undefined)
    problems.push(`${prefix}_WALLET must be set too: ${prefix}_${field} needs it`);
  return problems;
}

/**
 * Returns one sentence for each problem of a hot wallet's bounds: unreadable bounds, bounds without a wallet
 * that pays or without a cold wallet, and bounds of a coin that the chain does not have.
 */
function boundsProblems({ prefix, network, read }: NetworkSettings): string[] {
  const text = read('HOT_BOUNDS');
  if (text === undefined) return [];
  const bounds = readCoinBounds(text);
  if (typeof bounds === 'string') return [`${prefix}_HOT_BOUNDS must be ${bounds}`];
  const missing = (['WALLET', 'COLD_WALLET'] as const).filter((field) => read(field) === undefined);
  if (missing.length > 0)
    return [
      `${missing.map((field) => `${prefix}_${field}`).join(' and ')} must be set too: ${prefix}_HOT_BOUNDS needs it`,
    ];
  const coins = [EVM_NETWORKS.get(network)?.coin, ...(readTokens(read('TOKENS')) ?? new Map()).keys()];
  const unknown = [...bounds.keys()].filter((asset) => !coins.includes(asset));
  return unknown.length === 0
    ? []
    : [`${prefix}_HOT_BOUNDS names ${unknown.join(', ')}, which this chain does not pay`];
}

/**
 * Returns one sentence for each pair of networks that have the same code, the same chain id or the same
 * signer.
 */
function problemsBetween(networks: readonly NetworkSettings[]): string[] {
  const problems: string[] = [];
  for (const [at, { prefix, network, read }] of networks.entries())
    for (const earlier of networks.slice(0, at)) {
      if (network === earlier.network) {
        problems.push(`${prefix}_RPC_URL cannot be set: ${earlier.prefix}_RPC_URL is a node of ${network}`);
        continue;
      }
      const chainIds = [earlier, { network, read }].map(
        (settings) => settings.read('CHAIN_ID') ?? String(EVM_NETWORKS.get(settings.network)?.chainId),
      );
      if (chainIds[0] === chainIds[1])
        problems.push(
          `${prefix}_CHAIN_ID must differ from ${earlier.prefix}_CHAIN_ID: what is signed for a chain is valid on every chain with its id`,
        );
      if (read('SIGNER') !== undefined && read('SIGNER') === earlier.read('SIGNER'))
        problems.push(
          `${prefix}_SIGNER must differ from ${earlier.prefix}_SIGNER: each network has a signer with its own journal and nonces`,
        );
    }
  return problems;
}

/** True if a text is an http or https URL with a host; the URL may contain a user name and a password. */
function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && hostname !== '';
}

/**
 * Parses a text such as `USDT=0x…:6, …`: each entry is a coin, its token contract, and the token's number of decimals.
 * Returns an empty map for a missing text and undefined for an invalid one.
 */
function readTokens(
  text: string | undefined,
): Map<string, { readonly contract: string; readonly digits: number }> | undefined {
  if (text === undefined) return new Map();
  const tokens = new Map<string, { contract: string; digits: number }>();
  for (const part of text.split(',')) {
    const match = /^([A-Z0-9]{1,12})=(0x[0-9a-fA-F]{40}):(\d|1[0-8])$/.exec(part.trim());
    if (match === null) return undefined;
    tokens.set(match[1]!, { contract: match[2]!.toLowerCase(), digits: Number(match[3]) });
  }
  return tokens;
}

/** Converts a whole number of Gwei to wei. */
function gweiOf(text: string): bigint {
  return BigInt(text) * GWEI;
}
