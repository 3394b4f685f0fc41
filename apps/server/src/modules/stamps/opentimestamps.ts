/**
 * The binary format of OpenTimestamps (https://opentimestamps.org): operations that lead from the digest of a file to
 * messages that a calendar or a Bitcoin block attests. A timestamp is a tree, because a message can be the input of
 * several operations.
 */
import { createHash } from 'node:crypto';

/** First bytes of a proof file (`.ots`): `\0OpenTimestamps\0\0Proof\0` and eight fixed bytes. */
const FILE_MAGIC = Buffer.from('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294', 'hex');
const FILE_VERSION = 1;

const ATTESTATION = 0x00;
/** Byte before every operation or attestation of a timestamp except the last one. */
const MORE = 0xff;
const SHA256 = 0x08;
/**
 * The hash functions of the OpenTimestamps format by their operation codes. Calendars use SHA-256; the format
 * also permits SHA-1 and RIPEMD-160, which old proofs can use.
 */
const HASHES: ReadonlyMap<number, HashName> = new Map([
  [0x02, 'sha1'],
  [0x03, 'ripemd160'],
  [SHA256, 'sha256'],
]);
const APPEND = 0xf0;
const PREPEND = 0xf1;

const PENDING = '83dfe30d2ef90c8e';
const BITCOIN = '0588960d73d71901';
const TAG_BYTES = 8;

/** Limits of proofs: bytes of a proof, nested operations, and bytes of an operation's argument. */
export const PROOF_BYTES_MAX = 10_000;
const DEPTH_MAX = 200;
const ARGUMENT_BYTES_MAX = 4_096;
/** Maximum number of bytes of an encoded number; each byte holds seven bits. A block height has three or four bytes. */
const NUMBER_BYTES_MAX = 5;

type HashName = 'sha1' | 'ripemd160' | 'sha256';

/** An operation of the OpenTimestamps format, which turns a message into the next one. */
export type Operation =
  | { readonly kind: 'append' | 'prepend'; readonly argument: Buffer }
  | { readonly kind: HashName };

export type Attestation =
  /** The calendar at `url` has received the message, and will later provide the rest of the proof. */
  | { readonly kind: 'pending'; readonly url: string }
  /** The message is the Merkle root in the header of the Bitcoin block at `height`. */
  | { readonly kind: 'bitcoin'; readonly height: number }
  /** An attestation of an unknown kind; it is stored unchanged. */
  | { readonly kind: 'other'; readonly tag: string; readonly payload: Buffer };

export type TimestampItem =
  | { readonly attestation: Attestation }
  | { readonly operation: Operation; readonly next: Timestamp };

/** The operations on a message and the attestations of it. */
export interface Timestamp {
  readonly items: readonly TimestampItem[];
}

/** An attestation, together with the message that it attests. */
export interface AttestedMessage {
  readonly message: Buffer;
  readonly attestation: Attestation;
}

/** SHA-256 of a statement; the exchange sends it to the calendars. */
export function digestOf(statement: string): Buffer {
  return createHash('sha256').update(statement).digest();
}

/** Reads a timestamp as calendars send it. Throws if the bytes are not exactly one timestamp. */
export function readTimestamp(bytes: Buffer): Timestamp {
  if (bytes.length > PROOF_BYTES_MAX) throw new Error(`a proof has ${bytes.length} bytes`);
  const source = new ByteSource(bytes);
  const timestamp = timestampIn(source, 0);
  if (!source.isAtEnd) throw new Error('a proof has bytes after its end');
  return timestamp;
}

/** Encodes a timestamp in the form that `readTimestamp` reads. Throws for a timestamp without content. */
export function timestampBytes({ items }: Timestamp): Buffer {
  if (items.length === 0) throw new Error('a timestamp attests nothing');
  return Buffer.concat(
    items.flatMap((item, at) => {
      const bytes = itemBytes(item);
      return at < items.length - 1 ? [Buffer.of(MORE), bytes] : [bytes];
    }),
  );
}

/** The bytes of a file for the tools of OpenTimestamps; `digest` is the SHA-256 of the stamped file. */
export function fileBytes(digest: Buffer, timestamp: Timestamp): Buffer {
  return Buffer.concat([
    FILE_MAGIC,
    numberBytes(FILE_VERSION),
    Buffer.of(SHA256),
    digest,
    timestampBytes(timestamp),
  ]);
}

/** All attestations of a timestamp of `message`, each with the message that it attests. */
export function attestedMessages(message: Buffer, { items }: Timestamp): AttestedMessage[] {
  return items.flatMap((item) =>
    'attestation' in item
      ? [{ message, attestation: item.attestation }]
      : attestedMessages(resultOf(item.operation, message), item.next),
  );
}

/**
 * Copies the timestamp of `message`. In the copy, `upgrade` replaces each attestation that the calendar `url` has
 * promised for the message `attested` but not yet completed by a block.
 */
