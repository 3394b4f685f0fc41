import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useRef, useState, type ReactNode, type TouchEvent } from 'react';
import css from './shell.module.css';

const TRIGGER_PX = 64;
const MAX_PULL_PX = 96;

/**
 * Calls `onRefresh` when the user pulls the page down far enough at its top and releases it. Shows an indicator until
 * the returned promise settles.
 */
export function PullToRefresh({
  onRefresh,
  children,
}: {
  onRefresh: () => Promise<unknown>;
  children: ReactNode;
}) {
  const t = useWords('shell');
  const startedAt = useRef<number | undefined>(undefined);
  const [pulledPx, setPulledPx] = useState(0);
  const [isBusy, setBusy] = useState(false);

  const handleTouchStart = (event: TouchEvent) => {
    startedAt.current = window.scrollY <= 0 && !isBusy ? event.touches[0]?.clientY : undefined;
  };
  const handleTouchMove = (event: TouchEvent) => {
    if (startedAt.current === undefined) return;
    const wayPx = (event.touches[0]?.clientY ?? 0) - startedAt.current;
    setPulledPx(Math.max(0, Math.min(MAX_PULL_PX, wayPx / 2)));
  };
  const handleTouchEnd = async () => {
    startedAt.current = undefined;
    if (pulledPx < TRIGGER_PX) return setPulledPx(0);
    setBusy(true);
    setPulledPx(TRIGGER_PX / 2);
    try {
      await onRefresh();
    } finally {
      setBusy(false);
      setPulledPx(0);
    }
  };
  return (
    <div
      onTouchStart={handleTouchStart}
      onTouchMove={handleTouchMove}
      onTouchEnd={() => void handleTouchEnd()}
      onTouchCancel={() => setPulledPx(0)}
    >
      <div className={css.pull} style={{ height: pulledPx }} aria-live="polite">
        {pulledPx > 0 ? (
          <span>{t(isBusy ? 'refreshing' : pulledPx >= TRIGGER_PX ? 'releasing' : 'pulling')}</span>
        ) : null}
      </div>
      {children}
    </div>
  );
}
