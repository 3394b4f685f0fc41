import { constants, inflateRawSync } from 'node:zlib';

const FLUSHED = Buffer.from([0, 0, 0xff, 0xff]);

/** A received WebSocket message with its compressed payload. */
export class Message {
  private readonly payload: Buffer;

  constructor(payload: Buffer) {
    this.payload = payload;
  }

  text(): string {
    const whole = Buffer.concat([this.payload, FLUSHED]);
    return inflateRawSync(whole, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
  }
}

/**
 * Splits received bytes into WebSocket messages of less than 64 KiB. An incomplete message is kept until a
 * later call of `parse` completes it.
 */
export class MessageParser {
  private rest: Buffer = Buffer.alloc(0);

  *parse(chunk: Buffer): IterableIterator<Message> {
    let bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (;;) {
      const shortLength = bytes[1] ?? 0;
      const headBytes = shortLength < 126 ? 2 : 4;
      if (bytes.length < headBytes) break;
      const length = shortLength < 126 ? shortLength : bytes.readUInt16BE(2);
      if (bytes.length < headBytes + length) break;
      yield new Message(bytes.subarray(headBytes, headBytes + length));
      bytes = bytes.subarray(headBytes + length);
    }
    this.rest = bytes;
  }
}
