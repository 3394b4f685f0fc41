import { resolve } from 'node:path';
import { Decimal } from '@exchange/core/decimal.ts';
import { tlsFilesOf, type TlsFiles } from '@exchange/core/signer-place.ts';

/**
 * The settings that all chains except simulated ones have in common: URL of the node, connection to the
 * signer and bounds of the hot wallet. Their names begin with a prefix of the chain, such as `LTC_`.
 */

/** Reads a setting of a chain by its name without the chain's prefix; undefined if the setting is not set. */
type Read<Field extends string> = (field: Field) => string | undefined;

/** Names, without prefix, of the settings for the connection to a signer. */
export const SIGNER_FIELDS = [
  'SIGNER',
  'SIGNER_SECRET_FILE',
  'SIGNER_CA_FILE',
  'SIGNER_CERT_FILE',
  'SIGNER_KEY_FILE',
  'SIGNER_NAME',
] as const;
type SignerField = (typeof SIGNER_FIELDS)[number];

export interface SignerConfig {
  readonly signer: string;
  readonly secretFile: string;
  /** Certificate files of the connection to a signer on another machine; undefined if none are set. */
  readonly tls: TlsFiles | undefined;
}

/**
 * Lower bound, target and upper bound of the balance of a hot wallet, in units of the coin, with decimals:
 * `least` < `target` < `most`.
 */
export interface HotBounds {
  readonly least: Decimal;
  readonly target: Decimal;
  readonly most: Decimal;
}

/**
 * Reads the settings of the connection to a signer; undefined if the signer's address or the file of the shared secret
 * is not set. Throws an error with a sentence for the operator if only some of the certificate settings are set, if
 * they are missing for a signer on another machine, or if they are set for a Unix socket.
 */
export function signerOf(prefix: string, read: Read<SignerField>): SignerConfig | undefined {
  const [signer, secretFile] = [read('SIGNER'), read('SIGNER_SECRET_FILE')];
  if (signer === undefined || secretFile === undefined) return undefined;
  const file = (field: SignerField) => {
    const value = read(field);
    return { name: `${prefix}_${field}`, value: value === undefined ? undefined : resolve(value) };
  };
  return {
    signer,
    secretFile: resolve(secretFile),
    tls: tlsFilesOf(signer, {
      ca: file('SIGNER_CA_FILE'),
      certificate: file('SIGNER_CERT_FILE'),
      key: file('SIGNER_KEY_FILE'),
      peer: { name: `${prefix}_SIGNER_NAME`, value: read('SIGNER_NAME') },
    }),
  };
}

/**
 * Parses a text such as `20/50/100`: the lower bound, target and upper bound of a coin's balance in a hot
 * wallet, in units of the coin. Undefined if the text is missing or invalid, or if the numbers are not
 * strictly increasing.
 */
export function readBounds(text: string | undefined): HotBounds | undefined {
  const [least, target, most, further] = (text ?? '').split('/').map((part) => Decimal.tryParse(part.trim()));
  if (least === undefined || target === undefined || most === undefined || further !== undefined)
    return undefined;
  return least.isLess(target) && target.isLess(most) ? { least, target, most } : undefined;
}

/**
 * Parses a text such as `USDT=20000/50000/100000, …`: for each coin the lower bound, target and upper bound
 * of its balance in the hot wallet, in units of the coin. For an invalid text, returns a text with the rule
 * that it breaks.
 */
export function readCoinBounds(text: string): ReadonlyMap<string, HotBounds> | string {
  const bounds = new Map<string, HotBounds>();
  for (const part of text.split(',')) {
    const [, asset = '', ...amounts] =
      /^([A-Z0-9]{1,12})=([\d.]+)\/([\d.]+)\/([\d.]+)$/.exec(part.trim()) ?? [];
    const [least, target, most] = amounts.map((amount) => Decimal.tryParse(amount));
    if (least === undefined || target === undefined || most === undefined)
      return 'COIN=LEAST/TARGET/MOST, parted by commas';
    if (!least.isLess(target) || !target.isLess(most)) return `ordered: ${asset} needs LEAST < TARGET < MOST`;
    bounds.set(asset, { least, target, most });
  }
  return bounds;
}

/**
 * Returns the bounds of a hot wallet's balances by coin, parsed by `readCoinBounds`; empty if the text is
 * missing or invalid.
 */
export function coinBoundsOf(text: string | undefined): ReadonlyMap<string, HotBounds> {
  const bounds = text === undefined ? undefined : readCoinBounds(text);
  return bounds === undefined || typeof bounds === 'string' ? new Map() : bounds;
}

/** True if the text is an http or https URL with a host, and without user name and password. */
export function isNodeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && hostname !== '' && username === '' && password === '';
}

/** Returns the entries of a comma-separated list without surrounding spaces; empty entries are left out. */
export function partsOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
