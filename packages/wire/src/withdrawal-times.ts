import * as z from 'zod/mini';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';

const times = z.object({
  finished: z.int(),
  /**
   * Durations of the withdrawals that were completed in the last 30 UTC days, including today. At least half of them
   * were completed within `medianSeconds` after the time from which they could be sent; `p90Seconds` is this number for
   * 90 % of them. Both are rounded up. `late` is the number of withdrawals for which it took longer than 24 hours.
   */
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
    /** Figures of the withdrawals completed in the last 30 UTC days, one entry per coin and network. */
    list: z.array(z.extend(times, { currency: z.string(), network: z.string() })),
  }),
});
