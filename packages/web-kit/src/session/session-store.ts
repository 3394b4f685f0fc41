import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { create } from 'zustand';
import { onRemembered, recall, remember } from '../storage.ts';

/** Who is signed in on this device. Identity data (name, number, photos) never comes here. */
export interface Session {
  readonly userId: string;
  readonly token: string;
  readonly email: string;
}

interface SessionState {
  readonly session: Session | null;
  /** The address of the last person who signed in here, for filling in the form. */
  readonly lastEmail: string;
  /** Whether forms that ask for a mailed code ask for the authenticator's as well; known once the person's data came. */
  readonly hasAuthenticator: boolean;
}

/** The key under which the device stores the last answers to calls of the person who is signed in. */
export const OWN_ANSWERS_KEY = 'Last-Own-Answers';

/** Who is signed in as the device has stored it, in whichever tab; null for nobody. */
export function storedUserId(): string | null {
  return recall(SESSION_KEYS.token) === null ? null : recall(SESSION_KEYS.userId);
}

/** The session as React state: `useSession((state) => state.session)`. */
export const useSession = create<SessionState>(() => stored());

/** An answer arrived after the session that its request was sent under had ended: it is for nobody who is here now. */
export class SessionChanged extends Error {
  override readonly name = 'SessionChanged';

  constructor() {
    super('The session of this request has ended.');
  }
}

let present = new AbortController();
// The first subscriber of the store: whoever else follows sign-ins and sign-outs finds the old signal aborted.
useSession.subscribe((now, before) => {
  if (now.session?.token === before.session?.token) return;
  const ended = present;
  present = new AbortController();
  ended.abort(new SessionChanged());
});

/**
 * The signal of the present session, or of being signed out. It is aborted with a `SessionChanged` as soon as somebody
 * signs in or out on this device, in whichever tab.
 */
export function sessionSignal(): AbortSignal {
  return present.signal;
}

/** Whether somebody is signed in. */
export function signedIn(): boolean {
  return useSession.getState().session !== null;
}

/** The token that calls carry, or undefined. */
export function sessionToken(): string | undefined {
  return useSession.getState().session?.token;
}

/** Signs a person in on this device. */
export function startSession(session: Session): void {
  if (recall(SESSION_KEYS.userId) !== session.userId) remember(OWN_ANSWERS_KEY, null);
  remember(SESSION_KEYS.userId, session.userId);
  remember(SESSION_KEYS.email, session.email);
  remember(SESSION_KEYS.login, '1');
  remember(SESSION_KEYS.purchase, recall(SESSION_KEYS.purchase) ?? '1');
  // The token comes last: other tabs wake up at it and find the rest in place.
  remember(SESSION_KEYS.token, session.token);
  useSession.setState({ session, lastEmail: session.email, hasAuthenticator: false });
}

/** Forgets who was signed in and the last answers to their calls; language and e-mail stay for the next time. */
export function endSession(): void {
  remember(SESSION_KEYS.token, null);
  remember(SESSION_KEYS.userId, null);
  remember(SESSION_KEYS.login, null);
  remember(SESSION_KEYS.purchase, null);
  remember(OWN_ANSWERS_KEY, null);
  useSession.setState({ session: null, hasAuthenticator: false });
}

/** Keeps the flag that governs buying; `1` unless the exchange says otherwise. */
export function rememberPurchaseFlag(purchase: string): void {
  if (signedIn()) remember(SESSION_KEYS.purchase, purchase);
}

/** Keeps what the exchange says of the person, for forms and for the next sign-in here. */
export function rememberPerson(person: { readonly email: string; readonly hasAuthenticator: boolean }): void {
  const { session } = useSession.getState();
  if (session === null) return;
  const { email, hasAuthenticator } = person;
  if (session.email !== email) remember(SESSION_KEYS.email, email);
  useSession.setState({
    ...(session.email === email ? {} : { session: { ...session, email }, lastEmail: email }),
    hasAuthenticator,
  });
}

/** Follows sign-ins and sign-outs in other tabs; gives the way to stop. */
export function followOtherTabs(): () => void {
  return onRemembered(SESSION_KEYS.token, () => useSession.setState(stored()));
}

function stored(): SessionState {
  const userId = recall(SESSION_KEYS.userId);
  const token = recall(SESSION_KEYS.token);
  const email = recall(SESSION_KEYS.email) ?? '';
  const session = userId !== null && token !== null ? { userId, token, email } : null;
  return { session, lastEmail: email, hasAuthenticator: false };
}
