import { CoinIcon } from '../format/coin-icon.tsx';
import { formatLength } from '../format/format-remaining.ts';
import { formatCount } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { useWithdrawalTimes, type TimesRow } from './queries.ts';
import css from './transfer.module.css';

/**
 * The times that the withdrawals completed in the last 30 UTC days (including today) took: of all
 * withdrawals, and by coin and network.
 */
export function WithdrawalTimes() {
  const t = useWords('transfer');
  const locale = useLocale();
  const { data, isPending, error, refetch } = useWithdrawalTimes();
  const durationText = (seconds: number) => formatLength(seconds, locale);
  const count = (number: number) => formatCount(number, locale);
  return (
    <div className={css.panel}>
      <p className={css.note}>{t('timesText')}</p>
      <ListBody
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        isEmpty={data?.list.length === 0}
        empty={t('noTimes')}
      >
        {data === undefined ? null : (
          <>
            <dl className={css.figures}>
              <Figure name={t('timesMedian')} value={durationText(data.withdrawals.medianSeconds)} />
              <Figure name={t('timesP90')} value={durationText(data.withdrawals.p90Seconds)} />
              <Figure name={t('timesFinished')} value={count(data.withdrawals.finished)} />
              <Figure name={t('timesLate')} value={count(data.withdrawals.late + data.withdrawals.overdue)} />
            </dl>
            <div className={css.times} tabIndex={0} role="group" aria-label={t('timesTitle')}>
              <DataTable<TimesRow>
                caption={t('timesTitle')}
                rows={data.list}
                rowKey={({ currency, network }) => `${currency} ${network}`}
                columns={[
                  {
                    key: 'coin',
                    title: t('coin'),
                    cell: ({ currency, network }) => (
                      <span className={css.route}>
                        <CoinIcon coin={currency} size={20} />
                        <b>{currency}</b>
                        <small>{network}</small>
                      </span>
                    ),
                  },
                  {
                    key: 'median',
                    title: t('timesShort'),
                    align: 'end',
                    cell: ({ medianSeconds }) => durationText(medianSeconds),
                  },
                  {
                    key: 'slowest',
                    title: t('timesSlowest'),
                    align: 'end',
                    cell: ({ slowestSeconds }) => durationText(slowestSeconds),
                  },
                  {
                    key: 'finished',
                    title: t('timesFinished'),
                    align: 'end',
                    cell: ({ finished }) => count(finished),
                  },
                ]}
              />
            </div>
          </>
        )}
      </ListBody>
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
