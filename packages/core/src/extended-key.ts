import { createBase58check } from '@scure/base';
import { sha256 } from './digests.ts';
import { accepted, refused, type Result } from './result.ts';

/**
 * Reasons for which a text is refused as an account's extended public key. `depth` means that the key belongs to
 * another level of the derivation path.
 */
export type ExtendedKeyProblem = 'malformed' | 'private' | 'depth';

const base58check = createBase58check(sha256);
const LENGTH = 78;
/** Depth of an account key in the BIP 32 derivation path, such as `m/84'/2'/0'`. */
const ACCOUNT_DEPTH = 3;
/** Version bytes of an extended public key of Bitcoin's main network (xpub). */
const XPUB_VERSION = [0x04, 0x88, 0xb2, 0x1e] as const;
const DEPTH_AT = 4;
const KEY_AT = 45;

/**
 * Parses the extended public key of an account (BIP 32). Its prefix may be that of any network: xpub, zpub, Ltub, Mtub,
 * dgub, tpub and others, which differ only in their version bytes. Returns the key as an xpub, or the reason why the
 * text is refused. A private key is recognized by its contents, whatever its version bytes are.
 */
export function readAccountKey(text: string): Result<string, ExtendedKeyProblem> {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    return refused('malformed'); // the text has a character that is not a base-58 digit, or a wrong checksum
  }
  if (bytes.length !== LENGTH) return refused('malformed');
  const prefix = bytes[KEY_AT]!;
  if (prefix === 0) return refused('private');
  if (prefix !== 2 && prefix !== 3) return refused('malformed');
  if (bytes[DEPTH_AT] !== ACCOUNT_DEPTH) return refused('depth');
  return accepted(base58check.encode(Uint8Array.of(...XPUB_VERSION, ...bytes.subarray(XPUB_VERSION.length))));
}
