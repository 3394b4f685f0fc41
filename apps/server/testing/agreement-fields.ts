import { ACCOUNT_VERSIONS } from '@exchange/core/agreements.ts';

/** Form fields by which a registering user accepts the current agreements. */
export const AGREEMENT_FIELDS = { agree: '1', ...ACCOUNT_VERSIONS } as const;
