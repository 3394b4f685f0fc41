import { keccak256, sha256 } from './digests.ts';

/** Address formats by network. Each format has a checksum, except EOS account names. */
export type AddressKind = 'bitcoin' | 'litecoin' | 'dogecoin' | 'evm' | 'tron' | 'ripple' | 'eos' | 'cardano';

const BITCOIN_DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const RIPPLE_DIGITS = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const BECH32_DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** Checksum constants of BIP 173 and BIP 350. */
const BECH32 = 1;
const BECH32M = 0x2bc830a3;
const CARDANO_MAX = 110;

/** Version bytes of base-58 addresses. */
const VERSIONS: Partial<Record<AddressKind, readonly number[]>> = {
  bitcoin: [0x00, 0x05],
  litecoin: [0x30, 0x32],
  dogecoin: [0x1e, 0x16],
  tron: [0x41],
  ripple: [0x00],
};
/** First two bytes of an X-address of the XRP Ledger's main network. */
const X_ADDRESS = [0x05, 0x44] as const;
/** Canonical spellings of addresses without a private key that their bytes do not reveal. */
const BURNED: ReadonlySet<string> = new Set([
  // EVM: words spelled in hexadecimal digits.
  '0x000000000000000000000000000000000000dEaD',
  '0xdEAD000000000000000042069420694206942069',
  '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF',
  // Base 58: words with a valid checksum; nobody has a private key for them.
  '1BitcoinEaterAddressDontSendf59kuE',
  '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
  'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr',
  // The XRP Ledger's special accounts.
  'rrrrrrrrrrrrrrrrrrrrBZbvji',
  'rrrrrrrrrrrrrrrrrNAMEtxvNvQ',
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
  // System accounts of EOS.
  'eosio',
  'eosio.null',
]);
const PREFIXES: Partial<Record<AddressKind, string>> = { bitcoin: 'bc', litecoin: 'ltc', cardano: 'addr' };

/**
 * Tells whether the text is a valid address of this kind. Checksums are verified; an EVM address in mixed
 * case must satisfy EIP-55.
 */
export function isChainAddress(kind: AddressKind, text: string): boolean {
  if (kind === 'evm') return isEvm(text);
  if (kind === 'eos') return /^(?=.{1,12}$)[a-z1-5]+(?:\.[a-z1-5]+)*$/.test(text);
  const prefix = PREFIXES[kind];
  if (prefix !== undefined && isBech32Text(kind, text)) return isBech32(kind, prefix, text);
  const versions = VERSIONS[kind];
  if (versions === undefined) return false;
  const body = checkedBody(text, kind === 'ripple' ? RIPPLE_DIGITS : BITCOIN_DIGITS);
  return body?.length === 21 && versions.includes(body[0]!);
}

/**
 * The canonical spelling, under which an address is stored and compared: EIP-55 for EVM, lower case for
 * bech32. Returns text that is not an address of this kind unchanged.
 */
export function canonicalAddress(kind: AddressKind, text: string): string {
  if (!isChainAddress(kind, text)) return text;
  if (kind === 'evm') return checksummed(text.slice(2).toLowerCase());
  return isBech32Text(kind, text) ? text.toLowerCase() : text;
}

/** Tells whether coins sent to the address are lost because no private key for it exists. */
export function isBurnAddress(kind: AddressKind, text: string): boolean {
  const address = canonicalAddress(kind, text);
  if (BURNED.has(address)) return true;
  // The zero address and the precompiled contracts.
  if (kind === 'evm') return /^0x0{37}[0-9a-fA-F]{3}$/.test(address);
  if (isBech32Text(kind, address))
    // Zeros after the version and before the six checksum characters.
    return /^[a-z]+1.q+.{6}$/.test(address);
  const body = checkedBody(address, kind === 'ripple' ? RIPPLE_DIGITS : BITCOIN_DIGITS);
  return body?.slice(1).every((byte) => byte === 0) === true;
}

/**
 * An XRP Ledger account and the destination tag from its X-address; undefined if the address says that it has
 * no tag.
 */
export interface TaggedAccount {
  readonly address: string;
  readonly tag: string | undefined;
}

/**
 * Decodes an X-address of the main network (XLS-5). Returns undefined for any other text and for a wrong
 * checksum.
 */
export function taggedAccount(text: string): TaggedAccount | undefined {
  if (!text.startsWith('X')) return undefined;
  const body = checkedBody(text, RIPPLE_DIGITS);
  if (body?.length !== 31 || body[0] !== X_ADDRESS[0] || body[1] !== X_ADDRESS[1]) return undefined;
  const [flag, tag] = [body[22]!, body.slice(23)];
  // Tags above 32 bits are reserved, and an address without a tag has zeros in their place.
  if (flag > 1 || tag.slice(flag === 1 ? 4 : 0).some((byte) => byte !== 0)) return undefined;
  const number = new DataView(tag.buffer, tag.byteOffset).getUint32(0, true);
  return {
    address: chainAddress('ripple', body.slice(2, 22)),
    tag: flag === 1 ? String(number) : undefined,
  };
}

/**
 * Decodes base 58 and returns the bytes before the four checksum bytes, or undefined if the checksum is
 * wrong.
 */
