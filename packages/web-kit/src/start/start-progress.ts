import { Decimal } from '@exchange/core/decimal.ts';
import type { userInfo } from '@exchange/wire/user.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';

interface Read<Data> {
  readonly data: Data | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** What is known of an account and tells how far its owner has come; a site brings these from the features that read them. */
export interface AccountReads {
  readonly overview: Read<{ readonly total: string }>;
  readonly fills: {
    readonly rows: readonly unknown[];
    readonly isLoading: boolean;
    readonly error: Error | null;
    readonly reload: () => unknown;
  };
  readonly info: Read<Pick<DataOf<typeof userInfo>, 'googleBind' | 'kycStatus'>>;
}

const VERIFIED = 2;

/** How far somebody has come, and how reading it goes. */
export function startProgress({ overview, fills, info }: AccountReads) {
  return {
    progress: {
      isFunded: Decimal.parse(overview.data?.total ?? '0').isPositive(),
      hasTraded: fills.rows.length > 0,
      isProtected: info.data?.googleBind === 1,
      isVerified: info.data?.kycStatus === VERIFIED,
    },
    isLoading: overview.isPending || fills.isLoading || info.isPending,
    error: overview.error ?? fills.error ?? info.error,
    reload: () => void Promise.all([overview.refetch(), fills.reload(), info.refetch()]),
  };
}
