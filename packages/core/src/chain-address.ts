import { base58, base58xrp, bech32, bech32m } from '@scure/base';
import { keccak256, sha256 } from './digests.ts';

/**
 * Families of address formats. Every format has a checksum, except account names of EOS, and EVM addresses whose
 * letters are all lower-case or all capitals.
 */
export type AddressKind = 'bitcoin' | 'litecoin' | 'dogecoin' | 'evm' | 'tron' | 'ripple' | 'eos' | 'cardano';

/** Maximum number of characters of a bech32 address. BIP 173 permits 90, but addresses of Cardano are longer. */
const BECH32_LENGTH_MAX = 110;
/** Minimum and maximum number of characters of an address in base 58. */
const BASE58_LENGTH = { min: 20, max: 50 };
/** Minimum number of five-bit groups in a Cardano address, not counting the checksum. */
const CARDANO_GROUPS_MIN = 44;

/** Version bytes with which the decoded base-58 addresses of each family begin. */
const VERSIONS: Partial<Record<AddressKind, readonly number[]>> = {
  bitcoin: [0x00, 0x05],
  litecoin: [0x30, 0x32],
  dogecoin: [0x1e, 0x16],
  tron: [0x41],
  ripple: [0x00],
};
/** The first two bytes of a decoded X-address of the XRP Ledger's main network. */
const X_ADDRESS = [0x05, 0x44] as const;
/**
 * Addresses whose coins nobody can spend, in canonical spelling, although their bytes are not zero: burn addresses, for
 * which nobody has a private key, and system accounts of EOS.
 */
const BURNED: ReadonlySet<string> = new Set([
  // EVM burn addresses: words in hexadecimal digits, and repeated digits.
  '0x000000000000000000000000000000000000dEaD',
  '0xdEAD000000000000000042069420694206942069',
  '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF',
  // Base-58 burn addresses: words with a valid checksum that nobody has a private key for.
  '1BitcoinEaterAddressDontSendf59kuE',
  '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
  'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr',
  // Accounts of the XRP Ledger that nobody controls.
  'rrrrrrrrrrrrrrrrrrrrBZbvji',
  'rrrrrrrrrrrrrrrrrNAMEtxvNvQ',
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
  // System accounts of EOS, which no user controls.
  'eosio',
  'eosio.null',
]);
const PREFIXES: Partial<Record<AddressKind, string>> = { bitcoin: 'bc', litecoin: 'ltc', cardano: 'addr' };

/**
 * Returns whether the text is a valid address of this kind. Checksums are verified. The capital letters of an EVM
 * address in mixed case must be those of EIP-55.
 */
export function isChainAddress(kind: AddressKind, text: string): boolean {
  if (kind === 'evm') return isEvm(text);
  if (kind === 'eos') return /^(?=.{1,12}$)[a-z1-5]+(?:\.[a-z1-5]+)*$/.test(text);
  const prefix = PREFIXES[kind];
  if (prefix !== undefined && isBech32Text(kind, text)) return isBech32(kind, prefix, text);
  const versions = VERSIONS[kind];
  if (versions === undefined) return false;
  const body = checkedBody(kind, text);
  return body?.length === 21 && versions.includes(body[0]!);
}

/**
 * Returns an address in its canonical spelling, in which addresses are stored and compared: EIP-55 for EVM, lower case
 * for bech32. Returns a text that is not an address of this kind unchanged.
 */
export function canonicalAddress(kind: AddressKind, text: string): string {
  if (!isChainAddress(kind, text)) return text;
  if (kind === 'evm') return checksummed(text.slice(2).toLowerCase());
  return isBech32Text(kind, text) ? text.toLowerCase() : text;
}

/**
 * Returns whether coins sent to the address are known to be lost. This is the case for addresses in `BURNED`, for
 * addresses whose bytes after the version are all zero, and for EVM addresses whose first 37 digits are zero.
 */
export function isBurnAddress(kind: AddressKind, text: string): boolean {
  const address = canonicalAddress(kind, text);
  if (BURNED.has(address)) return true;
  // Matches the zero address and the 4,095 addresses after it, which include the precompiled contracts.
  if (kind === 'evm') return /^0x0{37}[0-9a-fA-F]{3}$/.test(address);
  if (isBech32Text(kind, address))
    // Matches an address whose data consists of zeros: `q` after the version and before the six checksum
    // characters.
    return /^[a-z]+1.q+.{6}$/.test(address);
  const body = checkedBody(kind, address);
  return body?.slice(1).every((byte) => byte === 0) === true;
}

/**
 * An account of the XRP Ledger with a destination tag, decoded from an X-address. `tag` is undefined if the X-address
 * has none.
 */
export interface TaggedAccount {
  readonly address: string;
  readonly tag: string | undefined;
}

/**
 * Decodes an X-address of the XRP Ledger's main network (XLS-5). Returns undefined for any other text, also for one
 * with a wrong checksum.
 */
