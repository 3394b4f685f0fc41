import * as z from 'zod/mini';
import { decimalText, id, instantMs } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const amounts = z.array(z.object({ currency: z.string(), amount: decimalText }));

const snapshot = z.object({
  /** UTC day of the snapshot, e.g. `2026-11-24`. */
  day: z.string(),
  time: instantMs,
  /** Number of the last ledger entry that the snapshot includes. */
  entry: z.int(),
  leaves: z.int(),
  root: hash,
  totals: z.array(
    z.object({
      currency: z.string(),
      /** Sum of the coin's balances of all users but the exchange's own, as in the root of the tree. */
      owed: decimalText,
      /** The exchange's own balances of the coin, by account. */
      house: z.array(z.object({ account: z.string(), amount: decimalText })),
    }),
  ),
  /** Base64 signature of `liabilities|` followed by the canonical JSON of this object without `receipt`. */
  receipt: z.object({ key: z.string(), signature: z.string() }),
});

export const liabilities = endpoint({
  method: 'GET',
  path: '/proof/liabilities',
  summary:
    'All snapshots of the liabilities to users, newest first: root of the Merkle sum tree, totals by coin, the exchange’s own balances, and signature.',
  access: ANYONE,
  charge: publicRead(2),
  fields: pagingFields,
  data: pageOf(snapshot),
});

export const inclusion = endpoint({
  method: 'GET',
  path: '/proof/inclusion',
  summary:
    'The caller’s part of a snapshot: balances, and leaves with their paths to the root. By default the newest snapshot, or that of `day` while its leaves are stored; `leaf` is absent for a caller without a balance. With `subAccount` the part of a sub-account.',
  access: USER,
  charge: signedInRead(5),
  fields: {
    /** A sub-account of the caller whose proof is requested instead. */
    subAccount: z.optional(id),
    day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'l.field_invalid'))),
  },
  data: z.object({
    snapshot,
    leaf: z.optional(
      z.object({
        user: z.string(),
        /** Secret of the user, without which nobody can tell whose leaves these are. */
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
