import type { DataOf } from '@exchange/wire/endpoint.ts';
import { loginRecords, passkeys, sessions, userInfo } from '@exchange/wire/user.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import { adoptLocale } from '../i18n/words.ts';
import { userKeys } from '../session/user-keys.ts';
import { rememberUser, rememberPurchaseFlag, useSession } from '../session/session-store.ts';

export type UserInfo = DataOf<typeof userInfo>;

/** Value of the field `kycStatus` of users whose identity is verified. */
export const VERIFIED = 2;
export type Passkey = DataOf<typeof passkeys>['list'][number];
export type SignedInDevice = DataOf<typeof sessions>['list'][number];
export type LoginRecord = DataOf<typeof loginRecords>['list'][number];

/**
 * The signed-in user's data, cached in memory only, not on the device. Each response also updates the session store
 * (email address, authenticator app, passkey) and the stored purchase permission. Unless the user is the shared demo
 * account, it also switches to the language of the account if no language was chosen on this device (`adoptLocale`).
 */
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
      // The data changes the session, the stored purchase permission and the language only if no other user
      // has signed in before the response arrived.
      if (useSession.getState().session?.userId === session?.userId) {
        rememberPurchaseFlag(info.purchase);
        // The language of the demo account is not applied, because the account is shared by many visitors.
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

/** The active sessions of the user. */
export function useSessions() {
  return useRead({
    queryKey: USER.use('sessions'),
    queryFn: async ({ signal }) => (await call(sessions, {}, { signal })).list,
  });
}

/** The user's logins, including failed attempts, newest first. */
export function useLoginRecords() {
  return useGrowingList<LoginRecord>(USER.use('logins'), (page, signal) =>
    call(loginRecords, page, { signal }),
  );
}

/** Query keys of the data about the signed-in user's account itself, such as profile, sessions and API keys. */
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
 * Returns the translation key (namespace `settings`) of the text that says until when the user's withdrawals
 * are on hold and, if a reason is known, why.
 */
export function holdSentence({ holdReason }: Pick<UserInfo, 'holdReason'>) {
  return SENTENCES[holdReason];
}
