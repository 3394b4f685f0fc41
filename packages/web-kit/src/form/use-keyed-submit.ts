import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import {
  attemptDeed,
  attemptOf,
  forgetAttempt,
  onDeedDone,
  watchAttempts,
  type Attempt,
  type Outcome,
} from './keyed-attempts.ts';

interface KeyedDeed<Payload, Answer> {
  /** Names the form among all of a person's: an unanswered attempt is found again by it. */
  readonly form: string;
  /** What the person does, in words: names an unanswered attempt where it is shown outside its form. */
  readonly title: string;
  readonly send: (attempt: Attempt<Payload>) => Promise<Answer>;
  /** Reports that it is done; called whether or not the form is still on screen. */
  readonly onAnswered: (answer: Answer) => void;
  /** The form is on screen and its deed, known by its intent, is done, even if it was sent before the form was opened anew. */
  readonly onDone?: (intent: string) => void;
  /** For `submit`: puts a refusal to its field and returns whether it did; others are shown in a notice. */
  readonly refuse?: (error: unknown) => boolean;
}

/** An attempt without an answer, and what the person may choose to do about it. */
export interface Unanswered {
  readonly form: string;
  /** Sends the very same deed again: it is done once, and answered. A refusal or another lost answer is shown in a notice. Returns whether it was done. */
  readonly repeat: () => Promise<boolean>;
  /** Lets go of it: what is sent next is another deed. */
  readonly forget: () => void;
}

interface KeyedSubmit<Payload> {
  /**
   * Sends what `intent` says, unless that is under way. Shows a refusal or a lost answer, at its field or in a notice.
   * Returns whether it was done.
   */
  readonly submit: (intent: string, payload: () => Payload) => Promise<boolean>;
  /** As `submit`, but throws the refusal or the lost answer, for a form that shows it where it belongs. */
  readonly act: (intent: string, payload: () => Payload) => Promise<boolean>;
  readonly isBusy: boolean;
  /** While no answer came to an attempt: another intent is not sent before it is settled. */
  readonly unanswered: Unanswered | undefined;
}

/**
 * Sends a form so that the same intent is done once: a repetition after a lost answer carries the same key, from a
 * form that was closed and opened meanwhile too. No outcome is silent, whichever way it was sent; an unanswered
 * attempt that its form does not show is shown by the site's frame.
 */
export function useKeyedSubmit<Payload, Answer>(deed: KeyedDeed<Payload, Answer>): KeyedSubmit<Payload> {
  const t = useWords('shell');
  const { form, title } = deed;
  const attempt = useSyncExternalStore(watchAttempts, () => attemptOf(form)) as Attempt<Payload> | undefined;
  const latest = useRef(deed.onDone);
  useEffect(() => {
    latest.current = deed.onDone;
  });
  useEffect(() => onDeedDone(form, (intent) => latest.current?.(intent)), [form]);

  const sendOnce = async (intent: string, payloadOf: () => Payload): Promise<Outcome<Answer>> => {
    const repeat = () => repeatOf(intent, payloadOf);
    const outcome = await attemptDeed({ form, title, intent, repeat, payloadOf, send: deed.send });
    if (outcome.is === 'answered') deed.onAnswered(outcome.answer);
    if (outcome.is === 'unsettled') notify.warning(t('unanswered'));
    return outcome;
  };
  /** Pressed outside the form's own flow: a field may be out of sight, so a notice says what came of it. */
  const repeatOf = async (intent: string, payloadOf: () => Payload): Promise<boolean> => {
    const outcome = await sendOnce(intent, payloadOf);
    if ('error' in outcome) {
      deed.refuse?.(outcome.error);
      notify.failure(outcome.error);
    }
    return outcome.is === 'answered';
  };
  const submit = async (intent: string, payloadOf: () => Payload): Promise<boolean> => {
    const outcome = await sendOnce(intent, payloadOf);
    if ('error' in outcome && deed.refuse?.(outcome.error) !== true) notify.failure(outcome.error);
    return outcome.is === 'answered';
  };
  const act = async (intent: string, payloadOf: () => Payload): Promise<boolean> => {
    const outcome = await sendOnce(intent, payloadOf);
    if ('error' in outcome) throw outcome.error;
    return outcome.is === 'answered';
  };
  const unanswered: Unanswered | undefined =
    attempt === undefined || attempt.isUnderWay
      ? undefined
      : {
          form,
          repeat: () => repeatOf(attempt.intent, () => attempt.payload),
          forget: () => forgetAttempt(form),
        };
  return { submit, act, isBusy: attempt?.isUnderWay === true, unanswered };
}
