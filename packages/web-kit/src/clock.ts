/**
 * The only reader of the device's clock. What a countdown or a chart shows is the server's time: the
 * device's plus an offset, learned from answers that carry the server's clock.
 */

let offsetMs = 0;
let bestRoundTripMs = Number.POSITIVE_INFINITY;

/** How far a sample may be worse than the best one and still replace it: clocks drift, so old samples age. */
const AGEING_FACTOR = 1.5;

/** The device's time in milliseconds since 1970 UTC; for measuring intervals, never for deadlines. */
export function deviceNow(): number {
  return Date.now();
}

/** A time that never runs backwards, in milliseconds with fractions; for measuring how long something takes. */
export function steadyNow(): number {
  return performance.now();
}

/** The server's time in milliseconds since 1970 UTC, as well as it is known. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}

/**
 * Learns from one answer: `serverMs` is the server's clock somewhere between sending and receiving (device
 * time, milliseconds). The answer with the shortest way says it best.
 */
export function learnServerTime(serverMs: number, sentAtMs: number, receivedAtMs: number): void {
  const roundTripMs = Math.max(0, receivedAtMs - sentAtMs);
  if (roundTripMs > bestRoundTripMs * AGEING_FACTOR + 20) return;
  bestRoundTripMs = roundTripMs;
  offsetMs = Math.round(serverMs - (sentAtMs + roundTripMs / 2));
}
