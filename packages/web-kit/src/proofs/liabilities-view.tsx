import { Decimal, sum } from '@exchange/core/decimal.ts';
import { LEAVES_PER_USER } from '@exchange/core/proofs.ts';
import { Download } from 'lucide-react';
import { ListEnd } from '../api/list-state.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { formatCount } from '../format/format.ts';
import { Amount, Compact, When } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { IconButton } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { UserBalanceCard, saveProof } from './user-balance.tsx';
import css from './proofs.module.css';
import { useSnapshots, type Snapshot } from './queries.ts';
import { StampsCard } from './stamps-card.tsx';

/** The exchange's own balances are shown abbreviated if they are at least this amount of their coin. */
const ABBREVIATE_ABOVE = Decimal.ofWhole(10_000);
/**
 * File name of the program with which users recompute a downloaded proof of liabilities. The build bundles
 * the program from `tools/verify` and adds it to the site at `/verify`.
 */
const TOOL = 'proofs.mjs';
const STEPS = ['how1', 'how2', 'how3', 'how4', 'how5'] as const;

/**
 * Page with the public proof of liabilities; a signed-in user can also verify that the proof includes the user's
 * balance.
 */
export function LiabilitiesView({ loginPath }: { readonly loginPath: string }) {
  const t = useWords('proofs');
  const list = useSnapshots();
  const [latest] = list.rows;
  return (
    <div className={css.view}>
      <p className={css.lead}>{t('lead')}</p>
      <ListBody
        isLoading={list.isLoading}
        error={list.error}
        onRetry={() => void list.reload()}
        isEmpty={latest === undefined}
        empty={t('none')}
        skeletonRows={10}
      >
        {latest === undefined ? null : (
          <div className={css.columns}>
            <div className={css.main}>
              <Latest snapshot={latest} />
              <Totals snapshot={latest} />
              <section className={css.history}>
                <h2>{t('history')}</h2>
                <History rows={list.rows} />
                <ListEnd list={list} />
              </section>
            </div>
            <div className={css.side}>
              <UserBalanceCard loginPath={loginPath} />
              <HowItWorks />
              <StampsCard />
            </div>
          </div>
        )}
      </ListBody>
      {latest === undefined && !list.isLoading ? (
        <>
          <HowItWorks />
          <StampsCard />
        </>
      ) : null}
    </div>
  );
}

function Latest({ snapshot }: { readonly snapshot: Snapshot }) {
  const t = useWords('proofs');
  const count = useCount();
  return (
    <section className={css.card}>
      <h2>{t('figures')}</h2>
      <dl className={css.figures}>
        <div>
          <dt>{t('taken')}</dt>
          <dd>
            <When at={snapshot.time} />
          </dd>
        </div>
        <div>
          <dt>{t('users')}</dt>
          <dd>{count(snapshot.leaves / LEAVES_PER_USER)}</dd>
        </div>
        <div>
          <dt>{t('entry')}</dt>
          <dd>#{snapshot.entry}</dd>
        </div>
        <div className={css.whole}>
          <dt>{t('root')}</dt>
          <dd>
            <code className={css.root}>{snapshot.root}</code>
            <CopyButton text={snapshot.root} label={t('copyRoot')} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Totals({ snapshot: { totals } }: { readonly snapshot: Snapshot }) {
  const t = useWords('proofs');
  const accounts = totals.flatMap(({ currency, house }) =>
    house.map((account) => ({ currency, ...account })),
  );
  return (
    <section className={`${css.card} ${css.totals}`}>
      <h2>{t('totals')}</h2>
      <div className={css.table} tabIndex={0} role="group" aria-label={t('totals')}>
        <DataTable
          caption={t('totals')}
          rows={totals}
          rowKey={({ currency }) => currency}
          columns={[
            { key: 'coin', title: t('coin'), cell: ({ currency }) => <Coin coin={currency} /> },
            { key: 'owed', title: t('owed'), align: 'end', cell: ({ owed }) => <Amount value={owed} /> },
            {
              key: 'house',
              title: t('house'),
              align: 'end',
              cell: ({ house }) => <HouseTotal house={house} />,
            },
          ]}
        />
      </div>
      <p className={css.note}>{t('houseNote')}</p>
      <details className={css.details}>
        <summary>{t('houseDetails')}</summary>
        <div className={css.table} tabIndex={0} role="group" aria-label={t('houseDetails')}>
          <DataTable
            dense
            caption={t('houseDetails')}
            rows={accounts}
            rowKey={({ currency, account }) => `${currency} ${account}`}
            columns={[
              { key: 'coin', title: t('coin'), cell: ({ currency }) => <Coin coin={currency} /> },
              { key: 'account', title: t('account'), cell: ({ account }) => t(`house.${account as 'fees'}`) },
              {
                key: 'amount',
                title: t('amount'),
                align: 'end',
                cell: ({ amount }) => <Amount value={amount} />,
              },
            ]}
          />
        </div>
      </details>
    </section>
  );
}

/** The exchange's own balance of a coin in a snapshot; large amounts are abbreviated. */
function HouseTotal({ house }: Pick<Snapshot['totals'][number], 'house'>) {
  const total = sum(house.map(({ amount }) => Decimal.parse(amount)));
  return total.isLess(ABBREVIATE_ABOVE) ? (
    <Amount value={total.toString()} />
  ) : (
    <Compact value={total.toString()} />
  );
}

function Coin({ coin }: { readonly coin: string }) {
  return (
    <span className={css.coin}>
      <CoinIcon coin={coin} size={20} />
      {coin}
    </span>
  );
}

function History({ rows }: { readonly rows: readonly Snapshot[] }) {
  const t = useWords('proofs');
  const count = useCount();
  return (
    <div className={css.table} tabIndex={0} role="group" aria-label={t('history')}>
      <DataTable
        caption={t('history')}
        rows={rows}
        rowKey={({ day }) => day}
        columns={[
          { key: 'day', title: t('day'), cell: ({ day }) => <span className={css.day}>{day}</span> },
          {
            key: 'root',
            title: t('root'),
            cell: ({ root }) => (
              <code className={css.short} title={root}>
                {root.slice(0, 6)}…{root.slice(-6)}
              </code>
            ),
          },
          {
            key: 'users',
            title: t('usersShort'),
            align: 'end',
            cell: ({ leaves }) => count(leaves / LEAVES_PER_USER),
          },
          {
            key: 'file',
            title: <span className="visually-hidden">{t('download')}</span>,
            align: 'end',
            cell: (snapshot) => (
              <IconButton
                label={t('downloadOf', { day: snapshot.day })}
                onClick={() => saveProof({ snapshot })}
              >
                <Download size={16} aria-hidden="true" />
              </IconButton>
            ),
          },
        ]}
      />
    </div>
  );
}

function HowItWorks() {
  const t = useWords('proofs');
  return (
    <section className={`${css.card} ${css.how}`}>
      <h2>{t('how')}</h2>
      <ol className={css.steps}>
        {STEPS.map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      <p className={css.note}>{t('limits')}</p>
      <p className={css.note}>
        {t('tool', { tool: TOOL })}{' '}
        <a href={`/verify/${TOOL}`} download>
          {t('toolDownload', { tool: TOOL })}
        </a>
      </p>
    </section>
  );
}

function useCount() {
  const locale = useLocale();
  return (number: number) => formatCount(number, locale);
}
