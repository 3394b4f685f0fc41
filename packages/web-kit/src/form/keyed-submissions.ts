import { CallFailed, CallRefused } from '../api/client.ts';
import { onUserChange } from '../session/user-keys.ts';
import { randomId } from '../random-id.ts';
import { SessionChanged, useSession } from '../session/session-store.ts';
import { allowReloadWhen } from '../part/build.ts';

/**
 * A form's request that was sent and whose response is not known yet. Each request is kept in memory with its
 * idempotency key and payload until the server answers, even if the form is closed, so that the server
 * executes it once however often it is repeated. All these requests are dropped when the user signs out or
 * another user signs in.
 */
export interface KeyedSubmission<Payload = unknown> {
  /** Text that identifies the content of a request; two requests of a form with equal texts have the same content. */
  readonly intent: string;
  readonly payload: Payload;
  /** Idempotency key: the server executes several requests with the same key only once. */
  readonly clientId: string;
  readonly form: string;
  /** Description of the action, shown in notes outside the form. */
  readonly title: string;
  /**
   * Sends the request again and shows the outcome, even when the form is closed. Resolves to whether the request
   * succeeded.
   */
  readonly retry: () => Promise<boolean>;
  /** True while a response to the request is awaited; false after the request failed without a response. */
  readonly isInProgress: boolean;
}

export type Outcome<Answer> =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'refused' | 'lost'; readonly error: Error }
  /**
   * Nothing was sent: `inProgress` while another request of the form is running, `blocked` while an earlier request
   * with other content is unanswered.
   */
  | { readonly is: 'inProgress' | 'blocked' }
  /**
   * The user has signed out, or another user has signed in, since the request was sent, so its response must
   * not be shown.
   */
  | { readonly is: 'otherUser' };

type SendSubmission<Payload, Answer> = (submission: KeyedSubmission<Payload>) => Promise<Answer>;

const submissions = new Map<string, KeyedSubmission>();
const watchers = new Set<() => void>();
/** Number of mounted notes that show the unanswered request of a form, by form name. */
const shownNotes = new Map<string, number>();
const doneListeners = new Set<(name: string, intent: string) => void>();

/**
 * Calls `watcher` each time a running or unanswered request of any form is added to memory, changed or
 * removed, and when the notes that show such requests change. Returns a function that removes `watcher`.
 */
export function watchSubmissions(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Calls `listener` with `intent` of each request of a form that the server has executed, whether a response or another
 * message of the server confirms it; not for refused or discarded requests. Returns a function that removes `listener`.
 */
export function onSubmissionDone(form: string, listener: (intent: string) => void): () => void {
  const onDone = (submissionKey: string, intent: string): void => {
    if (submissionKey === keyOf(form)) listener(intent);
  };
  doneListeners.add(onDone);
  return () => doneListeners.delete(onDone);
}

/** The current user's request of a form that is running or unanswered; undefined if there is none. */
export function submissionOf(form: string): KeyedSubmission | undefined {
  return submissions.get(keyOf(form));
}

/** The content of a form's request, and the functions that send it for the first time and again. */
export type SubmissionRequest<Payload, Answer> = Pick<
  KeyedSubmission,
  'form' | 'title' | 'intent' | 'retry'
> & {
  readonly payloadOf: () => Payload;
  readonly send: SendSubmission<Payload, Answer>;
};

/**
 * Sends a form's request. Sends nothing while another request of the form is running, or while an earlier
 * request with other content is unanswered. An earlier unanswered request with the same content is sent again
 * with its idempotency key. Rejects with an error of `send` that is neither a refusal nor a missing response.
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
    // If no response arrived, the server may have executed the request. The request therefore stays in memory
    // and can be sent again with its idempotency key, also if the session was renewed meanwhile
    // (`SessionChanged`) for the same user.
    const isLost = error instanceof CallFailed || error instanceof SessionChanged;
    // If a repetition is refused only temporarily (rate limit, maintenance), the outcome of the first request
    // is still unknown, so the request stays in memory.
    const isStillUnanswered =
      isLost || (existing !== undefined && error instanceof CallRefused && error.isTemporary);
    store(name, isStillUnanswered ? { ...submission, isInProgress: false } : undefined);
    if (isLost) return { is: 'lost', error };
    if (error instanceof CallRefused) return { is: 'refused', error };
    throw error;
  }
}

/**
 * Registers a mounted note that shows the unanswered request of a form. Returns a function that unregisters the note.
 */
export function registerUnansweredNote(form: string): () => void {
  const addToCount = (delta: number): void => {
    shownNotes.set(form, (shownNotes.get(form) ?? 0) + delta);
    notifyChange();
  };
  addToCount(1);
  return () => addToCount(-1);
}

/**
 * The user's unanswered requests that no mounted form shows. The same array is returned until a request or a note
 * changes.
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

/**
 * Removes a form's unanswered request from memory, because the user chose to discard it. A request in
 * progress stays.
 */
export function discardSubmission(form: string): void {
  if (submissionOf(form)?.isInProgress === false) store(keyOf(form), undefined);
}

/**
 * Marks unanswered requests with these idempotency keys as completed, because another message of the server, such as a
 * feed update, has confirmed them.
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

// The page does not reload by itself while a request is running or unanswered, because it would lose the idempotency
// key.
allowReloadWhen(() => submissions.size === 0);
