import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { BOOK_SIDES } from './book-view.ts';
import classes from './order-book.module.css';
import type { BookViewControl } from './use-book-view.ts';

interface BookControlsProps {
  readonly view: BookViewControl;
  readonly grouping: string;
  readonly groupings: readonly string[];
  readonly onGrouping: (grouping: string) => void;
}

/** The book's own controls: which sides, how many rows, in which price steps. */
export function BookControls({ view, grouping, groupings, onGrouping }: BookControlsProps) {
  const t = useWords('trade');
  const tDesk = useWords('desktop-trade');
  return (
    <div className={classes.controls}>
      <h2 className="visually-hidden">{t('book')}</h2>
      <div className={classes.views} role="group" aria-label={t('book')}>
        {BOOK_SIDES.map((sides) => (
          <button
            key={sides}
            type="button"
            aria-label={t(sides)}
            title={t(sides)}
            aria-pressed={view.sides === sides}
            onClick={() => view.showSides(sides)}
          >
            <span className={classes.glyph} data-sides={sides} aria-hidden="true" />
          </button>
        ))}
        <button
          type="button"
          className={classes.compact}
          aria-pressed={view.isCompact}
          onClick={() => view.setCompact(!view.isCompact)}
        >
          {tDesk('book.compact')}
        </button>
      </div>
      <select
        className={classes.grouping}
        aria-label={t('grouping')}
        value={grouping}
        onChange={(event) => onGrouping(event.target.value)}
      >
        {groupings.map((step) => (
          <option key={step} value={step}>
            {step}
          </option>
        ))}
      </select>
    </div>
  );
}
