import * as z from 'zod/mini';
import { decimalText, id, instantMs } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const amounts = z.array(z.object({ currency: z.string(), amount: decimalText }));

const snapshot = z.object({
  /** UTC day of the snapshot, such as `2026-11-24`. */
  day: z.string(),
  time: instantMs,
  /** Number of the last ledger entry that the balances in the snapshot include. */
  entry: z.int(),
  leaves: z.int(),
  root: hash,
  totals: z.array(
    z.object({
      currency: z.string(),
      /**
       * Sum of the balances of the coin of all users, without the exchange's own accounts; equal to the sum in the root
       * of the tree.
       */
      owed: decimalText,
      /** Balances of the coin of the exchange's own accounts, by account. */
      house: z.array(z.object({ account: z.string(), amount: decimalText })),
    }),
  ),
  /**
   * `key` is the ID of the signing key, `signature` its signature of the text `liabilities|` followed by the
   * canonical JSON of this object without `receipt`, in Base64.
   */
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
    /**
     * ID of a sub-account of the caller; if present, the proof of this sub-account is returned instead of
     * that of the main account.
     */
    subAccount: z.optional(id),
    day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'l.field_invalid'))),
  },
  data: z.object({
    snapshot,
    leaf: z.optional(
      z.object({
        user: z.string(),
        /**
         * Secret from which the user's leaves are derived; without it, nobody can tell to which user the leaves belong.
         */
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