export function taggedAccount(text: string): TaggedAccount | undefined {
  if (!text.startsWith('X')) return undefined;
  const body = checkedBody('ripple', text);
  if (body?.length !== 31 || body[0] !== X_ADDRESS[0] || body[1] !== X_ADDRESS[1]) return undefined;
  const [flag, tag] = [body[22]!, body.slice(23)];
  // The last four bytes of the tag are reserved and must be zero. If the address has no tag, all of its bytes must be
  // zero.
  if (flag > 1 || tag.slice(flag === 1 ? 4 : 0).some((byte) => byte !== 0)) return undefined;
  const number = new DataView(tag.buffer, tag.byteOffset).getUint32(0, true);
  return {
    address: chainAddress('ripple', body.slice(2, 22)),
    tag: flag === 1 ? String(number) : undefined,
  };
}

/**
 * Decodes an address in base 58. Returns the bytes before the four checksum bytes, or undefined if the length, a
 * character or the checksum is wrong.
 */
function checkedBody(kind: AddressKind, text: string): Uint8Array | undefined {
  if (text.length < BASE58_LENGTH.min || text.length > BASE58_LENGTH.max) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = base58Of(kind).decode(text);
  } catch {
    return undefined; // the text contains a character that is not a base-58 digit
  }
  if (bytes.length < 5) return undefined;
  const body = bytes.slice(0, -4);
  const check = sha256(sha256(body));
  return bytes.slice(-4).every((byte, at) => byte === check[at]) ? body : undefined;
}

/**
 * Decodes an address in base 58 into its 20 bytes, without version byte and checksum. Returns undefined if the text is
 * no address of this kind.
 */
export function addressPayload(kind: 'tron' | 'ripple', text: string): Uint8Array | undefined {
  return isChainAddress(kind, text) ? checkedBody(kind, text)?.slice(1) : undefined;
}

/**
 * Returns the base-58 alphabet of a kind of address. The XRP Ledger has another alphabet than the other blockchains.
 */
function base58Of(kind: AddressKind) {
  return kind === 'ripple' ? base58xrp : base58;
}

function isBech32Text(kind: AddressKind, text: string): boolean {
  const prefix = PREFIXES[kind];
  return prefix !== undefined && text.toLowerCase().startsWith(`${prefix}1`);
}

/**
 * Encodes bytes, such as the 20 bytes of the hash of a public key, as an address of this kind. For EOS only the first
 * twelve bytes are used: each byte modulo 31 selects a character of the account name.
 */
export function chainAddress(kind: AddressKind, payload: Uint8Array): string {
  if (kind === 'evm')
    return checksummed(Array.from(payload, (byte) => byte.toString(16).padStart(2, '0')).join(''));
  if (kind === 'eos')
    return Array.from(payload.slice(0, 12), (byte) => 'abcdefghijklmnopqrstuvwxyz12345'[byte % 31]).join('');
  if (kind === 'bitcoin' || kind === 'litecoin')
    return bech32.encode(PREFIXES[kind]!, [0, ...bech32.toWords(payload)]);
  if (kind === 'cardano') {
    const body = Uint8Array.of(0x61, ...payload, ...sha256(payload).slice(0, 8));
    return bech32.encode('addr', bech32.toWords(body), BECH32_LENGTH_MAX);
  }
  const body = Uint8Array.of(VERSIONS[kind]![0]!, ...payload);
  const whole = Uint8Array.of(...body, ...sha256(sha256(body)).slice(0, 4));
  return base58Of(kind).encode(whole);
}

function isEvm(text: string): boolean {
  const match = /^0x([0-9a-fA-F]{40})$/.exec(text);
  if (match === null) return false;
  const hex = match[1]!;
  return hex === hex.toLowerCase() || hex === hex.toUpperCase() || checksummed(hex.toLowerCase()) === text;
}

/**
 * Returns an EVM address with the prefix `0x` and the capital letters of its EIP-55 checksum. The argument is
 * its 40 hexadecimal digits in lower case, without the prefix.
 */
function checksummed(hex: string): string {
  const hash = keccak256(new TextEncoder().encode(hex));
  const nibble = (at: number) => (at % 2 === 0 ? hash[at >> 1]! >> 4 : hash[at >> 1]! & 15);
  return `0x${Array.from(hex)
    .map((digit, at) => (nibble(at) > 7 ? digit.toUpperCase() : digit))
    .join('')}`;
}

/**
 * Verifies prefix, checksum and length of a bech32 address. Addresses of Cardano and of segregated witness version 0
 * must satisfy BIP 173, addresses of later versions BIP 350.
 */
function isBech32(kind: AddressKind, prefix: string, text: string): boolean {
  const plain = bech32.decodeUnsafe(text, BECH32_LENGTH_MAX);
  const modified = bech32m.decodeUnsafe(text, BECH32_LENGTH_MAX);
  const decoded = plain ?? modified;
  if (decoded?.prefix !== prefix) return false;
  if (kind === 'cardano') return plain !== undefined && plain.words.length >= CARDANO_GROUPS_MIN;
  const [version = 32, length] = [decoded.words[0], decoded.words.length - 1];
  if (version === 0) return plain !== undefined && (length === 32 || length === 52);
  return modified !== undefined && version <= 16 && length >= 4 && length <= 64;
}
