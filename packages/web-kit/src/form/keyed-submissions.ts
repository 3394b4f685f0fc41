import { CallFailed, CallRefused } from '../api/client.ts';
import { onUserChange } from '../session/user-keys.ts';
import { randomId } from '../random-id.ts';
import { SessionChanged, useSession } from '../session/session-store.ts';
import { allowReloadWhen } from '../part/build.ts';

/**
 * A request of a form that was sent and has no known response. Form requests are idempotent: each is stored
 * with its key and payload until the server answers, even if its form is closed, so that a retry is executed
 * once. They are dropped when the user signs out or another signs in.
 */
export interface KeyedSubmission<Payload = unknown> {
  /** Text that identifies the content of the request: equal texts mean the same request. */
  readonly intent: string;
  readonly payload: Payload;
  /** Idempotency key: the server executes requests with the same key once. */
  readonly clientId: string;
  readonly form: string;
  /** Description of the action for notes outside the form. */
  readonly title: string;
  /**
   * Sends the request again and shows the outcome, even when the form is closed. Resolves to whether it
   * succeeded.
   */
  readonly retry: () => Promise<boolean>;
  /** True while the request is running; false after it failed without a response. */
  readonly isInProgress: boolean;
}

export type Outcome<Answer> =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'refused' | 'lost'; readonly error: Error }
  /**
   * Nothing was sent: a request of the form is running, or an earlier request with other content has no
   * response yet.
   */
  | { readonly is: 'inProgress' | 'blocked' }
  /** The user has signed out or another has signed in meanwhile; the outcome must not be shown. */
  | { readonly is: 'otherUser' };

type SendSubmission<Payload, Answer> = (submission: KeyedSubmission<Payload>) => Promise<Answer>;

const submissions = new Map<string, KeyedSubmission>();
const watchers = new Set<() => void>();
/** Number of mounted notes that show a form's unanswered request, by form. */
const shownNotes = new Map<string, number>();
const doneListeners = new Set<(name: string, intent: string) => void>();

/** Calls `watcher` after each change of a form's request. Returns a function that removes it. */
export function watchSubmissions(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Calls `listener` with the content text of each completed request of a form. Returns a function that removes
 * it.
 */
export function onSubmissionDone(form: string, listener: (intent: string) => void): () => void {
  const onDone = (submissionKey: string, intent: string): void => {
    if (submissionKey === keyOf(form)) listener(intent);
  };
  doneListeners.add(onDone);
  return () => doneListeners.delete(onDone);
}

/** The current user's unanswered request of a form. */
export function submissionOf(form: string): KeyedSubmission | undefined {
  return submissions.get(keyOf(form));
}

/** A form's request, and how to send it again. */
export type SubmissionRequest<Payload, Answer> = Pick<
  KeyedSubmission,
  'form' | 'title' | 'intent' | 'retry'
> & {
  readonly payloadOf: () => Payload;
  readonly send: SendSubmission<Payload, Answer>;
};

/**
 * Sends a form's request. Sends nothing while a request of the form is running, or while an unanswered one has
 * other content; an unanswered one with the same content is sent again with its idempotency key.
 */
export async function submitKeyed<Payload, Answer>({
  form,
  title,
  intent,
  retry,
  payloadOf,
  send,
}: SubmissionRequest<Payload, Answer>): Promise<Outcome<Answer>> {
  const existing = submissionOf(form) as KeyedSubmission<Payload> | undefined;
  if (existing?.isInProgress === true) return { is: 'inProgress' };
  if (existing !== undefined && existing.intent !== intent) return { is: 'blocked' };
  const { payload, clientId } = existing ?? { payload: payloadOf(), clientId: randomId() };
  const submission: KeyedSubmission<Payload> = {
    form,
    title,
    intent,
    payload,
    clientId,
    retry: retry,
    isInProgress: true,
  };
  const name = keyOf(form);
  store(name, submission);
  const isCurrent = (): boolean => submissions.get(name) === submission;
  try {
    const answer = await send(submission);
    if (!isCurrent()) return { is: 'otherUser' };
    complete(name, submission);
    return { is: 'answered', answer };
  } catch (error) {
    if (!isCurrent()) return { is: 'otherUser' };
    // Without a response the server may have executed the request, so it is kept and retried with its
    // idempotency key. A new session of the same user may retry it too.
    const isLost = error instanceof CallFailed || error instanceof SessionChanged;
    // If a retry is rate-limited, the outcome of the first request stays unknown.
    const isStillUnanswered =
      isLost || (existing !== undefined && error instanceof CallRefused && error.isTemporary);
    store(name, isStillUnanswered ? { ...submission, isInProgress: false } : undefined);
    if (isLost) return { is: 'lost', error };
    if (error instanceof CallRefused) return { is: 'refused', error };
    throw error;
  }
}

/** Registers that a form itself shows its unanswered request. Returns a function that unregisters it. */
export function registerUnansweredNote(form: string): () => void {
  const addToCount = (delta: number): void => {
    shownNotes.set(form, (shownNotes.get(form) ?? 0) + delta);
    notifyChange();
  };
  addToCount(1);
  return () => addToCount(-1);
}

/**
 * The user's unanswered requests that no mounted form shows. The array is the same until something changes.
 */
export function hiddenSubmissions(): readonly KeyedSubmission[] {
  return unshown;
}

let unshown: readonly KeyedSubmission[] = [];

function notifyChange(): void {
  unshown = [...submissions.values()].filter(
    ({ form, isInProgress }) => !isInProgress && (shownNotes.get(form) ?? 0) === 0,
  );
  for (const watcher of watchers) watcher();
}

/** Drops a form's unanswered request because the user chose to discard it. */
export function discardSubmission(form: string): void {
  if (submissionOf(form)?.isInProgress === false) store(keyOf(form), undefined);
}

/**
 * Marks the requests with these idempotency keys as completed, because a feed update or another message
 * confirmed them.
 */
export function completeSubmissions(clientIds: ReadonlySet<string>): void {
  for (const [name, submission] of submissions) {
    if (!submission.isInProgress && clientIds.has(submission.clientId)) complete(name, submission);
  }
}

function keyOf(form: string): string {
  return `${useSession.getState().session?.userId ?? ''} ${form}`;
}

function complete(name: string, { intent }: KeyedSubmission): void {
  store(name, undefined);
  for (const listener of doneListeners) listener(name, intent);
}

function store(name: string, submission: KeyedSubmission | undefined): void {
  if (submission === undefined) submissions.delete(name);
  else submissions.set(name, submission);
  notifyChange();
}

onUserChange(() => {
  submissions.clear();
  notifyChange();
});

// The page does not reload by itself while requests are unanswered: it would lose the keys needed to retry
// them.
allowReloadWhen(() => submissions.size === 0);
