import { SHARED_PERCENT_MAX } from '@exchange/core/invite.ts';
import * as z from 'zod/mini';
import { decimalText, flagNumber, instantMs, whole } from './codecs.ts';
import { endpoint, signedInRead, USER } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';

/** Name of the query parameter of an invitation link that contains the inviter's code. */
export const INVITATION_FIELD = 'code';

const amounts = z.array(z.object({ currency: z.string(), amount: decimalText }));

export const inviteInfo = endpoint({
  path: '/invite/getInfo',
  summary: 'The caller’s invitation code, its income, and the split of the reward.',
  access: USER,
  charge: signedInRead(2),
  fields: {},
  data: z.object({
    invitationCode: z.string(),
    /** Path and query of the invitation link, without the site's own address. */
    link: z.string(),
    /**
     * Maximum percentage of an invited user's spot trading fees that inviter and invited user receive together; `days`
     * is the number of days after the registration for which they receive it.
     */
    rate: z.int(),
    days: z.int(),
    /** Percentage points of `rate` that users invited by the caller receive. */
    share: z.int(),
    /**
     * Number of users who have registered with the caller's invitation code; `validCount` is the number of those with a
     * verified identity. Counting ends at 100,000 users.
     */
    count: z.int(),
    validCount: z.int(),
    income: amounts,
    /**
     * Percentage points of `rate` that the caller's inviter passes on to the caller; 0 for a caller whom nobody
     * invited.
     */
    discount: z.int(),
  }),
});

export const invitees = endpoint({
  path: '/invite/getRecord',
  summary: 'Users who registered with the caller’s code, newest first; ids are masked.',
  access: USER,
  charge: signedInRead(2),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      uid: z.string(),
      registerTime: instantMs,
      verified: flagNumber,
      /** Time until which the invited user's trading fees are rewarded: 365 × 24 hours after the registration. */
      endTime: instantMs,
      /**
       * 1 while the rewards are withheld because both users seem to be the same person or use the same device; an
       * operator can end this. Otherwise 0.
       */
      excluded: flagNumber,
      income: amounts,
    }),
  ),
});

export const inviteRewards = endpoint({
  path: '/invite/getRebateRecord',
  summary: 'The caller’s rewards, newest first; one per invited user, day and coin.',
  access: USER,
  charge: signedInRead(2),
  fields: { ...pagingFields, ...periodFields },
  data: pageOf(
    z.object({
      id: z.string(),
      uid: z.string(),
      /** Beginning (00:00 UTC) of the day on which the fees were paid. */
      date: instantMs,
      currency: z.string(),
      fee: decimalText,
      amount: decimalText,
      createTime: instantMs,
    }),
  ),
});

export const setInviteShare = endpoint({
  path: '/invite/setShare',
  summary: 'Sets the percentage points that are passed on to invited users; effective from the next reward.',
  access: USER,
  charge: { limit: 'transfer', weight: 1 },
  idempotent: true,
  fields: { points: whole(0, SHARED_PERCENT_MAX) },
  data: z.object({ share: z.int() }),
});
