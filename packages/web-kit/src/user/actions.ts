import {
  CODE_TYPES,
  demoLogin,
  forgetPassword,
  login,
  passkeyLogin,
  passkeyOptions,
  register,
  resetTradePassword,
  revokeOtherSessions,
  revokeSession,
  sendEmailCode,
  sendForgetCode,
  sendTradePasswordCode,
  setTradePassword,
  updatePassword,
  type CodePurpose,
} from '@exchange/wire/user.ts';
import { useMutation } from '@tanstack/react-query';
import { call, CallRefused, type CallFields } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { callWithWork, type WorkObserver } from '../api/work.ts';
import { refetchAgreements } from '../form/agreements.ts';
import { currentLocale } from '../i18n/words.ts';
import { deviceId } from '../session/device-id.ts';
import { startSession } from '../session/session-store.ts';
import { answerByAutofill, answerWithPasskey } from '../form/passkey-ceremony.ts';
import { removeInvitation } from './invitation.ts';
import { USER } from './queries.ts';

/**
 * The email address to which a code is sent, and observers of the proof of work that the server may require
 * first.
 */
export interface CodeRequest extends WorkObserver {
  readonly email: string;
}

/**
 * Sends a code by email that verifies an email address or confirms a new login password. Resolves to the
 * seconds until the next code can be requested.
 */
export function useSendCode(purpose: Extract<CodePurpose, 'register' | 'login' | 'password'>) {
  return useMutation({
    mutationFn: async ({ email, ...observer }: CodeRequest) =>
      (await callWithWork(sendEmailCode, { email, type: CODE_TYPES[purpose] }, observer)).wait,
  });
}

export function useLogin() {
  return useMutation({
    mutationFn: async (fields: CallFields<typeof login>) => {
      const { userId, token } = await call(login, { ...fields, deviceId: deviceId() });
      startSessionFrom({ userId, token, email: fields.account as string });
    },
  });
}

/** Logs in with a passkey alone. */
export function usePasskeyLogin() {
  return useMutation({ mutationFn: async () => signInByPasskey(await newPasskeyAnswer()) });
}

/**
 * Asks the device to sign in with a passkey; the returned text is sent to `/user/passkeyLogin` or
 * `/user/login`.
 */
export async function newPasskeyAnswer(): Promise<string> {
  return answerWithPasskey(await call(passkeyOptions));
}

/**
 * Like `newPasskeyAnswer`, but offers passkeys in the email field's autofill; undefined when the user chose
 * none.
 */
export async function passkeyAnswerByAutofill(): Promise<string | undefined> {
  return answerByAutofill(await call(passkeyOptions));
}

/** Signs in with the device's passkey answer. */
export async function signInByPasskey(passkey: string): Promise<void> {
  startSessionFrom(await call(passkeyLogin, { passkey, deviceId: deviceId() }));
}

/** Demo mode: signs in as the demo trader. */
export function useDemoLogin() {
  return useMutation({
    mutationFn: async () => startSessionFrom(await call(demoLogin, { deviceId: deviceId() })),
  });
}

/** Refusals that mean that the page shows an outdated version of an agreement. */
const OUTDATED_AGREEMENT_KEYS = new Set(['l.user_agreement', 'l.privacy_policy']);

/** Registers an account and signs in. When the displayed agreements are outdated, they are refetched. */
export function useRegister() {
  return useMutation({
    mutationFn: async (fields: CallFields<typeof register>) => {
      const { userId, token } = await call(register, {
        ...fields,
        lang: currentLocale(),
        deviceId: deviceId(),
      });
      removeInvitation();
      startSessionFrom({ userId, token, email: fields.email as string });
    },
    onError: (error) => {
      if (error instanceof CallRefused && OUTDATED_AGREEMENT_KEYS.has(error.errKey ?? ''))
        refetchAgreements();
    },
  });
}

/**
 * Mails a code to reset a forgotten password. Resolves to the seconds until the next code can be requested.
 */
export function useSendForgetCode() {
  return useMutation({
    mutationFn: async ({ email, ...observer }: CodeRequest) =>
      (await callWithWork(sendForgetCode, { email }, observer)).wait,
  });
}

/** Sets a new password with a mailed code; all sessions end. */
export function useForgetPassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof forgetPassword>) => call(forgetPassword, fields),
  });
}

/** Changes the login password; all other sessions end. */
export function useUpdatePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof updatePassword>) => call(updatePassword, fields),
    onSuccess: refetchUser,
  });
}

/**
 * Mails a code to set or reset the trade password. Resolves to the seconds until the next code can be
 * requested.
 */
export function useSendTradePasswordCode(isReset: boolean) {
  const act = isReset ? '/user/resetTransactionPwd' : '/user/setTransactionPwd';
  return useMutation({ mutationFn: async () => (await call(sendTradePasswordCode, { act })).wait });
}

/** Sets or changes the trade password. */
export function useSetTradePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof setTradePassword>) => call(setTradePassword, fields),
    onSuccess: refetchUser,
  });
}

/** Resets the trade password with the login password and a confirmation: a mailed code, or a passkey. */
export function useResetTradePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof resetTradePassword>) => call(resetTradePassword, fields),
    onSuccess: refetchUser,
  });
}

/** Ends one of the user's sessions by id. */
export function useRevokeSession() {
  return useMutation({
    mutationFn: (id: string) => call(revokeSession, { id }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser('sessions') }),
  });
}

/** Ends all sessions of the user except this one; resolves to their number. */
export function useRevokeOtherSessions() {
  return useMutation({
    mutationFn: async () => (await call(revokeOtherSessions)).count,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser('sessions') }),
  });
}

function startSessionFrom(session: { userId: string; token: string; email: string }): void {
  startSession({ userId: session.userId, token: session.token, email: session.email });
}

function refetchUser(): void {
  void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser() });
}
