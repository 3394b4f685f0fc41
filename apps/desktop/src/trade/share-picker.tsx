import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { memo } from 'react';
import classes from './ticket.module.css';

const SHARES = [25, 50, 75, 100] as const;

interface SharePickerProps {
  readonly isOff: boolean;
  readonly onPick: (percent: number) => void;
}

/** A part of what is available, at one click. */
export const SharePicker = memo(function SharePicker({ isOff, onPick }: SharePickerProps) {
  const t = useWords('trade');
  return (
    <div className={classes.shares}>
      {SHARES.map((percent) => (
        <button
          key={percent}
          type="button"
          disabled={isOff}
          aria-label={t('percentOf', { percent })}
          onClick={() => onPick(percent)}
        >
          {percent}%
        </button>
      ))}
    </div>
  );
});
