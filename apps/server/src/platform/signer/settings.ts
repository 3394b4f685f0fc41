import { readFileSync } from 'node:fs';
import { Decimal } from '@exchange/core/decimal.ts';
import { EVM_FEE_MODELS, EVM_NETWORKS, evmNetworkOf, requireEvmNetwork } from '@exchange/core/evm-network.ts';
import { tlsFilesOf, type TlsFiles } from '@exchange/core/signer-place.ts';
import { HDNodeWallet, type BaseWallet } from 'ethers';
import { readFeeLimit } from './fee-limit.ts';
import type { SigningLimit } from './line-signer.ts';
import type { SigningTerms } from './signer.ts';

const GWEI = 1_000_000_000n;
const COIN_DIGITS = 18;
/**
 * Code of the network for which the signer signs, and whose default limits apply, if SIGNER_NETWORK is not
 * set and the chain id is not that of a known network.
 */
const USUAL_NETWORK = 'ERC20';

/**
 * Parses `USDT=0x…:6, …`. Returns for each coin its contract in lower case and its number of decimals. Throws for an
 * invalid part.
 */
export function readTokens(
  text: string,
): ReadonlyMap<string, { readonly contract: string; readonly digits: number }> {
  const read = parts(text).map((part) => {
    const match = /^([A-Z0-9]{1,12})=(0x[0-9a-fA-F]{40}):(\d{1,2})$/.exec(part);
    const digits = Number(match?.[3]);
    if (match === null || digits > COIN_DIGITS) throw new Error(`"${part}" must be COIN=0x…:DIGITS`);
    return [match[1]!, { contract: match[2]!.toLowerCase(), digits }] as const;
  });
  return new Map(read);
}

/** Reads the key of `withdrawalDigest` from a file with 64 hex digits. Throws for other contents. */
export function readDigestKey(file: string): Buffer {
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Error(`${file} must hold the 64 hex digits of npm run signer-key`);
  return Buffer.from(text, 'hex');
}

/**
 * Returns the parent of the keys of deposit addresses, derived from the mnemonic of a wallet. `path` is the
 * derivation path of the extended key `EVM_XPUB`. Throws if the wallet has no mnemonic.
 */
export function depositKeys(wallet: BaseWallet | HDNodeWallet, path: string): HDNodeWallet {
  const mnemonic = 'mnemonic' in wallet ? wallet.mnemonic : null;
  if (mnemonic === null)
    throw new Error(
      'SIGNER_DEPOSITS_KEYSTORE must hold a wallet with its mnemonic: addresses are derived from it',
    );
  return HDNodeWallet.fromMnemonic(mnemonic, path).deriveChild(0);
}

/**
 * Parses a signer's limit `ONCE/DAY`: the maximum amount of a payment and of all payments within 24 hours, in
 * coins. Throws for another text.
 */
export function readLimit(text: string): SigningLimit {
  const [once, day] = text.split('/').map((amount) => Decimal.tryParse(amount.trim()));
  if (once === undefined || day === undefined || text.split('/').length !== 2)
    throw new Error('SIGNER_LIMIT must be ONCE/DAY, in coins');
  return { once, day };
}

/**
 * Parses `USDT=ONCE/DAY, …`: the maximum amounts of a payment and of all payments within 24 hours, in coins,
 * by coin. Throws for an invalid part.
 */
export function readLimits(text: string): ReadonlyMap<string, SigningLimit> {
  return new Map(
    parts(text).map((part) => {
      const [, asset = '', once = '', day = ''] = /^([A-Z0-9]{1,12})=([\d.]+)\/([\d.]+)$/.exec(part) ?? [];
      const [onceLimit, dailyLimit] = [Decimal.tryParse(once), Decimal.tryParse(day)];
      if (onceLimit === undefined || dailyLimit === undefined)
        throw new Error(`"${part}" must be COIN=ONCE/DAY`);
      return [asset, { once: onceLimit, day: dailyLimit }];
    }),
  );
}

/**
 * Reads the signer's rules (network, coins, limits and fees) from its environment variables. Throws for an invalid
 * setting.
 */
