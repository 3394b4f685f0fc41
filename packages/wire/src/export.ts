import * as z from 'zod/mini';
import { coin } from './codecs.ts';
import { csvEndpoint, USER, signedInRead } from './endpoint.ts';
import { periodEnd } from './paging.ts';
import { orderFilters } from './spot.ts';

export const exportRecords = csvEndpoint({
  path: '/account/export',
  summary:
    'The caller’s orders, fills, events or movements of a period as a CSV file, newest first, one export at a time. `currency` filters events and movements, the other fields filter orders and fills. Times are ISO 8601 in UTC; if the connection breaks before the end, the file is incomplete.',
  access: USER,
  charge: signedInRead(120),
  costOf: () => ({ isHeavy: true }),
  fields: {
    kind: z.enum(['orders', 'fills', 'events', 'movements'], 'l.field_choice'),
    format: z._default(z.enum(['csv'], 'l.field_choice'), 'csv'),
    ...orderFilters,
    currency: z.optional(coin),
    startTime: periodEnd,
    endTime: periodEnd,
  },
});
