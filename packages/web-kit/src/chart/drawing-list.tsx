import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import classes from './drawing-list.module.css';
import type { ShownDrawing } from './drawings.ts';

interface DrawingListProps {
  readonly drawings: readonly ShownDrawing[];
  readonly priceDigits: number;
  readonly onSelect: (place: number) => void;
}

/** The drawings for those who choose one without pointing at the canvas; seen while the keys are in it. */
export function DrawingList({ drawings, priceDigits, onSelect }: DrawingListProps) {
  const t = useWords('chart');
  const locale = useLocale();
  if (drawings.length === 0) return null;
  const nameOf = ({ tool, price }: ShownDrawing): string =>
    price === undefined
      ? t(tool)
      : t('drawingAt', {
          drawing: t(tool),
          price: formatPrice(price.toFixed(priceDigits), locale, priceDigits),
        });
  return (
    <ul className={classes.list} aria-label={t('ownDrawings')}>
      {drawings.map((drawing, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a drawing has no name of its own that lasts
        <li key={place}>
          <button
            type="button"
            className={classes.drawing}
            aria-pressed={drawing.isSelected}
            onClick={() => onSelect(place)}
          >
            {nameOf(drawing)}
          </button>
        </li>
      ))}
    </ul>
  );
}
