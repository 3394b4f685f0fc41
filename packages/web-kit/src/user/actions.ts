import {
  CODE_TYPES,
  demoLogin,
  forgetPassword,
  login,
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
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { call, CallRefused, signOut, type CallFields } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { callWithWork, type WorkObserver } from '../api/work.ts';
import { askForAgreements } from '../form/agreements.ts';
import { currentLocale, wordsOfShell } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { deviceId } from '../session/device-id.ts';
import { startSession } from '../session/session-store.ts';
import { removeInvitation } from './invitation.ts';
import { USER } from './queries.ts';

/** An address that a code is mailed to, and who watches the work that may be demanded first. */
export interface CodeRequest extends WorkObserver {
  readonly email: string;
}

/** Mails a code that proves an address, or confirms a new login password. Gives how long to wait for the next, in seconds. */
export function useSendCode(purpose: Extract<CodePurpose, 'register' | 'login' | 'password'>) {
  return useMutation({
    mutationFn: async ({ email, ...observer }: CodeRequest) =>
      (await callWithWork(sendEmailCode, { email, type: CODE_TYPES[purpose] }, observer)).wait,
  });
}

/** Signs in. */
export function useLogin() {
  return useMutation({
    mutationFn: async (fields: CallFields<typeof login>) => {
      const { userId, token } = await call(login, { ...fields, deviceId: deviceId() });
      enter({ userId, token, email: fields.account as string });
    },
  });
}

/** Demo mode: signs in as the demo trader. */
export function useDemoLogin() {
  return useMutation({ mutationFn: async () => enter(await call(demoLogin, { deviceId: deviceId() })) });
}

/** What is said where the page shows an earlier text than is in force. */
const OUTDATED = new Set(['l.user_agreement', 'l.privacy_policy']);

/** Opens an account and signs in; the texts of a page that has been open for long are asked for anew. */
export function useRegister() {
  return useMutation({
    mutationFn: async (fields: CallFields<typeof register>) => {
      const { userId, token } = await call(register, {
        ...fields,
        lang: currentLocale(),
        deviceId: deviceId(),
      });
      removeInvitation();
      enter({ userId, token, email: fields.email as string });
    },
    onError: (error) => {
      if (error instanceof CallRefused && OUTDATED.has(error.errKey ?? '')) askForAgreements();
    },
  });
}

/** Mails a code for a forgotten password. Gives the wait for the next, in seconds. */
export function useSendForgetCode() {
  return useMutation({
    mutationFn: async ({ email, ...observer }: CodeRequest) =>
      (await callWithWork(sendForgetCode, { email }, observer)).wait,
  });
}

/** Sets a new password with a mailed code; every session ends. */
export function useForgetPassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof forgetPassword>) => call(forgetPassword, fields),
  });
}

/** Changes the login password; other sessions end. */
export function useUpdatePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof updatePassword>) => call(updatePassword, fields),
    onSuccess: askForUser,
  });
}

/** Mails a code for setting the trade password, or for resetting it. Gives the wait for the next, in seconds. */
export function useSendTradePasswordCode(isReset: boolean) {
  const act = isReset ? '/user/resetTransactionPwd' : '/user/setTransactionPwd';
  return useMutation({ mutationFn: async () => (await call(sendTradePasswordCode, { act })).wait });
}

/** Sets or changes the trade password. */
export function useSetTradePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof setTradePassword>) => call(setTradePassword, fields),
    onSuccess: askForUser,
  });
}

/** Resets the trade password with the login password. */
export function useResetTradePassword() {
  return useMutation({
    mutationFn: (fields: CallFields<typeof resetTradePassword>) => call(resetTradePassword, fields),
    onSuccess: askForUser,
  });
}

/**
 * Returns what the logout button does: signs out on this device at once, says so, and opens `path`. The server's
 * session ends in the background; how long that takes moves nobody from where they are by then.
 */
export function useSignOut(path: string): () => void {
  const navigate = useNavigate();
  return () => {
    // What guards private screens leads to the login at once; the way to `path` comes after it and counts.
    flushSync(signOut);
    notify.success(wordsOfShell('loggedOut'));
    void navigate(path, { replace: true });
  };
}

/** Ends one of the own sessions by its id. */
export function useRevokeSession() {
  return useMutation({
    mutationFn: (id: string) => call(revokeSession, { id }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: USER.now('sessions') }),
  });
}

/** Ends every own session but this one; gives how many. */
export function useRevokeOtherSessions() {
  return useMutation({
    mutationFn: async () => (await call(revokeOtherSessions)).count,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: USER.now('sessions') }),
  });
}

function enter(session: { userId: string; token: string; email: string }): void {
  startSession({ userId: session.userId, token: session.token, email: session.email });
}

function askForUser(): void {
  void queryClient.invalidateQueries({ queryKey: USER.now() });
}
