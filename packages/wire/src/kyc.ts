import { KYC_FIELDS, KYC_OWNER_REASONS, type KycOwnerReason } from '@exchange/core/kyc.ts';
import * as z from 'zod/mini';
import { decimalText, flagNumber, id, instantMs, text } from './codecs.ts';
import { endpoint, signedInRead, sessionAlone, type Charge } from './endpoint.ts';

const change: Charge = { limit: 'transfer', weight: 1 };
const kycStatus = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);
const reason = z.enum(KYC_OWNER_REASONS as [KycOwnerReason, ...KycOwnerReason[]]);

export const submitVerify = endpoint({
  path: '/user/submitVerify',
  summary:
    'Submits an identity for review: name, country (ISO 3166, two letters), document number, and pictures of both sides, uploaded with the purpose `identity`. After a rejection, fields without an objection may be omitted. Limits: one review at a time, five submissions in 24 hours, ten minutes after a rejection. A verified identity is final.',
  access: sessionAlone('confirmedLater'),
  charge: change,
  idempotent: true,
  fields: {
    name: z.optional(text(200)),
    country: z.optional(text(2)),
    idCard: z.optional(text(60)),
    idCardPhotoPositive: z.optional(id),
    idCardPhotoReverseSide: z.optional(id),
  },
  data: z.object({ status: z.literal(1) }),
});

export const getVerify = endpoint({
  path: '/user/getVerify',
  summary:
    'State of the caller’s identity verification: 0 none, 1 reviewing, 2 verified, 3 rejected, with reasons; and the level with its withdrawal limits.',
  access: sessionAlone('reads'),
  charge: signedInRead(2),
  fields: {},
  data: z.object({
    status: kycStatus,
    /** Name in the last submission, partly masked; empty if the user has not submitted anything. */
    name: z.string(),
    idCard: z.string(),
    country: z.string(),
    reasons: z.array(reason),
    /** Remark of the reviewer, in addition to the reasons; empty if there is none. */
    note: z.string(),
    submitTime: z.optional(instantMs),
    decideTime: z.optional(instantMs),
    /** Time from which a user whose last submission was rejected may submit again; absent for all other users. */
    nextTime: z.optional(instantMs),
    /**
     * Identity fields that the user's next submission must contain: all fields, or after a rejection those that were
     * wrong and photos that are no longer stored.
     */
    fields: z.array(z.enum(KYC_FIELDS)),
    level: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    /**
     * Withdrawal limits at the user's present verification level, in USDT: in any 24 hours (`day`) and in any 30 days
     * (`month`).
     */
    limits: z.object({ day: decimalText, month: decimalText }),
    /**
     * Withdrawal limits of a user with a verified identity, in USDT: in any 24 hours (`day`) and in any 30 days
     * (`month`).
     */
    verifiedLimits: z.object({ day: decimalText, month: decimalText }),
    photosKeptDays: z.int(),
    /** 1 in a demo, where a simulated reviewer decides within seconds; otherwise 0. */
    pretended: flagNumber,
  }),
});
