import { LOCALES } from '@exchange/core/locale.ts';
import * as z from 'zod/mini';
import { text } from './codecs.ts';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';

export const parameter = endpoint({
  method: 'GET',
  path: '/paramter/getParamListByKeyName',
  summary: 'A public setting by name; a name that is not public answers with an empty value.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { paramName: text(60) },
  data: z.object({ valueName: z.string() }),
});

/** Mode and settings of the server that a page needs before it renders. */
export const serverInfo = endpoint({
  method: 'GET',
  path: '/index/getServer',
  summary:
    'The mode the server runs in, whether its mail is a page, the domain of passkeys, and its clock (milliseconds UTC).',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({
    mode: z.enum(['demo', 'live']),
    /** Whether mails are shown at /dev/mail instead of being sent. */
    showsMail: z.boolean(),
    /** Domain of passkeys; browsers use them only on this host and on those below it. */
    passkeyDomain: z.string(),
    time: z.int(),
    version: z.string(),
  }),
});

const AGREEMENT_NAMES = ['user', 'privacy', 'finance', 'mining', 'subscription', 'seconds'] as const;
export type AgreementName = (typeof AGREEMENT_NAMES)[number];

export const agreement = endpoint({
  path: '/index/getAgreement',
  summary:
    'The text of an agreement, in the requested language or the caller’s; empty lines separate paragraphs, `# ` starts a heading and `- ` a list item. `user` and `privacy` are accepted at registration; their version is in force from its effective date.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {
    name: z.enum(AGREEMENT_NAMES, 'l.field_choice'),
    language: z.optional(z.enum(LOCALES, 'l.field_choice')),
  },
  data: z.object({
    text: z.string(),
    version: z.string(),
    /**
     * Effective date of the agreement's version, e.g. `2026-01-31`; only for agreements that are accepted at
     * registration.
     */
    effectiveDate: z.optional(z.string()),
  }),
});
