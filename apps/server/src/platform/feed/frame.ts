const FINAL_TEXT = 0x81;
const TWO_BYTE_LENGTH = 126;
const EIGHT_BYTE_LENGTH = 127;

/**
 * A WebSocket text message from a server as it stands on the wire (RFC 6455, one unmasked final frame).
 * Built once and written to every socket as it is: framing again for each costs more than the write.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headLength = length < TWO_BYTE_LENGTH ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = FINAL_TEXT;
  if (headLength === 2) {
    frame[1] = length;
  } else if (headLength === 4) {
    frame[1] = TWO_BYTE_LENGTH;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTE_LENGTH;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headLength);
  return frame;
}
