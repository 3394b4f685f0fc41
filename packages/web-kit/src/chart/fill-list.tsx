import { formatMoment, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { ChartFill } from './fill-marks.ts';

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
