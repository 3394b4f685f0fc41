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

/**
 * The server's mode, clock and version, whether the server shows its mails on a page, and the domain of its passkeys.
 * Apps display their first screen without waiting for this response.
 */
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
    /** True if the server shows mails at /dev/mail instead of sending them. */
    showsMail: z.boolean(),
    /** Domain of the exchange's passkeys; browsers use them only on pages of this host and its subdomains. */
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
     * Date from which this version of the agreement is effective, such as `2026-01-31`; only for agreements that users
     * accept at registration.
     */
    effectiveDate: z.optional(z.string()),
  }),
});
