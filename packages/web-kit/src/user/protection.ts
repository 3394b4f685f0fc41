import {
  bindGoogle,
  freezeAccount,
  freezeByLink,
  getGoogleKey,
  addPasskey,
  newPasskey,
  removePasskey,
  renamePasskey,
  renewRecovery,
  setAntiPhishing,
  unbindGoogle,
  updateEmail,
  updateProfile,
  userInfo,
} from '@exchange/wire/user.ts';
import { ownFile } from '@exchange/wire/file.ts';
import { requestTarget, call, type CallFields } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import { createPasskey } from '../form/passkey-ceremony.ts';
import { endSession, signedIn } from '../session/session-store.ts';
import { USER } from './queries.ts';

/** A new secret key for an authenticator app; the same key is returned until the form that shows it is unmounted. */
export function useAuthenticatorKey() {
  return useRead({
    queryKey: USER.use('authenticatorKey'),
    queryFn: () => call(getGoogleKey),
    staleTime: Infinity,
    gcTime: 0,
  });
}

export const bindAuthenticator = (fields: CallFields<typeof bindGoogle>) =>
  withRefetch(call(bindGoogle, fields));
export const unbindAuthenticator = (fields: CallFields<typeof unbindGoogle>) =>
  withRefetch(call(unbindGoogle, fields));
export const renewCodes = (fields: CallFields<typeof renewRecovery>) =>
  withRefetch(call(renewRecovery, fields));
export const moveEmail = (fields: CallFields<typeof updateEmail>) => withRefetch(call(updateEmail, fields));
export const setPhrase = (fields: CallFields<typeof setAntiPhishing>) =>
  withRefetch(call(setAntiPhishing, fields));
/**
 * Creates a passkey on the user's device and adds it to the account; the request contains the step-up proofs of the
 * form.
 */
export async function makePasskey(fields: Omit<CallFields<typeof addPasskey>, 'credential'>) {
  const credential = await createPasskey(await call(newPasskey));
  return withRefetch(call(addPasskey, { ...fields, credential }));
}
export const changePasskeyName = (fields: CallFields<typeof renamePasskey>) =>
  withRefetch(call(renamePasskey, fields));
export const deletePasskey = (fields: CallFields<typeof removePasskey>) =>
  withRefetch(call(removePasskey, fields));
export const saveProfile = (fields: CallFields<typeof updateProfile>) =>
  withRefetch(call(updateProfile, fields));

/** Freezes the user's account; all sessions of the user end. */
export async function freezeUser(reason: string): Promise<void> {
  await call(freezeAccount, { reason });
  endSession();
}

/**
 * Freezes the account that the token in a freeze link from a mail identifies. The server ends all sessions of this
 * account, and other accounts keep theirs. If a user is signed in on this device, the app then requests the
 * user's data: its answer ends the session on this device if it is one of the frozen account.
 */
export async function freezeByToken(token: string): Promise<void> {
  await call(freezeByLink, { token });
  if (signedIn()) void call(userInfo).catch(() => undefined);
}

/**
 * The user's avatar as a data URL; undefined until it has loaded, if it cannot be loaded or is no picture, and for a
 * user without one.
 */
export function useAvatar(icon: string): string | undefined {
  const picture = useRead({
    queryKey: USER.use('icon', icon),
    queryFn: async ({ signal }): Promise<string> => {
      const { url, headers, sentUnder } = requestTarget(ownFile);
      const stop = AbortSignal.any([signal, sentUnder.session]);
      const answer = await fetch(`${url}?id=${encodeURIComponent(icon)}`, { headers, signal: stop });
      if (!answer.ok) throw new Error(`the picture answers ${answer.status}`);
      const content = await answer.blob();
      sentUnder.session.throwIfAborted();
      return content.type.startsWith('image/') ? toDataUrl(content) : '';
    },
    enabled: icon !== '',
    staleTime: Infinity,
  }).data;
  return picture === '' ? undefined : picture;
}

function toDataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('the picture cannot be read')));
    reader.readAsDataURL(picture);
  });
}

async function withRefetch<Answer>(submission: Promise<Answer>): Promise<Answer> {
  const answer = await submission;
  void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser('info') });
  void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser('sessions') });
  void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser('passkeys') });
  return answer;
}
