/** Reads the time; tests set their own. */
export interface Clock {
  /** Milliseconds UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