export function readSigningTerms(environment: Readonly<Record<string, string | undefined>>): SigningTerms {
  const { SIGNER_TOKENS = '', SIGNER_LIMITS = '', SIGNER_CHAIN_ID = '1' } = environment;
  const feeModelName = environment['SIGNER_FEE_MODEL'] ?? 'eip1559';
  const feeModel = EVM_FEE_MODELS.find((name) => name === feeModelName);
  if (feeModel === undefined) throw new Error(`SIGNER_FEE_MODEL must be ${EVM_FEE_MODELS.join(' or ')}`);
  const cold = environment['SIGNER_COLD_WALLET'];
  if (cold !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(cold))
    throw new Error('SIGNER_COLD_WALLET must be an address of 0x and 40 hex digits');
  const limits = readLimits(SIGNER_LIMITS);
  const chainId = Number(SIGNER_CHAIN_ID);
  if (!Number.isSafeInteger(chainId) || chainId < 1)
    throw new Error('SIGNER_CHAIN_ID must be a whole number');
  const network = environment['SIGNER_NETWORK'] ?? evmNetworkOf(chainId)?.code ?? USUAL_NETWORK;
  if (!EVM_NETWORKS.has(network))
    throw new Error(`SIGNER_NETWORK must be ${[...EVM_NETWORKS.keys()].join(' or ')}`);
  const usual = requireEvmNetwork(network);
  const gwei = environment['SIGNER_FEE_GWEI'] ?? String(usual.mostGwei.signature);
  const { once: usualOnce, day: usualDay } = usual.fundingMost;
  const [, gasOnce = '', gasDay = ''] =
    /^([\d.]+)\/([\d.]+)$/.exec(environment['SIGNER_GAS'] ?? `${usualOnce}/${usualDay}`) ?? [];
  const gas = { once: Decimal.tryParse(gasOnce), day: Decimal.tryParse(gasDay) };
  if (gas.once === undefined || gas.day === undefined) throw new Error('SIGNER_GAS must be ONCE/DAY');
  if (!/^\d{1,6}$/.test(gwei)) throw new Error('SIGNER_FEE_GWEI must be a whole number');
  const assets = new Map<string, { readonly contract: string | undefined; readonly digits: number }>(
    readTokens(SIGNER_TOKENS),
  );
  const coin = environment['SIGNER_COIN'] ?? usual.feeCoin;
  assets.set(coin, { contract: undefined, digits: COIN_DIGITS });
  return {
    chainId,
    network,
    feeModel,
    limits,
    assets,
    feeMax: BigInt(gwei) * GWEI,
    gasMost: usual.gasMost,
    voidGas: usual.plainTransferGas,
    cold,
    gas: { once: gas.once, day: gas.day },
    fees: readFeeLimit(environment, { coin, digits: COIN_DIGITS, ...usual.feesMost }),
  };
}

/**
 * Reads the settings of the signer's certificate files from its environment. Returns undefined if the signer listens at
 * a Unix socket or the loopback interface. Throws for an incomplete setting.
 */
export function readSignerTls(
  place: string,
  environment: Readonly<Record<string, string | undefined>>,
): TlsFiles | undefined {
  const setting = (name: string) => ({ name, value: environment[name]?.trim() || undefined });
  return tlsFilesOf(place, {
    ca: setting('SIGNER_CA_FILE'),
    certificate: setting('SIGNER_CERT_FILE'),
    key: setting('SIGNER_KEY_FILE'),
    peer: setting('SIGNER_CLIENT_NAME'),
  });
}

/**
 * URL of Web3Signer, the public key that belongs to the private key in Web3Signer, and the certificate files
 * (`tls`) of the connection; `tls` is undefined on the loopback interface.
 */
export interface Web3SignerSettings {
  readonly url: URL;
  /** Public key of the signing key, as 128 hex digits in lower case. */
  readonly publicKey: string;
  readonly tls: TlsFiles | undefined;
}

/**
 * Reads the settings of a key in Web3Signer from the signer's environment; undefined if the key is in a file. Throws a
 * sentence if a setting is missing, invalid or contradicts another one, or if Web3Signer on another machine has no
 * https URL or certificates.
 */
export function readWeb3Signer(
  environment: Readonly<Record<string, string | undefined>>,
): Web3SignerSettings | undefined {
  const setting = (name: string) => ({
    name: `SIGNER_WEB3SIGNER_${name}`,
    value: environment[`SIGNER_WEB3SIGNER_${name}`]?.trim() || undefined,
  });
  const text = setting('URL').value;
  if (text === undefined) return undefined;
  if (environment['SIGNER_KEYSTORE'] !== undefined)
    throw new Error('only one of SIGNER_KEYSTORE and SIGNER_WEB3SIGNER_URL can be set');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new Error('SIGNER_WEB3SIGNER_URL must begin with https:// or http://');
  const [, publicKey] = /^(?:0x)?(?:04)?([0-9a-f]{128})$/i.exec(setting('PUBLIC_KEY').value ?? '') ?? [];
  if (publicKey === undefined)
    throw new Error('SIGNER_WEB3SIGNER_PUBLIC_KEY must be the 128 hex digits of the wallet’s public key');
  const tls = tlsFilesOf(url.port === '' ? `${url.hostname}:443` : url.host, {
    ca: setting('CA_FILE'),
    certificate: setting('CERT_FILE'),
    key: setting('KEY_FILE'),
    peer: setting('NAME'),
  });
  if (tls !== undefined && url.protocol === 'http:')
    throw new Error('SIGNER_WEB3SIGNER_URL must begin with https:// for its certificates to be used');
  return { url, publicKey: publicKey.toLowerCase(), tls };
}

function parts(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
