/** Source of the current time, which tests replace. */
export interface Clock {
  /** Current time in milliseconds UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
