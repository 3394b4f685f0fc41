import { Change, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useFavorites } from '@exchange/web-kit/market/favorites.ts';
import { useTicker } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { Search } from 'lucide-react';
import { memo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { Link } from 'react-router';
import { useResultKeys } from '../keyboard/use-result-keys.ts';
import { FavoriteStar } from '../market/favorite-star.tsx';
import { tradePath } from '../paths.ts';
import classes from './pair-list.module.css';
import { FAVORITES, PAIR_TABS, PairTabs, type PairTab } from './pair-tabs.tsx';

interface PairListProps {
  readonly current: MarketPair;
  readonly searchBox: RefObject<HTMLInputElement | null>;
}

/** All pairs by quote coin or favourites, with a search that looks through all of them. */
export function PairList({ current, searchBox }: PairListProps) {
  const tOrders = useWords('orders');
  const tMarket = useWords('market');
  const tShell = useWords('shell');
  const tDesk = useWords('desktop-trade');
  const pairs = usePairs();
  const favorites = useFavorites((state) => state.symbols);
  const [tab, setTab] = useState<PairTab>(() => PAIR_TABS.find((name) => name === current.quote) ?? 'USDT');
  const [wanted, setWanted] = useState('');
  const results = useRef<HTMLDivElement>(null);
  const { onBoxKey, onResultKey } = useResultKeys({
    box: searchBox,
    results,
    onClear: () => {
      setWanted('');
      searchBox.current?.blur();
    },
  });

  const text = wanted.trim().toLowerCase().replace(/[/_-]/g, '');
  const shown = (pairs.data ?? []).filter((pair) => {
    if (text !== '') return pair.symbol.includes(text);
    return tab === FAVORITES ? favorites.has(pair.symbol) : pair.quote === tab;
  });

  return (
    <section className={classes.list} aria-label={tShell('navMarkets')}>
      <PairSearch box={searchBox} value={wanted} onChange={setWanted} onKey={onBoxKey} />
      <PairTabs
        shown={text === '' ? tab : undefined}
        onChoose={(chosen) => {
          setTab(chosen);
          setWanted('');
        }}
      />
      <div className={classes.head} aria-hidden="true">
        <span>{tOrders('pair')}</span>
        <span>{tOrders('price')}</span>
        <span>{tDesk('change')}</span>
      </div>
      <div
        ref={results}
        className={classes.rows}
        data-found={text === '' ? undefined : true}
        onKeyDown={onResultKey}
      >
        {pairs.isPending && (
          <div className={classes.skeleton}>
            <SkeletonRows rows={9} height={10} gap={10} />
          </div>
        )}
        {pairs.data !== undefined && shown.length === 0 && (
          <EmptyState text={tab === FAVORITES && text === '' ? tMarket('favoritesNone') : tDesk('noPairs')} />
        )}
        {shown.map((pair) => (
          <PairRow
            key={pair.symbol}
            pair={pair}
            isCurrent={pair.symbol === current.symbol}
            hasQuote={tab === FAVORITES || text !== ''}
          />
        ))}
      </div>
    </section>
  );
}

interface PairSearchProps {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onKey: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/** Looks through the pairs of all quote coins; `/` jumps here. */
function PairSearch({ box, value, onChange, onKey }: PairSearchProps) {
  const t = useWords('market');
  return (
    <label className={classes.search}>
      <Search size={14} aria-hidden="true" />
      <input
        ref={box}
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKey}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

interface PairRowProps {
  readonly pair: MarketPair;
  readonly isCurrent: boolean;
  /** Among pairs of one quote coin its name says nothing. */
  readonly hasQuote: boolean;
}

/** One pair; a tick renders this row only. */
const PairRow = memo(function PairRow({ pair, isCurrent, hasQuote }: PairRowProps) {
  const ticker = useTicker(pair.symbol);
  return (
    <div className={classes.row} data-current={isCurrent || undefined} data-quoted={hasQuote || undefined}>
      <FavoriteStar pair={pair} className={classes.star} size={12} />
      <Link
        to={tradePath(pair)}
        className={classes.link}
        aria-current={isCurrent ? 'page' : undefined}
        data-result
      >
        <span className={classes.name}>
          {pair.base}
          {hasQuote && <small>/{pair.quote}</small>}
        </span>
        <Price value={ticker?.last} digits={pair.priceDigits} direction={ticker?.direction} />
        <Change value={ticker?.change} />
      </Link>
    </div>
  );
});
