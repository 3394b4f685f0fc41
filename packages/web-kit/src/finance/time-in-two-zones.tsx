import { useLocale } from '../i18n/words.ts';
import { formatTime } from '../format/format.ts';
import { When } from '../format/numbers.tsx';
import { useEarnWords } from './earn.ts';
import css from './finance.module.css';

/**
 * A time (milliseconds UTC) in the device's time zone and in UTC; a device whose time equals UTC at that
 * instant shows it only once.
 */
export function TimeInTwoZones({ at }: { readonly at: number }) {
  const t = useEarnWords();
  const locale = useLocale();
  const isUtc = new Date(at).getTimezoneOffset() === 0;
  return (
    <span className={css.moment}>
      <When at={at} look="dated" />
      <small>{isUtc ? t('utc') : `${formatTime(at, locale, 'dated', 'UTC')} ${t('utc')}`}</small>
    </span>
  );
}
