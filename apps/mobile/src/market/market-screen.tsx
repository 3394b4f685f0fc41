import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useFavorites } from '@exchange/web-kit/market/favorites.ts';
import { useTickers } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { EmptyState, ErrorState } from '@exchange/web-kit/ui/parts.tsx';
import { failureText } from '@exchange/web-kit/shell/notify.ts';
import { Search, Star } from 'lucide-react';
import { useState } from 'react';
import { TabBar } from '../shell/top-bar.tsx';
import { PullToRefresh } from '../shell/pull-to-refresh.tsx';
import { MarketRow, MarketRowsSkeleton } from './market-row.tsx';
import css from './market.module.css';
import { sorted, type SortField, type Sorting } from './ranking.ts';

const QUOTES = ['USDT', 'BTC', 'ETH'] as const;
type Tab = (typeof QUOTES)[number] | 'favorites';

/** All pairs: by quote coin or favourites, searched and sorted, live. */
export default function MarketScreen() {
  const t = useWords('market');
  const [tab, setTab] = useState<Tab>('USDT');
  const [search, setSearch] = useState('');
  const [sorting, setSorting] = useState<Sorting | undefined>();
  const pairs = usePairs();
  return (
    <PullToRefresh onRefresh={() => pairs.refetch()}>
      <TabBar title={t('title')} />
      <main className={css.page}>
        <label className={css.search}>
          <Search size={18} aria-hidden="true" />
          <input
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </label>
        <Tabs<Tab>
          label={t('quoteTabs')}
          value={tab}
          onChange={setTab}
          options={[
            { value: 'favorites', label: t('favorites') },
            ...QUOTES.map((quote) => ({ value: quote, label: quote })),
          ]}
        />
        <SortBar sorting={sorting} onSort={setSorting} />
        {pairs.error === null ? null : <Failed error={pairs.error} onRetry={() => void pairs.refetch()} />}
        {pairs.isPending ? <MarketRowsSkeleton rows={8} /> : null}
        {pairs.data === undefined ? null : (
          <Rows pairs={pairs.data} tab={tab} search={search} sorting={sorting} onAll={() => setTab('USDT')} />
        )}
      </main>
    </PullToRefresh>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useWords('shell');
  return <ErrorState text={failureText(error)} retryLabel={t('retry')} onRetry={onRetry} />;
}

function Rows(props: {
  pairs: readonly MarketPair[];
  tab: Tab;
  search: string;
  sorting: Sorting | undefined;
  onAll: () => void;
}) {
  const { pairs, tab, search, sorting, onAll } = props;
  const t = useWords('market');
  const tickers = useTickers();
  const favorites = useFavorites((state) => state.symbols);
  const text = search.trim().toLowerCase();
  const found = pairs
    .filter(
      ({ symbol, quote }) => text !== '' || (tab === 'favorites' ? favorites.has(symbol) : quote === tab),
    )
    .filter(({ symbol, base, quote }) => `${symbol} ${base}/${quote}`.toLowerCase().includes(text));
  if (found.length === 0 && text !== '')
    return <EmptyState text={t('searchNone', { text: search.trim() })} />;
  if (found.length === 0 && tab === 'favorites') {
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
  if (found.length === 0) return <EmptyState text={t('none')} />;
  const rows = sorting === undefined ? found : sorted(found, tickers, sorting);
  return rows.map((pair) => <MarketRow key={pair.symbol} pair={pair} start={<FavoriteStar pair={pair} />} />);
}

/** Marks a pair as a favourite. */
function FavoriteStar({ pair }: { pair: MarketPair }) {
  const t = useWords('market');
  const isFavorite = useFavorites((state) => state.symbols.has(pair.symbol));
  const toggle = useFavorites((state) => state.toggle);
  return (
    <button
      type="button"
      className={css.star}
      aria-pressed={isFavorite}
      aria-label={`${t(isFavorite ? 'unfavorite' : 'favorite')}: ${pair.base}/${pair.quote}`}
      onClick={() => toggle(pair.symbol)}
    >
      <Star size={16} fill={isFavorite ? 'currentColor' : 'none'} aria-hidden="true" />
    </button>
  );
}

const SORTS = [
  { field: 'name', word: 'sortName' },
  { field: 'volume', word: 'sortVolume' },
  { field: 'price', word: 'sortPrice' },
  { field: 'change', word: 'sortChange' },
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
