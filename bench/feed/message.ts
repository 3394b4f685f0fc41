import type { DepthMessage } from '@exchange/wire/feed.ts';
import { textFrame } from '../../apps/server/src/platform/feed/frame.ts';

export const SYMBOL = 'btcusdt';
export const TOPIC: string = `depth.${SYMBOL}`;
/** A feed topic of the stalled readers only, used to fill their buffers. */
export const FILLER_TOPIC = 'tickers';
const ROWS = 20;

/**
 * Returns a full depth message with 20 rows on each side. The amount of the best bid is the time of sending in
 * microseconds.
 */
export function depthNow(): DepthMessage {
  const sent = Math.round((performance.timeOrigin + performance.now()) * 1_000);
  const side = (sign: number) =>
    Array.from({ length: ROWS }, (_, row): [string, string] => [
      `${60_000 + sign * (row + 1)}.25`,
      `0.${String(12_345 + row)}`,
    ]);
  const bids = side(-1);
  bids[0] = ['59999.25', String(sent)];
  return { bids, asks: side(1) };
}

/** Returns an update of the order book as the live feed writes it: a WebSocket text frame. */
export function depthFrame(seq: number): Buffer {
  const head = `{"topic":"${TOPIC}","type":"update","seq":${seq},"ts":${Date.now()},"data":`;
  return textFrame(`${head}${JSON.stringify(depthNow())}}`);
}

/** Bytes of an uncompressed update of the feed. */
export const MESSAGE_BYTES: number = depthFrame(1).length;

const SENT = /"59999\.25","(\d{16})"/;

/**
 * Returns the latency in milliseconds of a message that has just arrived; undefined if the text contains no time of
 * sending.
 */
export function latencyMs(text: string): number | undefined {
  const sent = SENT.exec(text)?.[1];
  return sent === undefined ? undefined : performance.timeOrigin + performance.now() - Number(sent) / 1_000;
}
