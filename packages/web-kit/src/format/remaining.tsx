import { useEffect, useState } from 'react';
import { serverNow } from '../clock.ts';
import { useLocale } from '../i18n/words.ts';
import { formatRemaining } from './format-remaining.ts';
import { formatMomentWithOffset } from './format.ts';
import css from './numbers.module.css';

/** The server's time in milliseconds UTC, read again every `everyMs`. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The seconds left until a moment (milliseconds UTC) by the server's clock, the last begun one counted; then 0. */
export function useSecondsLeft(until: number): number {
  const [, tick] = useState(0);
  // Read anew at every rendering: a moment that was just set is then counted from now.
  const left = Math.max(0, Math.ceil((until - serverNow()) / 1_000));
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => tick((count) => count + 1), until - serverNow() - (left - 1) * 1_000);
    return () => clearTimeout(timer);
  });
  return left;
}

interface RemainingProps {
  /** Milliseconds UTC. */
  until: number;
  className?: string | undefined;
}

/** How long it is until a moment, by the server's clock; hovering shows the moment itself. */
export function Remaining({ until, className }: RemainingProps) {
  const locale = useLocale();
  const now = useNow();
  return (
    <time
      className={className === undefined ? css.number : `${css.number} ${className}`}
      dateTime={new Date(until).toISOString()}
      title={formatMomentWithOffset(until, locale)}
      translate="no"
    >
      {formatRemaining(until - now, locale)}
    </time>
  );
}
