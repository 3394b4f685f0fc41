import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStoredSince } from '../api/stored-answers.ts';
import { formatTime } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { useFeedState } from './feed.ts';
import css from './connection-bar.module.css';

/**
 * Milliseconds for which the live feed must be interrupted before the bar is shown; a feed in the state
 * `stale` is shown at once.
 */
const QUIET_MS = 2_500;

/**
 * Bar that states from which time the displayed stored data are, if any are displayed. Otherwise it states that live
 * prices are interrupted, as soon as the feed is stale or has not been live for `QUIET_MS`. It disappears when live
 * data arrive again.
 */
export function ConnectionBar({ className }: { readonly className: string }) {
  const state = useFeedState();
  const storedSince = useStoredSince();
  return (
    <div role="status" className={`${css.region} ${className}`}>
      {storedSince !== undefined ? (
        <Stored since={storedSince} />
      ) : (
        state !== 'live' && <Interrupted isStale={state === 'stale'} />
      )}
    </div>
  );
}

function Stored({ since }: { readonly since: number }) {
  const t = useWords('shell');
  const locale = useLocale();
  return (
    <p className={css.bar} data-state="stale">
      <WifiOff size={14} aria-hidden="true" />
      <span>{t('storedFrom', { time: formatTime(since, locale, 'minute') })}</span>
    </p>
  );
}

function Interrupted({ isStale }: { readonly isStale: boolean }) {
  const t = useWords('shell');
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isStale && !isLong) return null;
  return (
    <p className={css.bar} data-state={isStale ? 'stale' : 'connecting'}>
      <WifiOff size={14} aria-hidden="true" />
      <span>{t(isStale ? 'stale' : 'offline')}</span>
    </p>
  );
}
