import * as z from 'zod/mini';
import { decimalText, instantMs } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const amounts = z.array(z.object({ currency: z.string(), amount: decimalText }));

const snapshot = z.object({
  /** Of UTC, e.g. `2026-11-24`. */
  day: z.string(),
  time: instantMs,
  /** The last entry of the ledger that is in it. */
  entry: z.int(),
  leaves: z.int(),
  root: hash,
  totals: z.array(
    z.object({
      currency: z.string(),
      /** What users are owed together: the sum at the root. */
      owed: decimalText,
      /** What the house has of its own, by account. */
      house: z.array(z.object({ account: z.string(), amount: decimalText })),
    }),
  ),
  /** Base64, of `liabilities|` and all of this but `receipt` as canonical JSON. */
  receipt: z.object({ key: z.string(), signature: z.string() }),
});

export const liabilities = endpoint({
  method: 'GET',
  path: '/proof/liabilities',
  summary:
    'Every snapshot of what users are owed, newest first: the root of its Merkle sum tree, the totals by coin, what the house has beside them, and the signature.',
  access: ANYONE,
  charge: publicRead(2),
  fields: pagingFields,
  data: pageOf(snapshot),
});

export const inclusion = endpoint({
  method: 'GET',
  path: '/proof/inclusion',
  summary:
    'What a snapshot says of the caller: the amounts owed, and the own leaves with their ways up to the root. The newest, or that of a day as long as its leaves are kept; without `leaf` nothing was owed.',
  access: USER,
  charge: signedInRead(5),
  fields: {
    day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'l.field_invalid'))),
  },
  data: z.object({
    snapshot,
    leaf: z.optional(
      z.object({
        user: z.string(),
        /** Known to nobody else; it hides whose leaves these are. */
        nonce: hash,
        amounts,
        leaves: z.array(
          z.object({
            part: z.int(),
            place: z.int(),
            amounts,
            path: z.array(z.object({ hash, amounts })),
          }),
        ),
      }),
    ),
  }),
});
