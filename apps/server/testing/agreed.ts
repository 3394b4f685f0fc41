import { ACCOUNT_VERSIONS } from '@exchange/core/agreements.ts';

/** What whoever registers says to the agreements in force. */
export const AGREED = { agree: '1', ...ACCOUNT_VERSIONS } as const;
