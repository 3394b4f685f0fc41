import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import type { Locale } from '@exchange/core/locale.ts';
import { privacyPolicy as privacyEnUS, userAgreement as userEnUS } from './account/en-US.ts';
import { privacyPolicy as privacyJaJP, userAgreement as userJaJP } from './account/ja-JP.ts';
import { privacyPolicy as privacyKoKR, userAgreement as userKoKR } from './account/ko-KR.ts';
import { privacyPolicy as privacyZhCN, userAgreement as userZhCN } from './account/zh-CN.ts';

export interface Agreement {
  /** Changes with the text: who accepted an earlier one has not accepted this. */
  readonly version: string;
  /** The day from which this version counts, `2026-01-31`; of what is accepted with an account. */
  readonly effectiveDate?: string;
  readonly text: Readonly<Record<Locale, string>>;
}

/** What people agree to when they open an account; `# ` begins a heading, `- ` an item of a list. */
export const USER_AGREEMENT: Agreement = {
  version: AGREEMENT_VERSIONS.user,
  effectiveDate: '2026-11-25',
  text: {
    'en-US': userEnUS.join('\n\n'),
    'zh-CN': userZhCN.join('\n\n'),
    'ko-KR': userKoKR.join('\n\n'),
    'ja-JP': userJaJP.join('\n\n'),
  },
};

/** What they are told of their data, and agree to with it. */
export const PRIVACY_POLICY: Agreement = {
  version: AGREEMENT_VERSIONS.privacy,
  effectiveDate: '2026-11-25',
  text: {
    'en-US': privacyEnUS.join('\n\n'),
    'zh-CN': privacyZhCN.join('\n\n'),
    'ko-KR': privacyKoKR.join('\n\n'),
    'ja-JP': privacyJaJP.join('\n\n'),
  },
};
