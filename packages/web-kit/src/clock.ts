/**
 * Estimate of the server time. Apart from tests, no other module of the sites reads the device's clock
 * directly: countdowns and charts use the device's time plus an offset estimated from responses that carry
 * the server's time.
 */

/** An estimate of the clock offset from a single response. */
interface ClockSample {
  /** Server time minus device time at the midpoint of the round trip, in milliseconds. */
  readonly offsetMs: number;
  readonly roundTripMs: number;
}

/** The newest samples of the clock offset, oldest first. */
let samples: readonly ClockSample[] = [];
let offsetMs = 0;

/** Maximum number of clock offset samples; with a ping every four seconds they span about half a minute. */
const SAMPLES_MAX = 8;
/** Tolerance in milliseconds between clock offset samples, for rounding and for clock drift. */
const TOLERANCE_MS = 25;

/**
 * Returns the device's time in milliseconds since 1970 UTC. It may differ from the server's time, which
 * `serverNow` estimates.
 */
export function deviceNow(): number {
  return Date.now();
}

/** Returns a monotonic time in milliseconds with fractions, for measuring durations. */
export function steadyNow(): number {
  return performance.now();
}

/** The estimated server time in milliseconds since 1970 UTC. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}

/**
 * Updates the offset from one response. The server read its clock (`serverMs`) between `sentAtMs` and
 * `receivedAtMs`, which are device times; all in milliseconds. The offset comes from the sample with the
 * shortest round trip among the newest samples, so a permanently slower route takes effect once the older,
 * faster samples have been dropped. Older samples that contradict the newest one predate a change of the
 * device's clock and are dropped at once.
 */
export function learnServerTime(serverMs: number, sentAtMs: number, receivedAtMs: number): void {
  const roundTripMs = Math.max(0, receivedAtMs - sentAtMs);
  const newest = { offsetMs: serverMs - (sentAtMs + roundTripMs / 2), roundTripMs };
  const agreeing = samples.filter((sample) => areConsistent(sample, newest));
  samples = [...agreeing, newest].slice(-SAMPLES_MAX);
  const quickest = samples.reduce((best, sample) => (sample.roundTripMs <= best.roundTripMs ? sample : best));
  offsetMs = Math.round(quickest.offsetMs);
}

/**
 * True when a single clock offset is consistent with both samples; each is accurate to half of its round
 * trip, and `TOLERANCE_MS` is added.
 */
function areConsistent(sample: ClockSample, newest: ClockSample): boolean {
  const uncertainMs = (sample.roundTripMs + newest.roundTripMs) / 2 + TOLERANCE_MS;
  return Math.abs(sample.offsetMs - newest.offsetMs) <= uncertainMs;
}
