import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useStatistics, type Statistics } from './queries.ts';
import css from './seconds.module.css';

/** The seconds contract in figures, open to all: results, what was given back and why, the reserve, the keys. */
export function StatisticsView() {
  const t = useWords('seconds');
  const { data, isPending, error, refetch } = useStatistics();
  return (
    <ListBody isLoading={isPending} error={error} onRetry={() => void refetch()} skeletonRows={6}>
      {data === undefined ? null : (
        <div className={css.statistics}>
          <Durations rows={data.durations} />
          {data.durations.length === 0 ? <p className={css.quiet}>{t('noResults')}</p> : null}
          <dl className={css.facts}>
            {data.reserve.map(({ currency, funded, used }) => (
              <div key={currency}>
                <dt>{t('reserve')}</dt>
                <dd>
                  <Amount value={used} /> / <Amount value={funded} coin={currency} />
                </dd>
              </div>
            ))}
            {data.voids.map(({ reason, count, houseGain }) => (
              <div key={reason}>
                <dt>
                  {t(`reason.${reason as 'interval'}`)} · {count}
                </dt>
                <dd>
                  {t('houseWould')} <Amount value={houseGain} coin="USDT" />
                </dd>
              </div>
            ))}
          </dl>
          {data.intervals.map(({ id, symbol, from, to, reason, count }) => (
            <p key={id} className={css.quiet}>
              {symbol.toUpperCase()} <When at={from} /> – <When at={to} look="second" />: {reason} ({count})
            </p>
          ))}
          <details>
            <summary>{t('keys')}</summary>
            {data.keys.map(({ id, publicKey }) => (
              <pre key={id}>
                {id}
                {'\n'}
                {publicKey}
              </pre>
            ))}
          </details>
        </div>
      )}
    </ListBody>
  );
}

function Durations({ rows }: { readonly rows: Statistics['durations'] }) {
  const t = useWords('seconds');
  return (
    <table>
      <caption>{t('byDuration')}</caption>
      <thead>
        <tr>
          {(['duration', 'win', 'lose', 'draw', 'void', 'winRate'] as const).map((key) => (
            <th key={key} scope="col">
              {t(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ second, wins, losses, draws, voids }) => (
          <tr key={second}>
            <th scope="row">{t('secondsShort', { count: second })}</th>
            <td>{wins}</td>
            <td>{losses}</td>
            <td>{draws}</td>
            <td>{voids}</td>
            <td>{wins + losses === 0 ? '–' : `${((100 * wins) / (wins + losses)).toFixed(1)}%`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
