import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { PriceLine } from './price-lines.ts';

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