function checkedBody(text: string, alphabet: string): Uint8Array | undefined {
  const bytes = base58Bytes(text, alphabet);
  if (bytes === undefined || bytes.length < 5) return undefined;
  const body = bytes.slice(0, -4);
  const check = sha256(sha256(body));
  return bytes.slice(-4).every((byte, at) => byte === check[at]) ? body : undefined;
}

function isBech32Text(kind: AddressKind, text: string): boolean {
  const prefix = PREFIXES[kind];
  return prefix !== undefined && text.toLowerCase().startsWith(`${prefix}1`);
}

/** Encodes 20 bytes, such as the hash of a public key, as an address of this kind. */
export function chainAddress(kind: AddressKind, payload: Uint8Array): string {
  if (kind === 'evm')
    return checksummed(Array.from(payload, (byte) => byte.toString(16).padStart(2, '0')).join(''));
  if (kind === 'eos')
    return Array.from(payload.slice(0, 12), (byte) => 'abcdefghijklmnopqrstuvwxyz12345'[byte % 31]).join('');
  if (kind === 'bitcoin' || kind === 'litecoin')
    return bech32(PREFIXES[kind]!, [0, ...fiveBitGroups(payload)]);
  if (kind === 'cardano')
    return bech32('addr', fiveBitGroups(Uint8Array.of(0x61, ...payload, ...sha256(payload).slice(0, 8))));
  const body = Uint8Array.of(VERSIONS[kind]![0]!, ...payload);
  const whole = Uint8Array.of(...body, ...sha256(sha256(body)).slice(0, 4));
  return base58Text(whole, kind === 'ripple' ? RIPPLE_DIGITS : BITCOIN_DIGITS);
}

function isEvm(text: string): boolean {
  const match = /^0x([0-9a-fA-F]{40})$/.exec(text);
  if (match === null) return false;
  const hex = match[1]!;
  return hex === hex.toLowerCase() || hex === hex.toUpperCase() || checksummed(hex.toLowerCase()) === text;
}

/** Applies the EIP-55 checksum to lower-case hexadecimal digits. */
function checksummed(hex: string): string {
  const hash = keccak256(new TextEncoder().encode(hex));
  const nibble = (at: number) => (at % 2 === 0 ? hash[at >> 1]! >> 4 : hash[at >> 1]! & 15);
  return `0x${Array.from(hex)
    .map((digit, at) => (nibble(at) > 7 ? digit.toUpperCase() : digit))
    .join('')}`;
}

/** Converts digits from base `from` to base `to`; most significant digit first, without leading zeros. */
function rebased(input: Iterable<number>, from: number, to: number): number[] {
  const digits: number[] = [];
  for (const digit of input) {
    let carry = digit;
    for (let at = 0; at < digits.length; at += 1) {
      carry += digits[at]! * from;
      digits[at] = carry % to;
      carry = Math.floor(carry / to);
    }
    for (; carry > 0; carry = Math.floor(carry / to)) digits.push(carry % to);
  }
  return digits.toReversed();
}

function base58Bytes(text: string, alphabet: string): Uint8Array | undefined {
  if (text.length < 20 || text.length > 50) return undefined;
  const digits = Array.from(text).map((letter) => alphabet.indexOf(letter));
  if (digits.includes(-1)) return undefined;
  const zeros = Math.max(
    0,
    digits.findIndex((digit) => digit !== 0),
  );
  return Uint8Array.of(...Array<number>(zeros).fill(0), ...rebased(digits, 58, 256));
}

function base58Text(bytes: Uint8Array, alphabet: string): string {
  const zeros = Math.max(
    0,
    bytes.findIndex((byte) => byte !== 0),
  );
  const digits = [...Array<number>(zeros).fill(0), ...rebased(bytes, 256, 58)];
  return digits.map((digit) => alphabet[digit]).join('');
}

function isBech32(kind: AddressKind, prefix: string, text: string): boolean {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return false;
  const values = Array.from(text.toLowerCase().slice(prefix.length + 1)).map((letter) =>
    BECH32_DIGITS.indexOf(letter),
  );
  if (values.includes(-1) || text.length > CARDANO_MAX) return false;
  const sum = polymod([...expanded(prefix), ...values]);
  if (kind === 'cardano') return sum === BECH32 && values.length >= 50;
  const [version = 32, length] = [values[0], values.length - 7];
  if (version === 0) return sum === BECH32 && (length === 32 || length === 52);
  return sum === BECH32M && version <= 16 && length >= 4 && length <= 64;
}

function bech32(prefix: string, values: readonly number[]): string {
  const sum = polymod([...expanded(prefix), ...values, 0, 0, 0, 0, 0, 0]) ^ BECH32;
  const check = [0, 1, 2, 3, 4, 5].map((at) => (sum >>> (5 * (5 - at))) & 31);
  return `${prefix}1${[...values, ...check].map((value) => BECH32_DIGITS[value]).join('')}`;
}

function expanded(prefix: string): number[] {
  const codes = Array.from(prefix).map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(values: readonly number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    generators.forEach((generator, at) => {
      if (((top >> at) & 1) === 1) sum ^= generator;
    });
  }
  return sum >>> 0;
}

/** Splits bytes into groups of five bits; the last group is padded with zeros. */
function fiveBitGroups(bytes: Uint8Array): number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => Number.parseInt(five.padEnd(5, '0'), 2));
}
