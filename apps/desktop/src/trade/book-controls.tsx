import { useWords } from '@exchange/web-kit/i18n/words.ts';
import classes from './order-book.module.css';

export type BookSides = 'both' | 'bids' | 'asks';

interface BookControlsProps {
  readonly sides: BookSides;
  readonly onSides: (sides: BookSides) => void;
  readonly isCompact: boolean;
  readonly onCompact: (isCompact: boolean) => void;
  readonly grouping: string;
  readonly groupings: readonly string[];
  readonly onGrouping: (grouping: string) => void;
}

/** The book's own controls: which sides, how many rows, in which price steps. */
export function BookControls(props: BookControlsProps) {
  const t = useWords('trade');
  const tDesk = useWords('desktop-trade');
  return (
    <div className={classes.controls}>
      <h2 className="visually-hidden">{t('book')}</h2>
      <div className={classes.views} role="group" aria-label={t('book')}>
        {(['both', 'bids', 'asks'] as const).map((sides) => (
          <button
            key={sides}
            type="button"
            aria-label={t(sides)}
            title={t(sides)}
            aria-pressed={props.sides === sides}
            onClick={() => props.onSides(sides)}
          >
            <span className={classes.glyph} data-sides={sides} aria-hidden="true" />
          </button>
        ))}
        <button
          type="button"
          className={classes.compact}
          aria-pressed={props.isCompact}
          onClick={() => props.onCompact(!props.isCompact)}
        >
          {tDesk('book.compact')}
        </button>
      </div>
      <select
        className={classes.grouping}
        aria-label={t('grouping')}
        value={props.grouping}
        onChange={(event) => props.onGrouping(event.target.value)}
      >
        {props.groupings.map((step) => (
          <option key={step} value={step}>
            {step}
          </option>
        ))}
      </select>
    </div>
  );
}
