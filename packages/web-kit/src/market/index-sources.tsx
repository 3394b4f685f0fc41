import { Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import css from './index-sources.module.css';
import type { MarketPair } from './pair.ts';
import { useIndexSources } from './queries.ts';

/**
 * A pair's index price and its sources: the price of each source, whether the index includes that price, and why it is
 * excluded.
 */
export function IndexSources({ pair }: { readonly pair: Pick<MarketPair, 'symbol' | 'priceDigits'> }) {
  const t = useWords('coin-info');
  const { data, isPending, error, refetch } = useIndexSources(pair.symbol);
  return (
    <ListBody isLoading={isPending} error={error} onRetry={() => void refetch()} skeletonRows={4}>
      {data === undefined ? null : (
        <div className={css.sources}>
          <p className={css.index}>
            {t('sources.index')}{' '}
            {data.index === '' ? (
              t('sources.none')
            ) : (
              <b>
                <Price value={data.index} digits={pair.priceDigits} />
              </b>
            )}
          </p>
          <ul>
            {data.sources.map(({ id, state, price, note, since }) => (
              <li key={id}>
                <span className={css.name}>
                  <span className={css.light} data-state={state} aria-hidden="true" />
                  {id}
                </span>
                <span className={css.state}>{t(`sources.${state}`)}</span>
                <span className={css.price}>
                  {price === '' ? '–' : <Price value={price} digits={pair.priceDigits} />}
                </span>
                {note === '' ? null : (
                  <span className={css.note}>
                    {since === null || state === 'off' ? null : t('sources.leaves')}{' '}
                    {since === null ? null : <When at={since} />} {note}
                  </span>
                )}
              </li>
            ))}
          </ul>
          <p className={css.hint}>{t('sources.hint')}</p>
        </div>
      )}
    </ListBody>
  );
}
