import classes from './chart-lists.module.css';
import { formatMoment, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { ShownDrawing } from './drawings.ts';
import type { ChartFill } from './fill-marks.ts';
import type { PriceLine } from './price-lines.ts';

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

interface FillListProps {
  readonly fills: readonly ChartFill[];
  readonly priceDigits: number;
}

/** The own fills that the canvas marks, in words, for those who cannot see the canvas. */
export function FillList({ fills, priceDigits }: FillListProps) {
  const t = useWords('chart');
  const locale = useLocale();
  if (fills.length === 0) return null;
  return (
    <ul className="visually-hidden" aria-label={t('ownFills')}>
      {fills.map(({ tradeId, tradeType, price, ts }) => (
        <li key={`${tradeId} ${tradeType}`}>
          {t(tradeType === 1 ? 'boughtAt' : 'soldAt', {
            price: formatPrice(price, locale, priceDigits),
            time: formatMoment(ts, locale, 'minute'),
          })}
        </li>
      ))}
    </ul>
  );
}

interface LineListProps {
  readonly lines: readonly PriceLine[];
  readonly priceDigits: number;
}

/** The lines that the canvas draws, in words, for those who cannot see the canvas. */
export function LineList({ lines, priceDigits }: LineListProps) {
  const t = useWords('chart');
  const locale = useLocale();
  if (lines.length === 0) return null;
  return (
    <ul className="visually-hidden" aria-label={t('ownOrders')}>
      {lines.map(({ key, label, price }) => (
        <li key={key}>{t('orderAt', { order: label, price: formatPrice(price, locale, priceDigits) })}</li>
      ))}
    </ul>
  );
}
