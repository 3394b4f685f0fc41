import type { ExecutionMessage } from '@exchange/wire/feed.ts';
import { useState, useSyncExternalStore } from 'react';
import { useFeedState, useTopic } from '../feed/feed.ts';
import {
  discardSubmission,
  hiddenSubmissions,
  watchSubmissions,
  type KeyedSubmission,
} from '../form/keyed-submissions.ts';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { useHasNewBuild } from '../part/build.ts';
import { UP_COLOUR_WORDS, useUpColourChoice } from '../theme/theme.tsx';
import css from './frame-notes.module.css';

/**
 * Notes shown over every screen: that orders are delayed, each request without a response whose form is not displayed (with buttons to send it
 * again or discard it), an available update of the app, and the question whether the price colours should change to the
 * usual ones of the newly selected language. `className` positions the notes.
 */
export default function FrameNotes({ className }: { readonly className: string }) {
  const attempts = useSyncExternalStore(watchSubmissions, hiddenSubmissions);
  return (
    <div className={`${css.notes} ${className}`}>
      <OrdersDelayed />
      {attempts.map((attempt) => (
        <UnansweredAttempt key={attempt.clientId} attempt={attempt} />
      ))}
      <ColourQuestion />
      <NewBuild />
    </div>
  );
}

/**
 * States that orders wait for the exchange's database, as long as the live feed says so. Without the feed nothing is
 * stated, because it is then unknown.
 */
function OrdersDelayed() {
  const t = useWords('shell');
  const state = useFeedState();
  const [isWaiting, setWaiting] = useState(false);
  useTopic('execution', ({ data }) => setWaiting((data as ExecutionMessage).waitingSince !== null));
  if (!isWaiting || state !== 'live') return null;
  return (
    <div className={css.note} role="status">
      <p>{t('ordersDelayed')}</p>
    </div>
  );
}

function UnansweredAttempt({ attempt }: { readonly attempt: KeyedSubmission }) {
  const t = useWords('shell');
  return (
    <div className={css.note} role="status">
      <p>{t('unansweredOf', { title: attempt.title })}</p>
      <div className={css.choices}>
        <Button size="s" onClick={() => void attempt.retry()}>
          {t('sendAgain')}
        </Button>
        <Button look="quiet" size="s" onClick={() => discardSubmission(attempt.form)}>
          {t('startAnew')}
        </Button>
      </div>
    </div>
  );
}

function ColourQuestion() {
  const t = useWords('shell');
  const { chosen, suggested, choose } = useUpColourChoice();
  if (chosen === undefined || suggested === undefined) return null;
  return (
    <div className={css.note} role="status">
      <p>
        {t('colourQuestion', {
          current: t(UP_COLOUR_WORDS[chosen]),
          usual: t(UP_COLOUR_WORDS[suggested]),
        })}
      </p>
      <div className={css.choices}>
        <Button size="s" onClick={() => choose(suggested)}>
          {t('changeColours')}
        </Button>
        <Button look="quiet" size="s" onClick={() => choose(chosen)}>
          {t('keepColours')}
        </Button>
      </div>
    </div>
  );
}

function NewBuild() {
  const t = useWords('shell');
  const hasNewBuild = useHasNewBuild();
  const [isPutOff, setPutOff] = useState(false);
  if (!hasNewBuild || isPutOff) return null;
  return (
    <div className={css.note} role="status">
      <p>{t('newBuild')}</p>
      <div className={css.choices}>
        <Button size="s" onClick={() => location.reload()}>
          {t('reload')}
        </Button>
        <Button look="quiet" size="s" onClick={() => setPutOff(true)}>
          {t('later')}
        </Button>
      </div>
    </div>
  );
}
