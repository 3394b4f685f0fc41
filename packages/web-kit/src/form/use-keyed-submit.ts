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
  /** Name of the form; the user's unanswered request is found again by this name. */
  readonly form: string;
  /** Description of the action, shown with the unanswered request when the form is not displayed. */
  readonly title: string;
  readonly send: (lastSubmission: KeyedSubmission<Payload>) => Promise<Answer>;
  /** Called with the response to a successful request, even if the form has been unmounted. */
  readonly onAnswered: (answer: Answer) => void;
  /**
   * Called with `intent` of each request of the form that turns out to be executed while the form is mounted, even if
   * an earlier mounted form sent that request. Not called for refused requests.
   */
  readonly onDone?: (intent: string) => void;
  /**
   * Shows an error at the form field that the refusal names, and returns true. If it returns false, the error
   * is shown in a notification.
   */
  readonly refuse?: (error: unknown) => boolean;
}

/** A request of a form that received no response, with functions that send it again or discard it. */
export interface Unanswered {
  readonly form: string;
  /**
   * Sends the request again; the server executes it only once. A refusal, or another failure without a response, is
   * shown in a notification. Resolves to whether the request succeeded.
   */
  readonly retry: () => Promise<boolean>;
  /** Discards the unanswered request; the next submission is then a new request. */
  readonly discard: () => void;
}

interface KeyedSubmit<Payload> {
  /**
   * Sends a request, except while another request of the form is running or an earlier one with other content is
   * unanswered. A refusal is shown at its field, otherwise in a notification, as is a missing response. Resolves to
   * whether the request succeeded.
   */
  readonly submit: (intent: string, payload: () => Payload) => Promise<boolean>;
  /** Sends like `submit`, but rejects with the refusal or network failure, for forms that show it themselves. */
  readonly act: (intent: string, payload: () => Payload) => Promise<boolean>;
  readonly isBusy: boolean;
  /**
   * Defined if the last request of the form failed without a response and is not running again. Until it is answered or
   * discarded, requests with other content are not sent.
   */
  readonly unanswered: Unanswered | undefined;
}

/**
 * Submits a form idempotently: after a missing response, a repetition of the same request uses the same idempotency
 * key, even if the form was closed and reopened. While no mounted form shows an unanswered request, the app's frame
 * shows it.
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
 * Sends a request of the form named `form`, as `submit` of `useKeyedSubmit` does. It is no hook, so it also serves
 * forms that are mounted and unmounted often, such as the rows of a list. Shows refusals and missing responses.
 * `unansweredText` is the warning that is shown if an earlier request of the form with other content has no response
 * yet. Resolves to whether the request succeeded.
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

/**
 * Sends a form's unanswered request again, from the note in the form or from one outside of it. The form's
 * fields may be out of sight, so a failure is shown in a notification, and also at its field. Resolves to
 * whether the request succeeded.
 */
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
