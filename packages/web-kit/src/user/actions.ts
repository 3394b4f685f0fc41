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
 * The email address to which a code is sent, and callbacks about the proof of work that the server may require before
 * it sends the code.
 */
export interface CodeRequest extends WorkObserver {
  readonly email: string;
}

/**
 * Returns the mutation that requests an email code, which confirms a registration, a login or a new login
 * password. The mutation resolves to the number of seconds until another code may be requested.
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

/** Signs the user in with a passkey only, without password or codes. */
export function usePasskeyLogin() {
  return useMutation({ mutationFn: async () => signInByPasskey(await newPasskeyAnswer()) });
}

/** Asks the user to sign in with a passkey; resolves to the text to send to `/user/passkeyLogin` or `/user/login`. */
export async function newPasskeyAnswer(): Promise<string> {
  return answerWithPasskey(await call(passkeyOptions));
}

/**
 * Offers passkeys in the autofill of the email field until the user selects one. Resolves to the text to send to
 * `/user/passkeyLogin` or `/user/login`, or to undefined when the browser cannot offer passkeys or the offer has ended
 * without a selection.
 */
export async function passkeyAnswerByAutofill(): Promise<string | undefined> {
  return answerByAutofill(await call(passkeyOptions));
}

/** Signs the user in with the text that a passkey has produced. */
export async function signInByPasskey(passkey: string): Promise<void> {
  startSessionFrom(await call(passkeyLogin, { passkey, deviceId: deviceId() }));
}

/** In demo mode, signs the user in as the demo trader. */
export function useDemoLogin() {
  return useMutation({
    mutationFn: async () => startSessionFrom(await call(demoLogin, { deviceId: deviceId() })),
  });
}

/** Keys of refusals which show that the page displays an outdated version of an agreement. */
const OUTDATED_AGREEMENT_KEYS = new Set(['l.user_agreement', 'l.privacy_policy']);

/**
 * Registers an account and signs the user in. If the server refuses because the displayed agreements are outdated, they
 * are refetched.
 */
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
 * Returns the mutation that requests an email code with which a forgotten password can be reset. The mutation
 * resolves to the number of seconds until another code may be requested.
 */
export function useSendForgetCode() {
  return useMutation({
    mutationFn: async ({ email, ...observer }: CodeRequest) =>
      (await callWithWork(sendForgetCode, { email }, observer)).wait,
  });
}

/** Sets a new login password with an email code; the server ends all sessions of the user. */
export function useForgetPassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof forgetPassword>) => call(forgetPassword, fields),
  });
}

/** Changes the login password of the signed-in user; the server ends all other sessions of the user. */
export function useUpdatePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof updatePassword>) => call(updatePassword, fields),
    onSuccess: refetchUser,
  });
}

/**
 * Returns the mutation that requests an email code for setting or resetting the trade password. The mutation
 * resolves to the number of seconds until another code may be requested.
 */
export function useSendTradePasswordCode(isReset: boolean) {
  const act = isReset ? '/user/resetTransactionPwd' : '/user/setTransactionPwd';
  return useMutation({ mutationFn: async () => (await call(sendTradePasswordCode, { act })).wait });
}

/** Sets the user's first trade password, or changes it. */
export function useSetTradePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof setTradePassword>) => call(setTradePassword, fields),
    onSuccess: refetchUser,
  });
}

/** Resets the user's trade password with the login password and an email code or a passkey. */
export function useResetTradePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof resetTradePassword>) => call(resetTradePassword, fields),
    onSuccess: refetchUser,
  });
}

/** Ends one of the user's sessions by the session's ID. */
export function useRevokeSession() {
  return useMutation({
    mutationFn: (id: string) => call(revokeSession, { id }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser('sessions') }),
  });
}

/** Ends all sessions of the user except the current one; resolves to the number of sessions ended. */
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
