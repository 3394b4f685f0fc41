import { searchKey } from '../ui/typed-text.ts';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useCoinNames } from '../balance/use-coin-names.ts';
import { Amount, Percent } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useFeeTiers, type FeeTier } from '../market/fee-tiers.ts';
import { useSession } from '../session/session-store.ts';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Badge } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';
import css from './fees.module.css';
import { useNetworkFees, useUserTier, useProductFees, type NetworkFee } from './queries.ts';

/**
 * Number of decimals of the displayed fee rates in percent, except for the rates per day of leveraged funds.
 */
const RATE_DIGITS = 3;
const DAILY_DIGITS = 4;

interface FeeScheduleProps {
  /** Layout of the lists of fees: `table` for wide screens, `cards` for phones. */
  readonly look: 'table' | 'cards';
}

/** Page with the exchange's fee schedule; its figures are the parameters with which the exchange charges the fees. */
export function FeeSchedule({ look }: FeeScheduleProps) {
  const t = useWords('fees');
  return (
    <div className={css.page} data-in-order>
      <p className={css.lead}>{t('lead')}</p>
      <Spot look={look} />
      <Networks look={look} />
      <Products />
    </div>
  );
}

function Spot({ look }: FeeScheduleProps) {
  const t = useWords('fees');
  const tiers = useFeeTiers();
  const isSignedIn = useSession(({ session }) => session !== null);
  const ownTier = useUserTier();
  const userTier = ownTier.data;
  // On a phone, a row with both fee rates has no room for the unit of the volume. The title of the column states the
  // unit.
  const isNarrow = look === 'cards';
  const columns: readonly Column<FeeTier>[] = [
    {
      key: 'tier',
      title: t('tier'),
      cell: ({ tier }) => (
        <>
          {tier} {tier === userTier?.tier ? <Badge tone="accent">{t('yours')}</Badge> : null}
        </>
      ),
    },
    {
      key: 'volume',
      title: isNarrow ? `${t('volume')} (USDT)` : t('volume'),
      align: 'end',
      cell: ({ volume }) => (
        <>
          ≥ <Amount value={volume} figureCoin="USDT" coin={isNarrow ? undefined : 'USDT'} />
        </>
      ),
    },
    {
      key: 'maker',
      title: t('maker'),
      align: 'end',
      cell: ({ maker }) => <Percent value={maker} digits={RATE_DIGITS} />,
    },
    {
      key: 'taker',
      title: t('taker'),
      align: 'end',
      cell: ({ taker }) => <Percent value={taker} digits={RATE_DIGITS} />,
    },
  ];
  return (
    <section>
      <h2>{t('spot')}</h2>
      <p>{t('spotText')}</p>
      <ListBody
        isLoading={tiers.isPending || (isSignedIn && ownTier.isPending)}
        error={tiers.error}
        onRetry={() => void tiers.refetch()}
        skeletonRows={5}
      >
        {userTier === undefined ? null : (
          <p className={css.own}>
            {t('ownVolume')} <Amount value={userTier.volume30d} kind="worth" coin="USDT" />
          </p>
        )}
        <div className={css.table} data-narrow={isNarrow || undefined}>
          <DataTable
            caption={t('spot')}
            columns={columns}
            rows={tiers.data ?? []}
            rowKey={({ tier }) => String(tier)}
          />
        </div>
      </ListBody>
    </section>
  );
}

/**
 * Table columns of deposits and withdrawals: coin, network, fees, minimums and confirmations. For a network that is not
 * connected, a note is shown in place of the confirmations.
 */
