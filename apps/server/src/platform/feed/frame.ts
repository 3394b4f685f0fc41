import { constants, deflateRawSync } from 'node:zlib';

const FINAL_TEXT = 0x81;
/** The RSV1 bit of RFC 7692 in a WebSocket frame, which marks a compressed message. */
const COMPRESSED = 0x40;
const TWO_BYTE_LENGTH = 126;
const EIGHT_BYTE_LENGTH = 127;

/**
 * Range (inclusive) of the sizes in bytes of messages that are compressed. Smaller messages gain almost
 * nothing, and larger ones would block the event loop for milliseconds.
 */
const COMPRESSED_BYTES = { least: 256, most: 32_768 } as const;
/**
 * Compression settings. Most messages have hundreds to thousands of bytes, so a window of 8 KiB covers them. A larger
 * window takes longer to set up.
 */
const DEFLATE = { level: 4, windowBits: 13, memLevel: 6, finishFlush: constants.Z_SYNC_FLUSH } as const;
/**
 * Length in bytes of the tail of a sync flush. The sender removes the tail, and the receiver adds it (RFC 7692, 7.2.1).
 */
const TAIL_BYTES = 4;

/**
 * Encodes a WebSocket text message of a server (RFC 6455, one unmasked final frame).
 */
export function textFrame(text: string): Buffer {
  return framed(FINAL_TEXT, Buffer.from(text));
}

/**
 * A message for many subscribers. It is encoded once, and compressed at most once, for the clients that negotiated
 * compression.
 */
export class SharedFrame {
  readonly plain: Buffer;
  private readonly mayCompress: boolean;
  private compressedFrame: Buffer | undefined;

  /**
   * `mayCompress` must be false for messages to a single user, because the length of a compressed message would reveal
   * information about its content.
   */
  constructor(text: string, mayCompress: boolean) {
    this.plain = textFrame(text);
    const { length } = this.plain;
    this.mayCompress = mayCompress && length >= COMPRESSED_BYTES.least && length <= COMPRESSED_BYTES.most;
  }

  /** The text of the message in the frame. */
  get text(): string {
    return this.plain.subarray(headBytesOf(this.plain)).toString('utf8');
  }

  /**
   * The compressed WebSocket frame, or the plain frame if compression is not permitted or the size is not within
   * `COMPRESSED_BYTES`.
   */
  get compressed(): Buffer {
    if (!this.mayCompress) return this.plain;
    this.compressedFrame ??= compressFrame(this.plain);
    return this.compressedFrame;
  }
}

/** Compresses a frame without the context of earlier messages, so that all clients can receive the same bytes. */
function compressFrame(plain: Buffer): Buffer {
  const deflated = deflateRawSync(plain.subarray(headBytesOf(plain)), DEFLATE);
  return framed(FINAL_TEXT | COMPRESSED, deflated.subarray(0, -TAIL_BYTES));
}

function headBytesOf(frame: Buffer): number {
  const length = frame[1]!;
  return length < TWO_BYTE_LENGTH ? 2 : length === TWO_BYTE_LENGTH ? 4 : 10;
}

function framed(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const headBytes = length < TWO_BYTE_LENGTH ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headBytes + length);
  frame[0] = first;
  if (headBytes === 2) {
    frame[1] = length;
  } else if (headBytes === 4) {
    frame[1] = TWO_BYTE_LENGTH;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTE_LENGTH;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  payload.copy(frame, headBytes);
  return frame;
}
