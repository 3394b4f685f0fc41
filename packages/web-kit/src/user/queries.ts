import type { DataOf } from '@exchange/wire/endpoint.ts';
import { loginRecords, passkeys, sessions, userInfo } from '@exchange/wire/user.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import { adoptLocale } from '../i18n/words.ts';
import { userKeys } from '../session/user-keys.ts';
import { rememberUser, rememberPurchaseFlag, useSession } from '../session/session-store.ts';

export type UserInfo = DataOf<typeof userInfo>;

/** Value of the field `kycStatus` for verified users. */
export const VERIFIED = 2;
export type Passkey = DataOf<typeof passkeys>['list'][number];
export type SignedInDevice = DataOf<typeof sessions>['list'][number];
export type LoginRecord = DataOf<typeof loginRecords>['list'][number];

/** The signed-in user's data, cached in memory only. */
export function useUserInfo() {
  const session = useSession((state) => state.session);
  return useRead({
    queryKey: USER.use('info'),
    queryFn: async ({ signal }): Promise<UserInfo> => {
      const info = await call(
        userInfo,
        { userId: session?.userId ?? null, token: session?.token ?? null },
        { signal },
      );
      // Another user may have signed in before the response arrived.
      if (useSession.getState().session?.userId === session?.userId) {
        rememberPurchaseFlag(info.purchase);
        // The demo account is shared, so its language is not applied.
        if (info.demoTradePassword === undefined) adoptLocale(info.lang);
        rememberUser({
          email: info.email,
          hasAuthenticator: info.googleBind === 1,
          hasPasskey: info.passkeys > 0,
        });
      }
      return info;
    },
    enabled: session !== null,
    staleTime: 30_000,
  });
}

/** The user's passkeys, newest first. */
export function usePasskeys() {
  return useRead({
    queryKey: USER.use('passkeys'),
    queryFn: async ({ signal }) => (await call(passkeys, {}, { signal })).list,
  });
}

/** The user's active sessions. */
export function useSessions() {
  return useRead({
    queryKey: USER.use('sessions'),
    queryFn: async ({ signal }) => (await call(sessions, {}, { signal })).list,
  });
}

/** Logins and failed attempts, newest first. */
export function useLoginRecords() {
  return useGrowingList<LoginRecord>(USER.use('logins'), (page, signal) =>
    call(loginRecords, page, { signal }),
  );
}

/** Query keys of the signed-in user, their devices and logins. */
export const USER = userKeys('user');

const SENTENCES = {
  '': 'holdUntil',
  passwordChanged: 'holdPasswordChanged',
  passwordReset: 'holdPasswordReset',
  tradePasswordChanged: 'holdTradePasswordChanged',
  tradePasswordReset: 'holdTradePasswordReset',
  emailChanged: 'holdEmailChanged',
  authenticatorRemoved: 'holdAuthenticatorRemoved',
  passkeyAdded: 'holdPasskeyAdded',
  passkeyRemoved: 'holdPasskeyRemoved',
  review: 'holdReview',
} as const satisfies Readonly<Record<UserInfo['holdReason'], string>>;

/**
 * Translation key (namespace `settings`) of the sentence that explains why and until when withdrawals are on
 * hold.
 */
export function holdSentence({ holdReason }: Pick<UserInfo, 'holdReason'>) {
  return SENTENCES[holdReason];
}