function useNetworkColumns(): readonly Column<NetworkFee>[] {
  const t = useWords('fees');
  return [
    { key: 'coin', title: t('coin'), cell: ({ currency }) => currency },
    { key: 'network', title: t('network'), cell: ({ name }) => name },
    {
      key: 'withdrawFee',
      title: t('withdrawFee'),
      align: 'end',
      cell: ({ withdrawFee, withdrawFeeLive, currency }) => (
        <>
          <Amount value={withdrawFee} coin={currency} />
          {withdrawFeeLive === 1 ? <small> {t('live')}</small> : null}
        </>
      ),
    },
    {
      key: 'minWithdrawal',
      title: t('minWithdrawal'),
      align: 'end',
      cell: ({ minWithdrawal, currency }) => <Amount value={minWithdrawal} coin={currency} />,
    },
    {
      key: 'depositFee',
      title: t('depositFee'),
      align: 'end',
      cell: ({ depositFee, currency }) =>
        /[1-9]/.test(depositFee) ? <Amount value={depositFee} coin={currency} /> : t('free'),
    },
    {
      key: 'minDeposit',
      title: t('minDeposit'),
      align: 'end',
      cell: ({ minDeposit, currency }) => <Amount value={minDeposit} coin={currency} />,
    },
    {
      key: 'confirmations',
      title: t('confirmations'),
      align: 'end',
      cell: ({ confirmations, status }) => (status === 1 ? confirmations : t('notOpen')),
    },
  ];
}

function Networks({ look }: FeeScheduleProps) {
  const t = useWords('fees');
  const networks = useNetworkFees();
  const [search, setSearch] = useState('');
  const query = searchKey(search);
  const names = useCoinNames(query !== '');
  const rows = (networks.data ?? []).filter(
    ({ currency, network, name }) =>
      [currency, network, name].some((text) => searchKey(text).includes(query)) ||
      names.matches(currency, search),
  );
  const columns = useNetworkColumns();
  return (
    <section>
      <h2>{t('networks')}</h2>
      <p>{t('networksText')}</p>
      <ListBody
        isLoading={networks.isPending}
        error={networks.error}
        onRetry={() => void networks.refetch()}
        skeletonRows={8}
      >
        <TextField
          className={css.search}
          label={t('search')}
          type="search"
          value={search}
          onChange={setSearch}
          autoComplete="off"
          maxLength={20}
        />
        {look === 'cards' ? (
          <ul className={css.cards}>
            {rows.map((row) => (
              <li key={`${row.currency} ${row.network}`} className={css.product}>
                <b>{row.currency}</b> {row.name}
                {columns.slice(2).map(({ key, title, cell }) => (
                  <Fact key={key} name={title}>
                    {cell(row)}
                  </Fact>
                ))}
              </li>
            ))}
          </ul>
        ) : (
          <DataTable
            caption={t('networks')}
            columns={columns}
            rows={rows}
            rowKey={({ currency, network }) => `${currency} ${network}`}
          />
        )}
        {rows.length === 0 ? <p className={css.none}>{t('none')}</p> : null}
      </ListBody>
    </section>
  );
}

function Products() {
  const t = useWords('fees');
  const fees = useProductFees();
  const { data } = fees;
  return (
    <section>
      <h2>{t('products')}</h2>
      <ListBody
        isLoading={fees.isPending}
        error={fees.error}
        onRetry={() => void fees.refetch()}
        skeletonRows={6}
      >
        {data === undefined ? null : (
          <dl className={css.facts}>
            <Product name={t('convert')}>
              <Fact name={t('feeRate')}>
                <Percent value={data.convert.feeRate} digits={RATE_DIGITS} />
              </Fact>
              <Fact name={t('spread')}>
                <Percent value={data.convert.spread} digits={RATE_DIGITS} />
              </Fact>
              <Fact name={t('minimum')}>
                <Amount value={data.convert.min} coin="USDT" />
              </Fact>
            </Product>
            <Product name={t('seconds')}>
              <Fact name={t('stakeFee')}>
                <Percent value={data.seconds.feeRate} digits={RATE_DIGITS} />
              </Fact>
            </Product>
            {data.funds.map((fund) => (
              <Product key={fund.id} name={`${t('fund')} · ${fund.name}`}>
                <Fact name={t('manageRate')}>
                  <Percent value={fund.manageRate} digits={DAILY_DIGITS} />
                </Fact>
                <Fact name={t('financeRate')}>
                  <Percent value={fund.financeRate} digits={DAILY_DIGITS} />
                </Fact>
                <Fact name={t('liqFee')}>
                  <Percent value={fund.liqFee} digits={RATE_DIGITS} />
                </Fact>
              </Product>
            ))}
            <Product name={t('others')}>
              <p>{t('othersText')}</p>
            </Product>
          </dl>
        )}
      </ListBody>
    </section>
  );
}

function Product({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={css.product}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <p className={css.fact}>
      <span>{name}</span> <b>{children}</b>
    </p>
  );
}
