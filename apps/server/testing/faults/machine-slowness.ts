import { availableParallelism, loadavg } from 'node:os';

/**
 * How many times longer everything may take on a machine that has more to do than it can: 1 on a quiet one.
 * What the promises say in seconds holds for a machine that is there for the exchange.
 */
export function machineSlowness(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}
