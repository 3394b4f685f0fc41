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
    'Submits an identity for review: name, country (ISO 3166, two letters), document number, and the pictures of both sides, uploaded for `identity` before. After a rejection, fields that were right may be left out. One review at a time, five submissions in 24 hours, ten minutes after a rejection; a verified identity is final.',
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
    'How the own identity verification stands: 0 none, 1 reviewing, 2 verified, 3 rejected with its reasons; and the level with its limits on withdrawals.',
  access: sessionAlone('reads'),
  charge: signedInRead(2),
  fields: {},
  data: z.object({
    status: kycStatus,
    /** Masked, and empty where nothing was submitted. */
    name: z.string(),
    idCard: z.string(),
    country: z.string(),
    reasons: z.array(reason),
    /** What the reviewer has written besides. */
    note: z.string(),
    submitTime: z.optional(instantMs),
    decideTime: z.optional(instantMs),
    /** Before that nothing can be submitted. */
    nextTime: z.optional(instantMs),
    /** What a new submission has to give. */
    fields: z.array(z.enum(KYC_FIELDS)),
    level: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    /** What may be withdrawn, in USDT. */
    limits: z.object({ day: decimalText, month: decimalText }),
    /** What verification allows. */
    verifiedLimits: z.object({ day: decimalText, month: decimalText }),
    photosKeptDays: z.int(),
    /** 1 in a demo, where a pretended reviewer decides within seconds. */
    pretended: flagNumber,
  }),
});
