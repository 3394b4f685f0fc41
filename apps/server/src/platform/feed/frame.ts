import { constants, deflateRawSync } from 'node:zlib';

const FINAL_TEXT = 0x81;
/** RFC 7692: the payload of this message is compressed. */
const COMPRESSED = 0x40;
const TWO_BYTE_LENGTH = 126;
const EIGHT_BYTE_LENGTH = 127;

/** Below, compressing gains next to nothing; above, it would hold up everybody for milliseconds. */
const COMPRESSED_BYTES = { least: 256, most: 32_768 } as const;
/** A message has a few hundred bytes to some thousand: a larger window would only cost time to set up. */
const DEFLATE = { level: 4, windowBits: 13, memLevel: 6, finishFlush: constants.Z_SYNC_FLUSH } as const;
/** What a synchronising flush ends with; the receiver puts it back (RFC 7692, 7.2.1). */
const TAIL_BYTES = 4;

/**
 * A WebSocket text message from a server as it stands on the wire (RFC 6455, one unmasked final frame).
 * Built once and written to every socket as it is: framing again for each costs more than the write.
 */
export function textFrame(text: string): Buffer {
  return framed(FINAL_TEXT, Buffer.from(text));
}

/** One message for many readers: as it is, and compressed for those who agreed to that, once for all of them. */
export class SharedFrame {
  readonly plain: Buffer;
  private readonly mayCompress: boolean;
  private packed: Buffer | undefined;

  /** Nothing that is meant for one reader is ever compressed: its length would tell of its content. */
  constructor(text: string, mayCompress: boolean) {
    this.plain = textFrame(text);
    const { length } = this.plain;
    this.mayCompress = mayCompress && length >= COMPRESSED_BYTES.least && length <= COMPRESSED_BYTES.most;
  }

  /** The same message for a reader who takes compressed ones. */
  get compressed(): Buffer {
    if (!this.mayCompress) return this.plain;
    this.packed ??= packed(this.plain);
    return this.packed;
  }
}

/** No message depends on an earlier one, so that every reader can be given the same bytes. */
function packed(plain: Buffer): Buffer {
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
