import { SHARED_POINTS_MAX } from '@exchange/core/invite.ts';
import * as z from 'zod/mini';
import { decimalText, flagNumber, instantMs, whole } from './codecs.ts';
import { endpoint, signedInRead, USER } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';

/** The field of a link's address that carries an invitation code. */
export const INVITATION_FIELD = 'code';

const amounts = z.array(z.object({ currency: z.string(), amount: decimalText }));

export const inviteInfo = endpoint({
  path: '/invite/getInfo',
  summary: 'The own invitation code, what it has brought, and how the points are shared.',
  access: USER,
  charge: signedInRead(2),
  fields: {},
  data: z.object({
    invitationCode: z.string(),
    /** Below the site's own address. */
    link: z.string(),
    /** Points of an invited person's spot trading fees that are given away in all, for so many days. */
    rate: z.int(),
    days: z.int(),
    /** Of them, those that are passed on to whom one has invited. */
    share: z.int(),
    /** How many signed up with the code, and how many of them are verified. */
    count: z.int(),
    validCount: z.int(),
    income: amounts,
    /** The points that whoever invited the caller passes on; 0 where nobody did. */
    discount: z.int(),
  }),
});

export const invitees = endpoint({
  path: '/invite/getRecord',
  summary: 'Who signed up with the own code, newest first; ids are masked.',
  access: USER,
  charge: signedInRead(2),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      uid: z.string(),
      registerTime: instantMs,
      verified: flagNumber,
      /** Until when their fees are rewarded. */
      endTime: instantMs,
      /** 1 where both seem to be one person or use one device: nothing is paid. */
      excluded: flagNumber,
      income: amounts,
    }),
  ),
});

export const inviteRewards = endpoint({
  path: '/invite/getRebateRecord',
  summary: 'The own rewards, one per invited person, day and coin, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { ...pagingFields, ...periodFields },
  data: pageOf(
    z.object({
      id: z.string(),
      uid: z.string(),
      /** 00:00 UTC of the day whose fees are rewarded. */
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
  summary:
    'Sets how many of the points are passed on to whom one has invited; holds from the next reward on.',
  access: USER,
  charge: { limit: 'transfer', weight: 1 },
  idempotent: true,
  fields: { points: whole(0, SHARED_POINTS_MAX) },
  data: z.object({ share: z.int() }),
});
