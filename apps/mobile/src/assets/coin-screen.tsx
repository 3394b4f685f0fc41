import { Decimal } from '@exchange/core/decimal.ts';
import { coinHolds, type CoinHolds } from '@exchange/web-kit/spot/coin-holds.ts';
import { ProfitFigure } from '@exchange/web-kit/account/coin-profit.tsx';
import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useCoinProfits } from '@exchange/web-kit/account/portfolio.ts';
import { StatementList } from '@exchange/web-kit/account/statement-list.tsx';
import { type SpotBalance, useBalances } from '@exchange/web-kit/balance/balances.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Amount, Change, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useTicker } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { useOrderWords } from '@exchange/web-kit/spot/order-words.ts';
import { useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { ArrowDownToLine, ArrowUpFromLine, CandlestickChart, Sprout } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { accountPath } from '@exchange/web-kit/account/account-tabs.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { chartPath, orderPath, recordsPath } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './coin-screen.module.css';

/**
 * Maximum number of open orders on the screen of a coin; if there are more, a link leads to the list of all of them.
 */
const ORDERS_SHOWN = 5;

/** Screen of one coin of the spot account: amount, purchase cost, open orders, ledger entries, and actions. */
export default function CoinScreen() {
  const t = useWords('assets');
  const [query] = useSearchParams();
  const coin = (query.get('coin') ?? '').toUpperCase();
  const balances = useBalances();
  const balance = balances.data?.list.find(({ currency }) => currency === coin);
  return (
    <Screen title={balance === undefined ? t('title') : coin} parent={accountPath('spot')}>
      <ListBody
        look="cards"
        isLoading={balances.isPending}
        error={balances.error}
        onRetry={() => void balances.refetch()}
        skeletonRows={6}
      >
        {balance === undefined ? (
          <EmptyState
            text={coin === '' ? t('noMatch') : t('coinMissing', { coin })}
            action={<ButtonLink to={accountPath('spot')}>{t('title')}</ButtonLink>}
          />
        ) : (
          <Coin balance={balance} />
        )}
      </ListBody>
    </Screen>
  );
}

function Coin({ balance }: { balance: SpotBalance }) {
  const t = useWords('assets');
  const coin = balance.currency;
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const orders = useOpenOrders();
  const pair = usePairs().data?.find(({ base, quote }) => base === coin && quote === 'USDT');
  const frozen = Decimal.parse(balance.frozenCurrency);
  return (
    <>
      <Head balance={balance} pair={pair} />
      <Figures balance={balance} pair={pair} />
      {frozen.isZero() || orders.data === undefined ? null : (
        <Holds holds={coinHolds(coin, orders.data, frozen)} coin={coin} hidden={!isVisible} />
      )}
      <section className={css.part}>
        <h2>{t('coinHistory', { coin })}</h2>
        <StatementList filter={{ account: 'spot', currency: coin }} look="cards" />
      </section>
    </>
  );
}

interface CoinProps {
  balance: SpotBalance;
  /** The pair that trades the coin against USDT; undefined if there is none, or while the pairs are loading. */
  pair: MarketPair | undefined;
}

/**
 * Header of the coin screen: the user's total amount of the coin and its worth in USDT, with links to
 * deposit, withdraw, trade and earn.
 */
function Head({ balance, pair }: CoinProps) {
  const t = useWords('assets');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const coin = balance.currency;
  const total = Decimal.parse(balance.availableCurrency).plus(Decimal.parse(balance.frozenCurrency));
  const query = `?coin=${encodeURIComponent(coin)}`;
  const actions = [
    { to: `${paths.deposit}${query}`, text: t('deposit'), Icon: ArrowDownToLine },
    { to: `${paths.withdraw}${query}`, text: t('withdraw'), Icon: ArrowUpFromLine },
    { to: pair === undefined ? paths.market : chartPath(pair), text: t('trade'), Icon: CandlestickChart },
    { to: `${paths.finance}${query}`, text: t('earn'), Icon: Sprout },
  ];
  return (
    <>
      <section className={css.head}>
        <p className={css.name}>
          <CoinIcon coin={coin} size={28} />
          {balance.currencyName}
          <EyeButton className={css.eye} />
        </p>
        <p className={css.held}>
          <Amount value={total.toString()} kind="sum" coin={coin} hidden={!isVisible} />
        </p>
        <p className={css.worth}>
          ≈ <Amount value={balance.total} kind="worth" coin="USDT" hidden={!isVisible} />
        </p>
      </section>
      <nav className={css.actions} aria-label={t('action')}>
        {actions.map(({ to, text, Icon }) => (
          <Link key={to} to={to} className={css.action}>
            <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
            {text}
          </Link>
        ))}
      </nav>
    </>
  );
}

/**
 * The available and frozen amount of the coin; if a pair trades it against USDT, also its average cost and profit, and
 * the change of the last 24 hours.
 */
function Figures({ balance, pair }: CoinProps) {
  const t = useWords('assets');
  const tMarket = useWords('market');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const profit = useCoinProfits([balance]).get(balance.currency);
  const average = profit?.average?.toString();
  const row = (name: string, value: React.ReactNode) => (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
  const amount = (value: string) => (
    <Amount value={value} kind="sum" figureCoin={balance.currency} hidden={!isVisible} />
  );
  return (
    <dl className={css.figures}>
      {row(t('available'), amount(balance.availableCurrency))}
      {row(t('frozen'), amount(balance.frozenCurrency))}
      {pair === undefined ? null : (
        <>
          {average === undefined
            ? null
            : row(t('averageCost'), <Amount value={average} digits={pair.priceDigits} hidden={!isVisible} />)}
          {profit === undefined
            ? null
            : row(t('profit'), <ProfitFigure coinProfit={profit} hidden={!isVisible} />)}
          {row(tMarket('lastPrice'), <LastDay pair={pair} balance={balance} hidden={!isVisible} />)}
        </>
      )}
    </dl>
  );
}

/**
 * The price of the coin, its 24-hour change, and what the user's present amount of the coin has gained or lost in USDT
 * in these 24 hours.
 */
function LastDay({ pair, balance, hidden }: { pair: MarketPair; balance: SpotBalance; hidden: boolean }) {
  const t = useWords('assets');
  const ticker = useTicker(pair.symbol);
  const total = Decimal.parse(balance.availableCurrency).plus(Decimal.parse(balance.frozenCurrency));
  const moved =
    ticker && Decimal.parse(ticker.last).minus(Decimal.parse(ticker.open)).times(total, 'down', 8);
  return (
    <span className={css.day}>
      <Price value={ticker?.last} digits={pair.priceDigits} />
      <small>
        {t('dayResult')} <Change value={ticker?.change} />{' '}
        <Amount value={moved?.toString()} signed kind="worth" coin="USDT" hidden={hidden} />
      </small>
    </span>
  );
}

/**
 * The open orders that freeze the coin, at most `ORDERS_SHOWN` with a link to all of them, and the amount that is
 * frozen for other reasons if it is known and not zero.
 */
function Holds({ holds, coin, hidden }: { holds: CoinHolds; coin: string; hidden: boolean }) {
  const t = useWords('assets');
  const orderWords = useOrderWords();
  const { orders, others } = holds;
  return (
    <section className={css.part}>
      {orders.length === 0 ? null : (
        <>
          <h2>{t('heldByOrders')}</h2>
          <ul className={css.holds}>
            {orders.slice(0, ORDERS_SHOWN).map(({ order, amount }) => (
              <li key={order.id}>
                <Link to={orderPath(order.id)}>
                  <span>
                    {order.baseCoin}/{order.quoteCoin} · {orderWords.kind(order)}
                  </span>
                  <Amount value={amount?.toString()} kind="sum" coin={coin} hidden={hidden} />
                </Link>
              </li>
            ))}
          </ul>
          {orders.length > ORDERS_SHOWN && (
            <Link to={recordsPath('open')} className={css.more}>
              {t('details')} ({orders.length})
            </Link>
          )}
        </>
      )}
      {others === undefined || others.isZero() ? null : (
        <p className={css.others}>
          <span>{t('heldElsewhere')}</span>
          <Amount value={others.toString()} kind="sum" coin={coin} hidden={hidden} />
        </p>
      )}
    </section>
  );
}
