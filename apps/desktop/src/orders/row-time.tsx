import { formatMoment, formatMomentWithOffset } from '@exchange/web-kit/format/format.ts';
import { useLocale } from '@exchange/web-kit/i18n/words.ts';
import classes from './orders.module.css';

/** When something in a dense list happened, to the second and without the year: `11/21, 21:38:05`. */
export function RowTime({ at }: { readonly at: number }) {
  const locale = useLocale();
  const seconds = String(new Date(at).getSeconds()).padStart(2, '0');
  return (
    <time
      className={classes.time}
      dateTime={new Date(at).toISOString()}
      title={formatMomentWithOffset(at, locale)}
    >
      {`${formatMoment(at, locale, 'minute')}:${seconds}`}
    </time>
  );
}
