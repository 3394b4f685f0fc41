import { formatRemaining } from '../format/format-remaining.ts';
import { useNow } from '../format/remaining.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import css from './seconds.module.css';

const RADIUS = 20;
const ROUND = 2 * Math.PI * RADIUS;
const EVERY_MS = 200;

/** How long a position still runs, as a ring that empties by the server's clock, with the seconds in it. */
export function CountdownRing({ from, until }: { readonly from: number; readonly until: number }) {
  const t = useWords('seconds');
  const locale = useLocale();
  const now = useNow(EVERY_MS);
  const left = Math.max(0, until - now);
  const share = Math.min(1, left / (until - from));
  const isWaiting = now < from;
  const text = isWaiting ? '…' : left === 0 ? '0' : String(Math.ceil(left / 1_000));
  return (
    <span
      className={css.ring}
      role="timer"
      aria-label={isWaiting ? t('entering') : t('timeLeft', { time: formatRemaining(left, locale) })}
    >
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle className={css.ringBack} cx={24} cy={24} r={RADIUS} />
        <circle
          className={css.ringFront}
          cx={24}
          cy={24}
          r={RADIUS}
          strokeDasharray={`${share * ROUND} ${ROUND}`}
        />
      </svg>
      <span aria-hidden="true">{text}</span>
    </span>
  );
}
