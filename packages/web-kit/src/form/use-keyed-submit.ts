import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import {
  submitKeyed,
  submissionOf,
  discardSubmission,
  onSubmissionDone,
  watchSubmissions,
  type KeyedSubmission,
  type Outcome,
} from './keyed-submissions.ts';

interface SubmitOptions<Payload, Answer> {
  /** Identifies the form for this user, so that its unanswered request is found again. */
  readonly form: string;
  /** Description of the action, shown with an unanswered request outside the form. */
  readonly title: string;
  readonly send: (lastSubmission: KeyedSubmission<Payload>) => Promise<Answer>;
  /** Called with the server's response even if the form has been closed. */
  readonly onAnswered: (answer: Answer) => void;
  /**
   * Called with the content text of a completed request while the form is mounted, even if it was sent before
   * the form was reopened.
   */
  readonly onDone?: (intent: string) => void;
  /** Shows a refusal at its field and returns true; other refusals are shown as a notification. */
  readonly refuse?: (error: unknown) => boolean;
}

/** A request of a form that received no response, and what the user can do about it. */
export interface Unanswered {
  readonly form: string;
  /**
   * Sends the same request again; the server executes it once. A refusal or another missing response is shown
   * as a notification. Resolves to whether it succeeded.
   */
  readonly retry: () => Promise<boolean>;
  /** Discards the unanswered request, so that the next submission is a new request. */
  readonly discard: () => void;
}

interface KeyedSubmit<Payload> {
  /**
   * Sends a request unless one of the form is running or one with other content has no response. Shows a
   * refusal or a missing response at its field or as a notification. Resolves to whether it succeeded.
   */
  readonly submit: (intent: string, payload: () => Payload) => Promise<boolean>;
  /** Like `submit`, but throws the refusal or network failure for a form that shows it itself. */
  readonly act: (intent: string, payload: () => Payload) => Promise<boolean>;
  readonly isBusy: boolean;
  /**
   * Set when the last request of the form failed without a response, not while it is running; requests with
   * other content are not sent until it is settled.
   */
  readonly unanswered: Unanswered | undefined;
}

/**
 * Submits a form idempotently: a retry of the same request after a missing response uses the same key, even
 * if the form was closed and reopened. Every outcome is shown; an unanswered request that its form does not
 * show is shown by the frame of the app.
 */
export function useKeyedSubmit<Payload, Answer>(
  submission: SubmitOptions<Payload, Answer>,
): KeyedSubmit<Payload> {
  const t = useWords('shell');
  const { form } = submission;
  const lastSubmission = useSyncExternalStore(watchSubmissions, () => submissionOf(form)) as
    | KeyedSubmission<Payload>
    | undefined;
  const latestOnDone = useRef(submission.onDone);
  useEffect(() => {
    latestOnDone.current = submission.onDone;
  });
  useEffect(() => onSubmissionDone(form, (intent) => latestOnDone.current?.(intent)), [form]);

  const sendOnce = (intent: string, payloadOf: () => Payload): Promise<Outcome<Answer>> =>
    sendKeyed(submission, { intent, payloadOf }, t('unanswered'));
  const submit = (intent: string, payloadOf: () => Payload): Promise<boolean> =>
    submitShown(submission, { intent, payloadOf }, t('unanswered'));
  const act = async (intent: string, payloadOf: () => Payload): Promise<boolean> => {
    const outcome = await sendOnce(intent, payloadOf);
    if ('error' in outcome) throw outcome.error;
    return outcome.is === 'answered';
  };
  const unanswered: Unanswered | undefined =
    lastSubmission === undefined || lastSubmission.isInProgress
      ? undefined
      : {
          form,
          retry: () =>
            retryShown(
              submission,
              { intent: lastSubmission.intent, payloadOf: () => lastSubmission.payload },
              t('unanswered'),
            ),
          discard: () => discardSubmission(form),
        };
  return { submit, act, isBusy: lastSubmission?.isInProgress === true, unanswered };
}

/** The content of a form's request: `intent` identifies it, `payloadOf` builds its fields when it is first sent. */
interface Content<Payload> {
  readonly intent: string;
  readonly payloadOf: () => Payload;
}

/**
 * Sends a request under the key of its form, as `submit` of `useKeyedSubmit` does, for forms that come and go, such as
 * the rows of a list. Shows every outcome. `unansweredText` is the warning when an earlier request of the form with
 * other content has no response. Resolves to whether it succeeded.
 */
export async function submitShown<Payload, Answer>(
  submission: Omit<SubmitOptions<Payload, Answer>, 'onDone'>,
  content: Content<Payload>,
  unansweredText: string,
): Promise<boolean> {
  const outcome = await sendKeyed(submission, content, unansweredText);
  if ('error' in outcome && submission.refuse?.(outcome.error) !== true) notify.failure(outcome.error);
  return outcome.is === 'answered';
}

async function sendKeyed<Payload, Answer>(
  submission: Omit<SubmitOptions<Payload, Answer>, 'onDone'>,
  content: Content<Payload>,
  unansweredText: string,
): Promise<Outcome<Answer>> {
  const { form, title, send } = submission;
  const outcome = await submitKeyed({
    ...content,
    form,
    title,
    retry: () => retryShown(submission, content, unansweredText),
    send,
  });
  if (outcome.is === 'answered') submission.onAnswered(outcome.answer);
  if (outcome.is === 'blocked') notify.warning(unansweredText);
  return outcome;
}

/** Retries from outside the form, where its fields may be out of sight; the outcome is also shown as a notice. */
async function retryShown<Payload, Answer>(
  submission: Omit<SubmitOptions<Payload, Answer>, 'onDone'>,
  content: Content<Payload>,
  unansweredText: string,
): Promise<boolean> {
  const outcome = await sendKeyed(submission, content, unansweredText);
  if ('error' in outcome) {
    submission.refuse?.(outcome.error);
    notify.failure(outcome.error);
  }
  return outcome.is === 'answered';
}
