/**
 * The only reader of the device's clock. What a countdown or a chart shows is the server's time: the
 * device's plus an offset, learned from answers that carry the server's clock.
 */

/** What one answer said of the server's clock. */
interface ClockSample {
  /** Server time less device time, halfway between sending and receiving. */
  readonly offsetMs: number;
  readonly roundTripMs: number;
}

/** The newest samples, oldest first. */
let samples: readonly ClockSample[] = [];
let offsetMs = 0;

/** So many answers are compared: with a ping every few seconds, those of about the last minute. */
const SAMPLES_MAX = 8;
/** Both clocks are read in whole milliseconds, and both drift a little between two samples. */
const READING_MS = 25;

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
 * Learns from one answer. The server read its clock (`serverMs`) somewhere between `sentAtMs` and `receivedAtMs`, all in
 * milliseconds, the latter two by the device's clock. The offset is that of the quickest of the newest answers, so a
 * route that has become slower for good counts as soon as the quick answers before it are pushed out. An earlier answer
 * that contradicts the newest one was given before the device's clock was set, and is dropped at once.
 */
export function learnServerTime(serverMs: number, sentAtMs: number, receivedAtMs: number): void {
  const roundTripMs = Math.max(0, receivedAtMs - sentAtMs);
  const newest = { offsetMs: serverMs - (sentAtMs + roundTripMs / 2), roundTripMs };
  const agreeing = samples.filter((sample) => agree(sample, newest));
  samples = [...agreeing, newest].slice(-SAMPLES_MAX);
  const quickest = samples.reduce((best, sample) => (sample.roundTripMs <= best.roundTripMs ? sample : best));
  offsetMs = Math.round(quickest.offsetMs);
}

/** Whether one offset can be the truth of both answers: each is known to half of its round trip. */
function agree(sample: ClockSample, newest: ClockSample): boolean {
  const uncertainMs = (sample.roundTripMs + newest.roundTripMs) / 2 + READING_MS;
  return Math.abs(sample.offsetMs - newest.offsetMs) <= uncertainMs;
}
