import { useCoinNames } from '@exchange/web-kit/balance/use-coin-names.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { useFavorites } from '@exchange/web-kit/market/favorites.ts';
import { useTickers } from '@exchange/web-kit/market/live.ts';
import { MARKET_TABS, type MarketPair, type MarketTab, pairsIn } from '@exchange/web-kit/market/pair.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { readStored, store } from '@exchange/web-kit/storage.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { BellRing, Star } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { SearchBox } from '../search/search-box.tsx';
import { PullToRefresh } from '../shell/pull-to-refresh.tsx';
import { TabBar } from '../shell/screen.tsx';
import { FavoriteStar } from './favorite-star.tsx';
import { MarketRow, MarketRowsSkeleton } from './market-row.tsx';
import css from './market.module.css';
import { QuoteTabs } from './quote-tabs.tsx';
import { sortPairs, type SortField, type Sorting } from './ranking.ts';

const TAB_KEY = 'market-tab';

function storedTab(): MarketTab {
  const remembered = readStored(TAB_KEY);
  return MARKET_TABS.find((tab) => tab === remembered) ?? 'USDT';
}

/**
 * Screen with all pairs and their live prices, in tabs by quote coin and favourites; the user can search and sort the
 * pairs. The selected tab is stored on this device.
 */
export default function MarketScreen() {
  const t = useWords('market');
  const [tab, setTab] = useState<MarketTab>(storedTab);
  const [search, setSearch] = useState('');
  const [sorting, setSorting] = useState<Sorting | undefined>();
  const pairs = usePairs();
  const choose = (nextTab: MarketTab) => {
    store(TAB_KEY, nextTab);
    setTab(nextTab);
  };
  return (
    <PullToRefresh onRefresh={() => pairs.refetch()}>
      <TabBar title={t('title')} end={<AlertsLink />} />
      <main className={css.page}>
        <SearchBox label={t('search')} value={search} onChange={setSearch} />
        <QuoteTabs tab={tab} onChoose={choose} />
        <SortBar sorting={sorting} onSort={setSorting} />
        {pairs.error === null ? null : (
          <LoadFailed error={pairs.error} onRetry={() => void pairs.refetch()} />
        )}
        {pairs.isPending ? <MarketRowsSkeleton rows={8} /> : null}
        {pairs.data === undefined ? null : (
          <Rows pairs={pairs.data} tab={tab} search={search} sorting={sorting} onAll={() => choose('USDT')} />
        )}
      </main>
    </PullToRefresh>
  );
}

/** Link to the screen with the price alerts of all pairs. */
function AlertsLink() {
  const t = useWords('alerts');
  return (
    <Link to={paths.alerts} className={css.alerts} aria-label={t('title')}>
      <BellRing size={20} aria-hidden="true" />
    </Link>
  );
}

function Rows(props: {
  pairs: readonly MarketPair[];
  tab: MarketTab;
  search: string;
  sorting: Sorting | undefined;
  onAll: () => void;
}) {
  const { pairs, tab, search, sorting, onAll } = props;
  const t = useWords('market');
  const tickers = useTickers();
  const favorites = useFavorites((state) => state.symbols);
  const text = search.trim();
  const names = useCoinNames(text !== '');
  const matchingPairs = pairsIn(pairs, { tab, search, favorites, names });
  if (matchingPairs.length === 0 && text !== '') return <EmptyState text={t('searchNone', { text })} />;
  if (matchingPairs.length === 0 && tab === 'favorites') {
    return (
      <EmptyState
        icon={<Star size={22} />}
        text={t('favoritesNone')}
        action={
          <Button look="secondary" size="s" onClick={onAll}>
            {t('showAll')}
          </Button>
        }
      />
    );
  }
  if (matchingPairs.length === 0) return <EmptyState text={t('none')} />;
  const rows = sorting === undefined ? matchingPairs : sortPairs(matchingPairs, tickers, sorting);
  return rows.map((pair) => <MarketRow key={pair.symbol} pair={pair} start={<FavoriteStar pair={pair} />} />);
}

const SORTS = [
  { field: 'name', word: 'sortName' },
  { field: 'volume', word: 'sortVolume' },
  { field: 'price', word: 'sortPrice' },
  { field: 'change', word: 'change' },
] as const;

function SortBar({
  sorting,
  onSort,
}: {
  sorting: Sorting | undefined;
  onSort: (sorting: Sorting | undefined) => void;
}) {
  const t = useWords('market');
  const press = (field: SortField) => {
    if (sorting?.field !== field) onSort({ field, descending: field !== 'name' });
    else if (sorting.descending === (field !== 'name')) onSort({ field, descending: field === 'name' });
    else onSort(undefined);
  };
  return (
    <div className={css.sorts} role="group" aria-label={t('sortBy')}>
      {SORTS.map(({ field, word }) => {
        const isOn = sorting?.field === field;
        return (
          <button
            key={field}
            type="button"
            className={css.sort}
            aria-pressed={isOn}
            onClick={() => press(field)}
          >
            {t(word)}
            <span aria-hidden="true">{isOn ? (sorting.descending ? '↓' : '↑') : '↕'}</span>
          </button>
        );
      })}
    </div>
  );
}
