import { CallFailed, CallRefused } from '../api/client.ts';
import { onUserChange } from '../session/own-key.ts';
import { randomId } from '../random-id.ts';
import { SessionChanged, useSession } from '../session/session-store.ts';
import { allowReloadWhen } from '../part/build.ts';

/**
 * Deeds that are done once however often they are asked for: each is kept, with its key and what it stands for, until
 * the exchange has answered it, whether or not its form is still on screen. Another person finds none of them.
 */

/** A deed that was sent and is not known to be answered. */
export interface Attempt<Payload = unknown> {
  /** What the person wants, as text: the same text is the same deed. */
  readonly intent: string;
  readonly payload: Payload;
  /** The key under which a repetition is the same deed. */
  readonly clientId: string;
  /** The form that sent it. */
  readonly form: string;
  /** What the person does with it, in words, for places outside the form. */
  readonly title: string;
  /** Sends it again as its form would, and shows what comes of it, also after the form is gone. */
  readonly repeat: () => Promise<boolean>;
  /** Whether an answer is still waited for; otherwise none came. */
  readonly isUnderWay: boolean;
}

export type Outcome<Answer> =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'refused' | 'lost'; readonly error: Error }
  /** Nothing was sent: one is under way, or an earlier one of another intent has no answer yet. */
  | { readonly is: 'underWay' | 'unsettled' }
  /** Another person is signed in by now: the outcome is none of their business. */
  | { readonly is: 'foreign' };

type Send<Payload, Answer> = (attempt: Attempt<Payload>) => Promise<Answer>;

const attempts = new Map<string, Attempt>();
const watchers = new Set<() => void>();
/** How many notes of a form on screen show its unanswered attempt. */
const shownNotes = new Map<string, number>();
const doneListeners = new Set<(name: string, intent: string) => void>();

/** Calls `watcher` after each change of an attempt; gives the way to stop. */
export function watchAttempts(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Calls `listener` with the intent of each deed of a form that was done; gives the way to stop. */
export function onDeedDone(form: string, listener: (intent: string) => void): () => void {
  const onDone = (name: string, intent: string): void => {
    if (name === nameOf(form)) listener(intent);
  };
  doneListeners.add(onDone);
  return () => doneListeners.delete(onDone);
}

/** The unanswered attempt of a form by the person who is signed in. */
export function attemptOf(form: string): Attempt | undefined {
  return attempts.get(nameOf(form));
}

/** What a form sends, and how it is sent again. */
export type Submission<Payload, Answer> = Pick<Attempt, 'form' | 'title' | 'intent' | 'repeat'> & {
  readonly payloadOf: () => Payload;
  readonly send: Send<Payload, Answer>;
};

/** Sends a deed: under the key of the unanswered attempt where it is the same one, else under a key of its own. */
export async function attemptDeed<Payload, Answer>({
  form,
  title,
  intent,
  repeat,
  payloadOf,
  send,
}: Submission<Payload, Answer>): Promise<Outcome<Answer>> {
  const known = attemptOf(form) as Attempt<Payload> | undefined;
  if (known?.isUnderWay === true) return { is: 'underWay' };
  if (known !== undefined && known.intent !== intent) return { is: 'unsettled' };
  const { payload, clientId } = known ?? { payload: payloadOf(), clientId: randomId() };
  const attempt: Attempt<Payload> = { form, title, intent, payload, clientId, repeat, isUnderWay: true };
  const name = nameOf(form);
  put(name, attempt);
  const isOurs = (): boolean => attempts.get(name) === attempt;
  try {
    const answer = await send(attempt);
    if (!isOurs()) return { is: 'foreign' };
    done(name, attempt);
    return { is: 'answered', answer };
  } catch (error) {
    if (!isOurs()) return { is: 'foreign' };
    // Without an answer it may have been done: it is kept, and sent again under its key.
    // A new session of the same person may send it again, too.
    const isLost = error instanceof CallFailed || error instanceof SessionChanged;
    // A repetition that came too soon was not looked at: what became of the first is as unknown as before.
    const isStillOpen = isLost || (known !== undefined && error instanceof CallRefused && error.passes);
    put(name, isStillOpen ? { ...attempt, isUnderWay: false } : undefined);
    if (isLost) return { is: 'lost', error };
    if (error instanceof CallRefused) return { is: 'refused', error };
    throw error;
  }
}

/** Reports that a form shows its unanswered attempt itself; returns the way to report that it does no longer. */
export function showsUnanswered(form: string): () => void {
  const change = (by: number): void => {
    shownNotes.set(form, (shownNotes.get(form) ?? 0) + by);
    changed();
  };
  change(1);
  return () => change(-1);
}

/** The unanswered attempts of the person that no form on screen shows. The same array as long as nothing changes. */
export function unshownAttempts(): readonly Attempt[] {
  return unshown;
}

let unshown: readonly Attempt[] = [];

function changed(): void {
  unshown = [...attempts.values()].filter(
    ({ form, isUnderWay }) => !isUnderWay && (shownNotes.get(form) ?? 0) === 0,
  );
  for (const watcher of watchers) watcher();
}

/** Lets go of the unanswered attempt of a form, because the person chose to. */
export function forgetAttempt(form: string): void {
  if (attemptOf(form)?.isUnderWay === false) put(nameOf(form), undefined);
}

/** The exchange has reported the deeds with these keys in another way than by an answer. */
export function settleAttempts(clientIds: ReadonlySet<string>): void {
  for (const [name, attempt] of attempts) {
    if (!attempt.isUnderWay && clientIds.has(attempt.clientId)) done(name, attempt);
  }
}

function nameOf(form: string): string {
  return `${useSession.getState().session?.userId ?? ''} ${form}`;
}

function done(name: string, { intent }: Attempt): void {
  put(name, undefined);
  for (const listener of doneListeners) listener(name, intent);
}

function put(name: string, attempt: Attempt | undefined): void {
  if (attempt === undefined) attempts.delete(name);
  else attempts.set(name, attempt);
  changed();
}

onUserChange(() => {
  attempts.clear();
  changed();
});

// A reload would lose the keys under which unanswered requests can be sent again.
allowReloadWhen(() => attempts.size === 0);
