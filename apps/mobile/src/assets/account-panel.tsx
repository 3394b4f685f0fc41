import { Decimal } from '@exchange/core/decimal.ts';
import {
  type AssetOrder,
  filterAssets,
  type AssetView,
  INITIAL_ASSET_VIEW,
} from '@exchange/web-kit/account/asset-list.ts';
import { holdingsPath } from '@exchange/web-kit/account/accounts.ts';
import { ProfitFigure } from '@exchange/web-kit/account/coin-profit.tsx';
import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { HoldingsList } from '@exchange/web-kit/account/holdings-list.tsx';
import { EventList } from '@exchange/web-kit/account/event-list.tsx';
import { eventOfGroup } from '@exchange/web-kit/account/events.ts';
import { type CoinProfit, useCoinProfits, useValuedBalances } from '@exchange/web-kit/account/portfolio.ts';
import type { Holding } from '@exchange/web-kit/account/queries.ts';
import type { SpotBalance } from '@exchange/web-kit/balance/balances.ts';
import { useCoinNames } from '@exchange/web-kit/balance/use-coin-names.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Wallet } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { coinPath } from '../paths.ts';
import { SearchBox } from '../search/search-box.tsx';
import css from './assets.module.css';

interface AccountPanelProps {
  readonly account: 'spot' | 'seconds' | 'products';
  readonly onTransfer: () => void;
}

/**
 * The coins in one account of the user, and below them the account's history; the history of the spot account is not
 * shown here.
 */
export function AccountPanel({ account, onTransfer }: AccountPanelProps) {
  const t = useWords('assets');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [view, setView] = useState<AssetView>(INITIAL_ASSET_VIEW);
  return (
    <>
      <Tools view={view} onView={setView} />
      {account === 'spot' ? (
        <SpotCoins view={view} onView={setView} />
      ) : (
        <HoldingsList
          listedAccount={account}
          look="cards"
          view={view}
          hidden={!isVisible}
          action={(holding) => <Action holding={holding} onTransfer={onTransfer} />}
          fill={
            account === 'seconds' ? (
              <Button onClick={onTransfer}>{t('transfer')}</Button>
            ) : (
              <ButtonLink to={paths.finance}>{t('explore')}</ButtonLink>
            )
          }
        />
      )}
      {account === 'spot' ? null : (
        <section className={css.history}>
          <h2>{t('history')}</h2>
          <EventList filter={{ event: eventOfGroup(account) }} look="cards" />
        </section>
      )}
    </>
  );
}

function Action({ holding: { account }, onTransfer }: { holding: Holding; onTransfer: () => void }) {
  const t = useWords('assets');
  return account === 'spot' || account === 'seconds' ? (
    <Button look="secondary" size="s" onClick={onTransfer}>
      {t('transfer')}
    </Button>
  ) : (
    <ButtonLink look="secondary" size="s" to={holdingsPath(account)}>
      {t('details')}
    </ButtonLink>
  );
}

interface ViewProps {
  view: AssetView;
  onView: (view: AssetView) => void;
}

function SpotCoins(props: ViewProps) {
  const balances = useValuedBalances();
  return (
    <ListBody
      look="cards"
      isLoading={balances.isPending}
      error={balances.error}
      onRetry={() => void balances.refetch()}
    >
      <List balances={balances.data ?? []} {...props} />
    </ListBody>
  );
}

function List({ balances, view, onView }: { balances: readonly SpotBalance[] } & ViewProps) {
  const t = useWords('assets');
  const isDemo = useIsDemo();
  const { isVisible } = useBalancesVisible();
  const profits = useCoinProfits(balances);
  const names = useCoinNames(view.search !== '');
  if (balances.length === 0) {
    return (
      <EmptyState
        icon={<Wallet size={22} />}
        text={t(isDemo ? 'noneDemo' : 'none')}
        action={isDemo ? undefined : <ButtonLink to={paths.deposit}>{t('deposit')}</ButtonLink>}
      />
    );
  }
  const shown = filterAssets(balances, view, names);
  if (shown.length > 0)
    return shown.map((balance) => (
      <AssetRow
        key={balance.currency}
        balance={balance}
        profit={profits.get(balance.currency)}
        isVisible={isVisible}
      />
    ));
  if (view.search !== '') return <EmptyState text={t('noMatch')} />;
  return (
    <EmptyState
      text={t('onlySmall')}
      action={
        <Button look="secondary" size="s" onClick={() => onView({ ...view, hideSmall: false })}>
          {t('showSmall')}
        </Button>
      }
    />
  );
}

function Tools({ view, onView }: ViewProps) {
  const t = useWords('assets');
  return (
    <>
      <SearchBox label={t('search')} value={view.search} onChange={(search) => onView({ ...view, search })} />
      <div className={css.tools}>
        <Checkbox
          label={t('hideSmall')}
          checked={view.hideSmall}
          onChange={(hideSmall) => onView({ ...view, hideSmall })}
        />
        <Select<AssetOrder>
          label={t('sortBy')}
          value={view.order}
          onChange={(order) => onView({ ...view, order })}
          options={[
            { value: 'value', label: t('sortValue') },
            { value: 'available', label: t('sortAvailable') },
            { value: 'name', label: t('sortName') },
          ]}
        />
      </div>
    </>
  );
}

interface AssetRowProps {
  balance: SpotBalance;
  profit: CoinProfit | undefined;
  isVisible: boolean;
}

/**
 * A list row with a coin's total amount, worth, profit or loss, and frozen amount; it links to the screen of the coin.
 */
function AssetRow({ balance, profit, isVisible }: AssetRowProps) {
  const t = useWords('assets');
  const total = Decimal.parse(balance.availableCurrency).plus(Decimal.parse(balance.frozenCurrency));
  return (
    <Link to={coinPath(balance.currency)} className={css.row}>
      <CoinIcon coin={balance.currency} size={36} />
      <div className={css.coin}>
        <b>{balance.currency}</b>
        <span>{balance.currencyName}</span>
      </div>
      <dl className={css.amounts}>
        <div className={css.main}>
          <dt className="visually-hidden">{t('amount')}</dt>
          <dd>
            <Amount value={total.toString()} kind="sum" figureCoin={balance.currency} hidden={!isVisible} />
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">{t('value')}</dt>
          <dd>
            ≈ <Amount value={balance.total} kind="worth" coin="USDT" hidden={!isVisible} />
          </dd>
        </div>
        {profit === undefined || (profit.open === undefined && profit.realized.isZero()) ? null : (
          <div>
            <dt className={profit.open === undefined ? 'visually-hidden' : undefined}>{t('profit')}</dt>
            <dd>
              <ProfitFigure coinProfit={profit} hidden={!isVisible} />
            </dd>
          </div>
        )}
        {Decimal.parse(balance.frozenCurrency).isZero() ? null : (
          <div>
            <dt>{t('frozen')}</dt>
            <dd>
              <Amount
                value={balance.frozenCurrency}
                kind="sum"
                figureCoin={balance.currency}
                hidden={!isVisible}
              />
            </dd>
          </div>
        )}
      </dl>
    </Link>
  );
}
