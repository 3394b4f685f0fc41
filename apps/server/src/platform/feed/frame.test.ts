import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SharedFrame, textFrame } from './frame.ts';

const long = JSON.stringify(Array.from({ length: 200 }, (_, row) => [`${60_000 + row}.25`, '0.012345']));
const FLUSHED = Buffer.from([0, 0, 0xff, 0xff]);

describe('a shared frame', () => {
  it('EDGE-105 a long message is compressed into an independent frame with RSV1 set', () => {
    const frame = new SharedFrame(long, true);
    expect(frame.plain).toEqual(textFrame(long));
    const { compressed } = frame;
    expect(compressed.length).toBeLessThan(long.length * 0.6);
    expect(compressed[0]).toBe(0xc1);
    expect(compressed[1]).toBe(126);
    const payload = compressed.subarray(4);
    expect(payload.length).toBe(compressed.readUInt16BE(2));
    expect(inflateRawSync(Buffer.concat([payload, FLUSHED]), { finishFlush: 2 }).toString()).toBe(long);
    expect(frame.compressed).toBe(compressed);
  });

  it('EDGE-105 short, very long and private messages are not compressed', () => {
    for (const frame of [
      new SharedFrame('{"op":"short"}', true),
      new SharedFrame(long.repeat(10), true),
      new SharedFrame(long, false),
    ])
      expect(frame.compressed).toBe(frame.plain);
  });

  it.each([0, 125, 126, 65_535, 65_536])('a length of %d bytes is encoded as RFC 6455 requires', (length) => {
    const frame = textFrame('x'.repeat(length));
    const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
    expect(frame.length).toBe(head + length);
    expect(frame[1]).toBe(length < 126 ? length : length < 65_536 ? 126 : 127);
    const encodedLength =
      head === 2 ? BigInt(length) : head === 4 ? BigInt(frame.readUInt16BE(2)) : frame.readBigUInt64BE(2);
    expect(encodedLength).toBe(BigInt(length));
  });
});
