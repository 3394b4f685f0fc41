import * as z from 'zod/mini';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';

const times = z.object({
  finished: z.int(),
  /** Upper bound of the median duration in seconds; `p90Seconds` is an upper bound of the 90th percentile. */
  medianSeconds: z.int(),
  p90Seconds: z.int(),
  slowestSeconds: z.int(),
  late: z.int(),
});

export const withdrawalStats = endpoint({
  method: 'GET',
  path: '/proof/withdrawals',
  summary:
    'Durations of the withdrawals of the last 30 days by coin and network, and the number that missed the promised 24 hours.',
  access: ANYONE,
  charge: publicRead(2),
  fields: {},
  data: z.object({
    withdrawals: z.extend(times, {
      /** Number of withdrawals that are in review or being processed and whose promised time has passed. */
      overdue: z.int(),
    }),
    /** The same figures by coin and network, without `overdue`. */
    list: z.array(z.extend(times, { currency: z.string(), network: z.string() })),
  }),
});
