import { ListEnd } from '../api/list-state.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { formatRate } from '../format/format.ts';
import { Amount, When } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import css from './convert.module.css';
import { useExchanges } from './convert.ts';

/** The user's conversions, newest first. */
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
          {exchanges.rows.map((exchange) => (
            <li key={exchange.id}>
              <span className={css.amounts}>
                <CoinIcon coin={exchange.from} size={20} />
                <Amount value={exchange.fromAmount} coin={exchange.from} />
                <span aria-hidden="true">→</span>
                <CoinIcon coin={exchange.to} size={20} />
                <Amount value={exchange.toAmount} coin={exchange.to} />
              </span>
              <span className={css.quiet}>
                {t('rateOf', {
                  from: exchange.from,
                  to: exchange.to,
                  rate: formatRate(exchange.rate, locale),
                })}
              </span>
              <When className={css.quiet} at={exchange.time} look="dated" />
            </li>
          ))}
        </ul>
        <ListEnd list={exchanges} />
      </ListBody>
    </section>
  );
}
