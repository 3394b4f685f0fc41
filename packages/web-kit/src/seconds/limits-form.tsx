import { useState } from 'react';
import { DecimalField } from '../form/decimal-field.tsx';
import { decimalProblem } from '../form/decimal-text.ts';
import { Amount, When } from '../format/numbers.tsx';
import { serverNow } from '../clock.ts';
import { useNow } from '../format/remaining.tsx';
import { refusalText, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/choice.tsx';
import { setLimits, type LimitPayload } from './actions.ts';
import type { SecondsLimits } from './queries.ts';
import css from './seconds.module.css';

const SESSIONS = ['0', '15', '30', '60', '120', '240'] as const;
const PAUSES = ['', '1', '24', '168', '720'] as const;
const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;
/** Selectable pauses in trading the seconds contract of at least this many hours are named in days. */
const DAYS_FROM_HOURS = 48;

/**
 * Form for the limits that the user sets for trading the seconds contract. Stricter limits apply immediately, looser
 * limits after 24 hours.
 */
export function LimitsForm({ limits, coin }: { readonly limits: SecondsLimits; readonly coin: string }) {
  const t = useWords('seconds');
  const [maxStake, setMaxStake] = useState(limits.maxStake);
  const [dayLoss, setDayLoss] = useState(limits.dayLoss);
  const [session, setSession] = useState(String(limits.sessionMinutes ?? 0));
  const [pause, setPause] = useState('');
  const [isBusy, setBusy] = useState(false);
  const pauseText = (hours: number) =>
    hours < DAYS_FROM_HOURS ? t('hours', { count: hours }) : t('days', { count: hours / HOURS_PER_DAY });
  const save = async () => {
    const mistyped = decimalProblem(t('ownStake'), maxStake, 2) ?? decimalProblem(t('ownLoss'), dayLoss, 2);
    if (mistyped !== undefined) {
      notify.error(refusalText(mistyped));
      return;
    }
    setBusy(true);
    const payload: LimitPayload = {
      maxStake,
      dayLoss,
      sessionMinutes: session,
      ...(pause === '' ? {} : { coolUntil: String(Math.floor(serverNow()) + Number(pause) * HOUR_MS) }),
    };
    try {
      const { later } = await setLimits(payload);
      notify.success(t(later === undefined ? 'limitsSaved' : 'limitsLater'));
      setPause('');
    } catch (cause) {
      notify.failure(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p className={css.quiet}>{t('limitsHint')}</p>
      <DecimalField label={t('ownStake')} value={maxStake} onChange={setMaxStake} places={2} unit={coin} />
      <DecimalField label={t('ownLoss')} value={dayLoss} onChange={setDayLoss} places={2} unit={coin} />
      <p className={css.available}>
        <span>{t('lostToday')}</span>
        <Amount value={limits.lostToday} coin={coin} />
      </p>
      <Select
        label={t('ownSession')}
        value={session}
        onChange={setSession}
        options={SESSIONS.map((minutes) => ({
          value: minutes,
          label: minutes === '0' ? t('noLimit') : t('minutes', { count: minutes }),
        }))}
      />
      <Select
        label={t('pause')}
        value={pause}
        onChange={setPause}
        options={PAUSES.map((hours) => ({
          value: hours,
          label: hours === '' ? t('noPause') : pauseText(Number(hours)),
        }))}
      />
      <PendingLimits limits={limits} coin={coin} />
      <Button type="submit" wide busy={isBusy}>
        {t('saveLimits')}
      </Button>
    </form>
  );
}

interface PendingLimitsProps {
  readonly limits: SecondsLimits;
  readonly coin: string;
}

/**
 * The end of the pause that the user has set, and the looser limits that do not apply yet, with the time from which
 * they apply.
 */
function PendingLimits({ limits, coin }: PendingLimitsProps) {
  const t = useWords('seconds');
  const now = useNow(60_000);
  const isPaused = limits.coolUntil !== undefined && limits.coolUntil > now;
  return (
    <>
      {isPaused ? (
        <p className={css.quiet}>
          {t('pausedUntil')} <When at={limits.coolUntil!} />
        </p>
      ) : null}
      {limits.later === undefined ? null : (
        <p className={css.quiet}>
          {t('laterLimits', { stake: limits.later.maxStake, loss: limits.later.dayLoss, coin })}{' '}
          <When at={limits.later.effectiveTime} />
        </p>
      )}
    </>
  );
}
