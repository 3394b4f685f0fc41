import * as z from 'zod/mini';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';

const times = z.object({
  finished: z.int(),
  /** Half, and nine of ten, took at most so many seconds, rounded up to a step. */
  medianSeconds: z.int(),
  p90Seconds: z.int(),
  slowestSeconds: z.int(),
  late: z.int(),
});

export const withdrawalStats = endpoint({
  method: 'GET',
  path: '/proof/withdrawals',
  summary:
    'How long withdrawals of the last 30 days really took, by coin and network, and how many missed the promised 24 hours.',
  access: ANYONE,
  charge: publicRead(2),
  fields: {},
  data: z.object({
    withdrawals: z.extend(times, {
      /** Waiting now for longer than was promised. */
      overdue: z.int(),
    }),
    /** The same of each coin and network that any were of. */
    list: z.array(z.extend(times, { currency: z.string(), network: z.string() })),
  }),
});
