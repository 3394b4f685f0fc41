import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { create } from 'zustand';
import { onStoredChange, readStored, store } from '../storage.ts';

/**
 * The session of the signed-in user on this device. It contains no identity data such as name, document number or
 * photos.
 */
export interface Session {
  readonly userId: string;
  readonly token: string;
  readonly email: string;
}

interface SessionState {
  readonly session: Session | null;
  /** Email address of the user who signed in last on this device; forms are prefilled with it. */
  readonly lastEmail: string;
  /**
   * True when the user has an authenticator app: forms that require an email code then also require the authenticator
   * code. False until the user's data has loaded.
   */
  readonly hasAuthenticator: boolean;
  /** True when the user has a passkey, which can replace the codes in forms; false until the user's data has loaded. */
  readonly hasPasskey: boolean;
}

/** Storage key of the signed-in user's API responses, which are shown while the device has no connection. */
export const OWN_ANSWERS_KEY = 'Last-Own-Answers';

/**
 * Returns the ID of the signed-in user from the browser's storage, which all tabs share; null when nobody is
 * signed in.
 */
export function storedUserId(): string | null {
  return readStored(SESSION_KEYS.token) === null ? null : readStored(SESSION_KEYS.userId);
}

/**
 * The store of this tab with the session of the signed-in user (null for visitors), the last email address
 * and the user's additional factors; as a hook: `useSession((state) => state.session)`.
 */
export const useSession = create<SessionState>(() => storedState());

/**
 * Thrown by a request if the session in which it was sent has ended before the response arrives; the outcome must not
 * be shown to the current user.
 */
export class SessionChanged extends Error {
  override readonly name = 'SessionChanged';

  constructor() {
    super('The session of this request has ended.');
  }
}

let currentController = new AbortController();
// This subscriber must be the first one of the session store, so that the signal of the ended session is
// already aborted when all other subscribers are called.
useSession.subscribe((now, before) => {
  if (now.session?.token === before.session?.token) return;
  const ended = currentController;
  currentController = new AbortController();
  ended.abort(new SessionChanged());
});

/**
 * Returns a signal that is aborted with a `SessionChanged` at the next sign-in or sign-out on this device, in
 * any tab. A new signal then replaces it; there is one also while nobody is signed in.
 */
export function sessionSignal(): AbortSignal {
  return currentController.signal;
}

/** Returns true when a user is signed in. */
export function signedIn(): boolean {
  return useSession.getState().session !== null;
}

/** Returns the session token to send with API requests; undefined when nobody is signed in. */
export function sessionToken(): string | undefined {
  return useSession.getState().session?.token;
}

export function startSession(session: Session): void {
  if (readStored(SESSION_KEYS.userId) !== session.userId) store(OWN_ANSWERS_KEY, null);
  store(SESSION_KEYS.userId, session.userId);
  store(SESSION_KEYS.email, session.email);
  store(SESSION_KEYS.login, '1');
  store(SESSION_KEYS.purchase, readStored(SESSION_KEYS.purchase) ?? '1');
  // The token is stored last, because other tabs react to its change and then read the other fields.
  store(SESSION_KEYS.token, session.token);
  useSession.setState({ session, lastEmail: session.email, hasAuthenticator: false, hasPasskey: false });
}

/**
 * Removes the session and the user's stored responses from this device; the interface language and the email address
 * stay stored.
 */
export function endSession(): void {
  store(SESSION_KEYS.token, null);
  store(SESSION_KEYS.userId, null);
  store(SESSION_KEYS.login, null);
  store(SESSION_KEYS.purchase, null);
  store(OWN_ANSWERS_KEY, null);
  useSession.setState({ session: null, hasAuthenticator: false, hasPasskey: false });
}

/**
 * Stores whether the user may purchase: `1`, or `0` if the exchange forbids it. The
 * specification requires the stored value (SPEC-001); the screens use the user's data, which is newer. Does nothing when
 * nobody is signed in.
 */
export function rememberPurchaseFlag(purchase: string): void {
  if (signedIn()) store(SESSION_KEYS.purchase, purchase);
}

/**
 * Stores the signed-in user's email address in the browser's storage and the session store; and, only in the
 * session store, whether the user has an authenticator app and a passkey. Does nothing when nobody is signed
 * in.
 */
export function rememberUser({
  email,
  hasAuthenticator,
  hasPasskey,
}: {
  readonly email: string;
  readonly hasAuthenticator: boolean;
  readonly hasPasskey: boolean;
}): void {
  const { session } = useSession.getState();
  if (session === null) return;
  if (session.email !== email) store(SESSION_KEYS.email, email);
  useSession.setState({
    ...(session.email === email ? {} : { session: { ...session, email }, lastEmail: email }),
    hasAuthenticator,
    hasPasskey,
  });
}

/** Updates this tab after a sign-in or sign-out in another tab. Returns a function that removes the listener. */
export function followOtherTabs(): () => void {
  return onStoredChange(SESSION_KEYS.token, () => useSession.setState(storedState()));
}

function storedState(): SessionState {
  const userId = readStored(SESSION_KEYS.userId);
  const token = readStored(SESSION_KEYS.token);
  const email = readStored(SESSION_KEYS.email) ?? '';
  const session = userId !== null && token !== null ? { userId, token, email } : null;
  return { session, lastEmail: email, hasAuthenticator: false, hasPasskey: false };
}
