/** Source of the current time. Tests replace it. */
export interface Clock {
  /** Current time in milliseconds UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
