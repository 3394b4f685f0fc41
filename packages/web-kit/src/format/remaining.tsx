import { useEffect, useState } from 'react';
import { serverNow } from '../clock.ts';
import { useLocale } from '../i18n/words.ts';
import { formatRemaining } from './format-remaining.ts';
import { formatTimeWithOffset } from './format.ts';
import css from './numbers.module.css';

/** Returns the current server time in milliseconds UTC, updated every `everyMs` milliseconds. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/**
 * Number of seconds until the time `until` (milliseconds UTC) by the server's clock, rounded up, at least 0; updated
 * every second.
 */
export function useSecondsLeft(until: number): number {
  const [, forceRender] = useState(0);
  // The remaining seconds are computed on every render, so that a changed `until` takes effect immediately.
  const secondsLeft = Math.max(0, Math.ceil((until - serverNow()) / 1_000));
  useEffect(() => {
    if (secondsLeft === 0) return undefined;
    const timer = setTimeout(
      () => forceRender((count) => count + 1),
      until - serverNow() - (secondsLeft - 1) * 1_000,
    );
    return () => clearTimeout(timer);
  });
  return secondsLeft;
}

interface RemainingProps {
  until: number;
  className?: string | undefined;
}

/** Countdown to a time by the server's clock; the tooltip shows that time. */
export function Remaining({ until, className }: RemainingProps) {
  const locale = useLocale();
  const now = useNow();
  return (
    <time
      className={className === undefined ? css.number : `${css.number} ${className}`}
      dateTime={new Date(until).toISOString()}
      title={formatTimeWithOffset(until, locale)}
      translate="no"
    >
      {formatRemaining(until - now, locale)}
    </time>
  );
}
