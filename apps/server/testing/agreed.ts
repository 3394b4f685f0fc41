import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';

/** What whoever registers says to the agreements in force. */
export const AGREED = {
  agree: '1',
  termsVersion: AGREEMENT_VERSIONS.user,
  privacyVersion: AGREEMENT_VERSIONS.privacy,
} as const;