export function upgraded(
  message: Buffer,
  { items }: Timestamp,
  {
    url,
    attested,
    upgrade,
  }: { readonly url: string; readonly attested: Buffer; readonly upgrade: Timestamp },
): Timestamp {
  return {
    items: items.flatMap((item): readonly TimestampItem[] => {
      if ('attestation' in item) {
        const { attestation } = item;
        const isReplaced =
          attestation.kind === 'pending' && attestation.url === url && message.equals(attested);
        return isReplaced ? upgrade.items : [item];
      }
      const next = upgraded(resultOf(item.operation, message), item.next, { url, attested, upgrade });
      return [{ operation: item.operation, next }];
    }),
  };
}

function resultOf(operation: Operation, message: Buffer): Buffer {
  switch (operation.kind) {
    case 'append':
      return Buffer.concat([message, operation.argument]);
    case 'prepend':
      return Buffer.concat([operation.argument, message]);
    default:
      return createHash(operation.kind).update(message).digest();
  }
}

function timestampIn(source: ByteSource, depth: number): Timestamp {
  if (depth > DEPTH_MAX) throw new Error('a proof has too many nested operations');
  const items: TimestampItem[] = [];
  let tag = source.byte();
  while (tag === MORE) {
    items.push(itemIn(source, source.byte(), depth));
    tag = source.byte();
  }
  items.push(itemIn(source, tag, depth));
  return { items };
}

function itemIn(source: ByteSource, tag: number, depth: number): TimestampItem {
  if (tag === ATTESTATION) return { attestation: attestationIn(source) };
  const operation = operationIn(source, tag);
  return { operation, next: timestampIn(source, depth + 1) };
}

function operationIn(source: ByteSource, tag: number): Operation {
  const hash = HASHES.get(tag);
  if (hash !== undefined) return { kind: hash };
  if (tag === APPEND) return { kind: 'append', argument: source.prefixedBytes() };
  if (tag === PREPEND) return { kind: 'prepend', argument: source.prefixedBytes() };
  throw new Error(`a proof has the unknown operation ${tag}`);
}

function attestationIn(source: ByteSource): Attestation {
  const tag = source.bytes(TAG_BYTES).toString('hex');
  const payload = source.prefixedBytes();
  const content = new ByteSource(payload);
  switch (tag) {
    case PENDING:
      return { kind: 'pending', url: content.prefixedBytes().toString('utf8') };
    case BITCOIN:
      return { kind: 'bitcoin', height: content.number() };
    default:
      return { kind: 'other', tag, payload };
  }
}

function itemBytes(item: TimestampItem): Buffer {
  if ('attestation' in item)
    return Buffer.concat([Buffer.of(ATTESTATION), attestationBytes(item.attestation)]);
  return Buffer.concat([operationBytes(item.operation), timestampBytes(item.next)]);
}

function operationBytes(operation: Operation): Buffer {
  switch (operation.kind) {
    case 'append':
      return Buffer.concat([Buffer.of(APPEND), prefixed(operation.argument)]);
    case 'prepend':
      return Buffer.concat([Buffer.of(PREPEND), prefixed(operation.argument)]);
    default: {
      const [tag] = [...HASHES].find(([, name]) => name === operation.kind)!;
      return Buffer.of(tag);
    }
  }
}

function attestationBytes(attestation: Attestation): Buffer {
  switch (attestation.kind) {
    case 'pending':
      return Buffer.concat([Buffer.from(PENDING, 'hex'), prefixed(prefixed(Buffer.from(attestation.url)))]);
    case 'bitcoin':
      return Buffer.concat([Buffer.from(BITCOIN, 'hex'), prefixed(numberBytes(attestation.height))]);
    default:
      return Buffer.concat([Buffer.from(attestation.tag, 'hex'), prefixed(attestation.payload)]);
  }
}

function prefixed(bytes: Buffer): Buffer {
  return Buffer.concat([numberBytes(bytes.length), bytes]);
}

/** Encodes a number in groups of seven bits, the lowest first; all bytes except the last have the eighth bit set. */
function numberBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

/** Reads bytes in order. Every method throws if not enough bytes are left. */
class ByteSource {
  private readonly content: Buffer;
  private position = 0;

  constructor(content: Buffer) {
    this.content = content;
  }

  get isAtEnd(): boolean {
    return this.position === this.content.length;
  }

  bytes(count: number): Buffer {
    const end = this.position + count;
    if (end > this.content.length) throw new Error('a proof ends too early');
    const read = this.content.subarray(this.position, end);
    this.position = end;
    return read;
  }

  byte(): number {
    return this.bytes(1)[0]!;
  }

  number(): number {
    let value = 0;
    for (let at = 0; at < NUMBER_BYTES_MAX; at += 1) {
      const byte = this.byte();
      value += (byte % 128) * 128 ** at;
      if (byte < 128) return value;
    }
    throw new Error('a proof has a number that is too large');
  }

  prefixedBytes(): Buffer {
    const count = this.number();
    if (count > ARGUMENT_BYTES_MAX) throw new Error(`a proof has an argument of ${count} bytes`);
    return this.bytes(count);
  }
}
