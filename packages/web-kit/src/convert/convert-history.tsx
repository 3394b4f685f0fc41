import { ListEnd } from '../api/list-state.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { formatRate } from '../format/format.ts';
import { Amount, When } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import css from './convert.module.css';
import { useExchanges } from './convert.ts';

/** The own exchanges, newest first. */
export function ConvertHistory() {
  const t = useWords('convert');
  const locale = useLocale();
  const exchanges = useExchanges();
  return (
    <section className={css.history}>
      <h2 className={css.heading}>{t('history')}</h2>
      <ListBody
        isLoading={exchanges.isLoading}
        error={exchanges.error}
        onRetry={() => void exchanges.reload()}
        isEmpty={exchanges.rows.length === 0}
        empty={t('none')}
        skeletonRows={4}
      >
        <ul className={css.list}>
          {exchanges.rows.map((one) => (
            <li key={one.id}>
              <span className={css.amounts}>
                <CoinIcon coin={one.from} size={20} />
                <Amount value={one.fromAmount} coin={one.from} />
                <span aria-hidden="true">→</span>
                <CoinIcon coin={one.to} size={20} />
                <Amount value={one.toAmount} coin={one.to} />
              </span>
              <span className={css.quiet}>
                {t('rateOf', {
                  from: one.from,
                  to: one.to,
                  rate: formatRate(one.rate, locale),
                })}
              </span>
              <When className={css.quiet} at={one.time} look="dated" />
            </li>
          ))}
        </ul>
        <ListEnd list={exchanges} />
      </ListBody>
    </section>
  );
}
