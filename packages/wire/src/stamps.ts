import * as z from 'zod/mini';
import { instantMs } from './codecs.ts';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';
import { pageOf, pagingFields, periodEnd } from './paging.ts';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const stamps = endpoint({
  method: 'GET',
  path: '/proof/stamps',
  summary:
    'Statements of the newest price checkpoints and liabilities that servers outside the exchange have time-stamped, newest first; empty where the exchange has none.',
  access: ANYONE,
  charge: publicRead(2),
  fields: pagingFields,
  data: pageOf(
    z.object({
      /**
       * Beginning, in milliseconds UTC, of the hour to which the statement belongs. `/proof/stamp` with this
       * time in the field `hour` returns the statement.
       */
      hour: instantMs,
      /** Time at which the statement was made. */
      time: instantMs,
      /** SHA-256 of the text of the statement. */
      sha256,
      calendars: z.array(
        z.object({
          url: z.string(),
          /**
           * Height of the Bitcoin block that attests the statement; absent while the calendar server waits for such a
           * block.
           */
          block: z.optional(z.int()),
        }),
      ),
    }),
  ),
});

export const stampFile = endpoint({
  method: 'GET',
  path: '/proof/stamp',
  summary:
    'The time-stamped statement of an hour, and its proof as a file for the tools of OpenTimestamps; `ots` is absent until a calendar has answered.',
  access: ANYONE,
  charge: publicRead(5),
  fields: { hour: periodEnd },
  data: z.object({
    hour: instantMs,
    time: instantMs,
    /**
     * The text of the statement that was time-stamped, in lines: `stamp|time`, then `tape|symbol|seq|t|hash` and
     * `book|symbol|seq|until|hash` of pairs, then `liabilities|day|root` if there is a snapshot.
     */
    statement: z.string(),
    /** SHA-256 of the text of the statement, as 64 hexadecimal digits. */
    sha256,
    /** The detached proof file (`.ots`) in Base64; absent until a calendar server has answered. */
    ots: z.optional(z.string()),
  }),
});
