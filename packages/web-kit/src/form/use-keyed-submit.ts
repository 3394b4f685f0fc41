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
} from './keyed-attempts.ts';

interface KeyedDeed<Payload, Answer> {
  /** Names the form among all of a person's: an unanswered attempt is found again by it. */
  readonly form: string;
  readonly send: (attempt: Attempt<Payload>) => Promise<Answer>;
  /** Reports that it is done; called whether or not the form is still on screen. */
  readonly onAnswered: (answer: Answer) => void;
  /** The form is on screen and its deed, known by its intent, is done, even if it was sent before the form was opened anew. */
  readonly onDone?: (intent: string) => void;
  /** Puts a refusal to its field and says whether it did; others are shown in a notice. */
  readonly refuse?: (error: unknown) => boolean;
}

/** An attempt without an answer, and what the person may choose to do about it. */
export interface Unanswered {
  /** Sends the very same deed again: it is done once, and answered. Gives whether it was done. */
  readonly repeat: () => Promise<boolean>;
  /** Lets go of it: what is sent next is another deed. */
  readonly forget: () => void;
}

interface KeyedSubmit<Payload> {
  /** Sends what `intent` says, unless that is under way. Gives whether it was done. */
  readonly submit: (intent: string, payload: () => Payload) => Promise<boolean>;
  readonly isBusy: boolean;
  /** While no answer came to an attempt: another intent is not sent before it is settled. */
  readonly unanswered: Unanswered | undefined;
}

/**
 * Sends a form so that the same intent is done once: a repetition after a lost answer carries the same key, from a
 * form that was closed and opened meanwhile too. Refusals and lost answers are shown in notices.
 */
export function useKeyedSubmit<Payload, Answer>(deed: KeyedDeed<Payload, Answer>): KeyedSubmit<Payload> {
  const t = useWords('shell');
  const { form } = deed;
  const attempt = useSyncExternalStore(watchAttempts, () => attemptOf(form)) as Attempt<Payload> | undefined;
  const latest = useRef(deed.onDone);
  useEffect(() => {
    latest.current = deed.onDone;
  });
  useEffect(() => onDeedDone(form, (intent) => latest.current?.(intent)), [form]);

  const submit = async (intent: string, payload: () => Payload): Promise<boolean> => {
    const outcome = await attemptDeed(form, intent, payload, deed.send);
    if (outcome.is === 'answered') {
      deed.onAnswered(outcome.answer);
      return true;
    }
    if (outcome.is === 'unsettled') notify.warning(t('unanswered'));
    if ('error' in outcome && deed.refuse?.(outcome.error) !== true) notify.failure(outcome.error);
    return false;
  };
  const unanswered: Unanswered | undefined =
    attempt === undefined || attempt.isUnderWay
      ? undefined
      : {
          repeat: () => submit(attempt.intent, () => attempt.payload),
          forget: () => forgetAttempt(form),
        };
  return { submit, isBusy: attempt?.isUnderWay === true, unanswered };
}
