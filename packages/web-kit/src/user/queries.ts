import type { DataOf } from '@exchange/wire/endpoint.ts';
import { loginRecords, sessions, userInfo } from '@exchange/wire/user.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import { adoptLocale } from '../i18n/words.ts';
import { ownKeys } from '../session/own-key.ts';
import { rememberPerson, rememberPurchaseFlag, useSession } from '../session/session-store.ts';

export type UserInfo = DataOf<typeof userInfo>;

/** The identity of who has this `kycStatus` is verified. */
export const VERIFIED = 2;
export type SignedInDevice = DataOf<typeof sessions>['list'][number];
export type LoginRecord = DataOf<typeof loginRecords>['list'][number];

/** The signed-in user. Lives in memory only. */
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
      // It may arrive when somebody else has signed in.
      if (useSession.getState().session?.userId === session?.userId) {
        rememberPurchaseFlag(info.purchase);
        // The demo's account is everybody's, and so is the language that it keeps.
        if (info.demoTradePassword === undefined) adoptLocale(info.lang);
        rememberPerson({ email: info.email, hasAuthenticator: info.googleBind === 1 });
      }
      return info;
    },
    enabled: session !== null,
    staleTime: 30_000,
  });
}

/** Where the user is signed in. */
export function useSessions() {
  return useRead({
    queryKey: USER.use('sessions'),
    queryFn: async ({ signal }) => (await call(sessions, {}, { signal })).list,
  });
}

/** Sign-ins and failed tries, newest first. */
export function useLoginRecords() {
  return useGrowingList<LoginRecord>(USER.use('logins'), (page, signal) =>
    call(loginRecords, page, { signal }),
  );
}

/** The signed-in person, their devices and sign-ins in the cache. */
export const USER = ownKeys('user');

const SENTENCES = {
  '': 'holdUntil',
  passwordChanged: 'holdPasswordChanged',
  passwordReset: 'holdPasswordReset',
  tradePasswordChanged: 'holdTradePasswordChanged',
  tradePasswordReset: 'holdTradePasswordReset',
  emailChanged: 'holdEmailChanged',
  authenticatorRemoved: 'holdAuthenticatorRemoved',
  review: 'holdReview',
} as const satisfies Readonly<Record<UserInfo['holdReason'], string>>;

/** The sentence, of the words for settings, that says until when withdrawals are held and why. */
export function holdSentence({ holdReason }: Pick<UserInfo, 'holdReason'>) {
  return SENTENCES[holdReason];
}
