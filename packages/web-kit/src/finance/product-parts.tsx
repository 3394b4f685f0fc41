import { Remaining } from '../format/remaining.tsx';
import { formatCompact, formatDecimal } from '../format/format.ts';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Percent } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { Badge, type Tone } from '../ui/parts.tsx';
import { useEarn, useEarnWords } from './earn.ts';
import css from './finance.module.css';
import { shareLeft } from './product-view.ts';
import type { Product } from './shapes.ts';

const TONES: readonly Tone[] = ['accent', 'good', 'neutral', 'neutral'];

/** The sale status of an earn product; an upcoming sale shows a countdown. */
export function ProductStatus({ product }: { readonly product: Product }) {
  const t = useEarnWords();
  const { status, selling, startTime } = product;
  if (status === 0) {
    return (
      <span className={css.soon}>
        <Badge tone="accent">{t('status0')}</Badge>
        <small>
          {t('opensIn')} <Remaining until={startTime} />
        </small>
      </span>
    );
  }
  if (status === 1 && selling === 0) {
    return (
      <span title={t('notSellingHint')}>
        <Badge tone="warning">{t('notSelling')}</Badge>
      </span>
    );
  }
  return <Badge tone={TONES[status]}>{t(`status${status}`)}</Badge>;
}

/** Remaining supply of a product as a bar and in numbers. */
export function ProductLeft({ product }: { readonly product: Product }) {
  const t = useEarnWords();
  const locale = useLocale();
  const share = shareLeft(product);
  const { remaining, limit, currency } = product;
  const exact = (value: string) => formatDecimal(value, locale);
  const whole = t('leftOf', { left: exact(remaining), amount: exact(limit), coin: currency });
  return (
    <span className={css.left} title={whole}>
      <span
        className={css.meter}
        role="meter"
        aria-label={t('left')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={whole}
      >
        <span style={{ transform: `scaleX(${share})` }} data-low={share < 0.1 || undefined} />
      </span>
      <small aria-hidden="true">
        {t('leftOf', {
          left: formatCompact(remaining, locale),
          amount: formatCompact(limit, locale),
          coin: currency,
        })}
      </small>
    </span>
  );
}

/** Coin icon with the product's name and coin. */
export function ProductName({ product }: { readonly product: Pick<Product, 'name' | 'currency'> }) {
  return (
    <span className={css.name}>
      <CoinIcon coin={product.currency} size={32} />
      <span>
        <b>{product.name}</b>
        <small>{product.currency}</small>
      </span>
    </span>
  );
}

/** The yearly rate of an earn product with the daily rate below it, and for mining the note of `FixedRate`. */
export function ProductRate({ product }: { readonly product: Pick<Product, 'apr' | 'dailyRate'> }) {
  const t = useEarnWords();
  return (
    <span className={css.rate}>
      <Percent value={product.apr} className={css.apr} />
      <small>
        {t('dailyRate')} <Percent value={product.dailyRate} digits={4} />
      </small>
      <FixedRate />
    </span>
  );
}

/**
 * Note on a mining product that the operator sets its daily rate; the rate does not follow an external hash
 * rate. Renders nothing for a fixed-term product.
 */
export function FixedRate() {
  const t = useWords('mining');
  if (useEarn().part !== 'mining') return null;
  return (
    <small className={css.fixed} title={t('fixedRateHint')}>
      {t('fixedRate')}
    </small>
  );
}
