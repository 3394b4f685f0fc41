import { useEffect, useState } from 'react';
import { serverNow } from '../clock.ts';
import { useLocale } from '../i18n/words.ts';
import { formatRemaining } from './format-remaining.ts';
import { formatTimeWithOffset } from './format.ts';
import css from './numbers.module.css';

/** Server time in milliseconds UTC, updated every `everyMs`. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/**
 * Number of seconds until a time (milliseconds UTC) by the server's clock, rounded up, at least 0; updated
 * every second.
 */
export function useSecondsLeft(until: number): number {
  const [, forceRender] = useState(0);
  // Calculated on every render, so that a new target time takes effect immediately.
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

/** Countdown to a target time by the server's clock; its tooltip shows the target time. */
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
