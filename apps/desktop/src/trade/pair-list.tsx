import { useCoinNames } from '@exchange/web-kit/balance/use-coin-names.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useFavorites } from '@exchange/web-kit/market/favorites.ts';
import { DayChange, LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import { MARKET_TABS, type MarketPair, type MarketTab, pairsIn } from '@exchange/web-kit/market/pair.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { Star } from 'lucide-react';
import { memo, type MouseEvent, type RefObject, useRef, useState } from 'react';
import { Link } from 'react-router';
import { FavoriteStar } from '../market/favorite-star.tsx';
import { SearchBox, useResultKeys } from '../search/search-box.tsx';
import classes from './pair-list.module.css';

interface PairListProps {
  readonly current: MarketPair;
  readonly searchBox: RefObject<HTMLInputElement | null>;
  /** Called with a chosen pair; without it, a chosen pair opens its trading screen. */
  readonly onChoose?: ((pair: MarketPair) => void) | undefined;
}

/** List of pairs in tabs by quote coin and favourites; its search covers all pairs. */
export function PairList({ current, searchBox, onChoose }: PairListProps) {
  const tMarket = useWords('market');
  const tShell = useWords('shell');
  const tDesk = useWords('desktop-trade');
  const pairs = usePairs();
  const favorites = useFavorites((state) => state.symbols);
  const [tab, setTab] = useState<MarketTab>(
    () => MARKET_TABS.find((name) => name === current.quote) ?? 'USDT',
  );
  const [search, setSearch] = useState('');
  const results = useRef<HTMLDivElement>(null);
  const { onBoxKey, onResultKey } = useResultKeys({
    box: searchBox,
    results,
    onClear: () => {
      setSearch('');
      searchBox.current?.blur();
    },
  });

  const isSearch = search.trim() !== '';
  const isFavorites = tab === 'favorites' && !isSearch;
  const names = useCoinNames(isSearch);
  const shown = pairsIn(pairs.data ?? [], { tab, search, favorites, names });

  return (
    <section className={classes.list} aria-label={tShell('navMarkets')}>
      <SearchBox
        dense
        label={tMarket('search')}
        box={searchBox}
        value={search}
        onChange={setSearch}
        onKey={onBoxKey}
      />
      <PairTabs
        shown={isSearch ? undefined : tab}
        onChoose={(nextTab) => {
          setTab(nextTab);
          setSearch('');
        }}
      />
      <ListHead />
      <div className={classes.body}>
        <div
          ref={results}
          data-live
          className={classes.rows}
          data-found={isSearch || undefined}
          onKeyDown={onResultKey}
        >
          {pairs.isPending && (
            <div className={classes.skeleton}>
              <SkeletonRows rows={9} height={10} gap={10} />
            </div>
          )}
          {pairs.data !== undefined && shown.length === 0 && (
            <EmptyState text={isFavorites ? tMarket('favoritesNone') : tDesk('noPairs')} />
          )}
          {shown.map((pair) => (
            <PairRow
              key={pair.symbol}
              pair={pair}
              isCurrent={pair.symbol === current.symbol}
              hasQuote={isFavorites || isSearch}
              onChoose={onChoose}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

function ListHead() {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-trade');
  return (
    <div className={classes.head} aria-hidden="true">
      <span>{tOrders('pair')}</span>
      <span>{tOrders('price')}</span>
      <span>{tDesk('change')}</span>
    </div>
  );
}

interface PairRowProps {
  readonly pair: MarketPair;
  readonly isCurrent: boolean;
  /** True shows the quote coin of the pair; false when all pairs in the list have the same quote coin. */
  readonly hasQuote: boolean;
  readonly onChoose: ((pair: MarketPair) => void) | undefined;
}

/**
 * A row of the pair list; a change of the price re-renders only the price and the 24-hour change in the row.
 */
const PairRow = memo(function PairRow({ pair, isCurrent, hasQuote, onChoose }: PairRowProps) {
  const choose = (event: MouseEvent): void => {
    // Without `onChoose` the link opens the trading screen of the pair; with a modifier key it does so in a
    // new tab or window.
    if (onChoose === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onChoose(pair);
  };
  return (
    <div className={classes.row} data-current={isCurrent || undefined} data-quoted={hasQuote || undefined}>
      <FavoriteStar pair={pair} className={classes.star} size={12} />
      <Link
        to={tradePath(pair)}
        className={classes.link}
        aria-current={isCurrent ? (onChoose === undefined ? 'page' : 'true') : undefined}
        data-result
        onClick={choose}
      >
        <span className={classes.name}>
          {pair.base}
          {hasQuote && <small>/{pair.quote}</small>}
        </span>
        <LastPrice pair={pair} />
        <DayChange pair={pair} />
      </Link>
    </div>
  );
});

interface PairTabsProps {
  /** The selected tab; undefined while the user searches, because a search covers all pairs. */
  readonly shown: MarketTab | undefined;
  readonly onChoose: (tab: MarketTab) => void;
}

/** Tabs that select the favourites or the pairs of a quote coin. */
function PairTabs({ shown, onChoose }: PairTabsProps) {
  const tMarket = useWords('market');
  return (
    <div className={classes.tabs} role="group" aria-label={tMarket('quoteTabs')}>
      {MARKET_TABS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={shown === name}
          aria-label={name === 'favorites' ? tMarket('favorites') : name}
          onClick={() => onChoose(name)}
        >
          {name === 'favorites' ? <Star size={13} aria-hidden="true" /> : name}
        </button>
      ))}
    </div>
  );
}
