import { useCoinNames } from '@exchange/web-kit/balance/use-coin-names.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Change, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useFavorites } from '@exchange/web-kit/market/favorites.ts';
import { useTicker } from '@exchange/web-kit/market/live.ts';
import { type MarketPair, type MarketTab, pairsIn } from '@exchange/web-kit/market/pair.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { FavoriteStar } from '../market/favorite-star.tsx';
import { QuoteTabs } from '../market/quote-tabs.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { withPair } from './trade-query.ts';
import css from './trade.module.css';

/**
 * Sheet in which the user selects another pair, by quote coin, among the favourites or by a search; the trading
 * screen's view (ticket, chart or information) stays the same.
 */
export default function PairSheet({ onClose }: { onClose: () => void }) {
  const t = useWords('trade');
  const market = useWords('market');
  const shell = useWords('shell');
  const pairs = usePairs().data ?? [];
  const favorites = useFavorites(({ symbols }) => symbols);
  const [tab, setTab] = useState<MarketTab>('USDT');
  const [search, setSearch] = useState('');
  const names = useCoinNames(search !== '');
  const matchingPairs = pairsIn(pairs, { tab, search, favorites, names });
  return (
    <Sheet isOpen onClose={onClose} title={t('pairs')} closeLabel={shell('close')}>
      <SearchBox label={market('search')} value={search} onChange={setSearch} />
      <QuoteTabs tab={tab} onChoose={setTab} />
      <div className={css.pairList}>
        {matchingPairs.map((pair) => (
          <Row key={pair.symbol} pair={pair} onClose={onClose} />
        ))}
        {matchingPairs.length > 0 ? null : (
          <EmptyState
            text={
              search.trim() === '' ? market('favoritesNone') : market('searchNone', { text: search.trim() })
            }
          />
        )}
      </div>
    </Sheet>
  );
}

function Row({ pair, onClose }: { pair: MarketPair; onClose: () => void }) {
  const ticker = useTicker(pair.symbol);
  const [query] = useSearchParams();
  return (
    <div className={css.pairRow}>
      <FavoriteStar pair={pair} />
      <Link
        to={`${paths.trade}?${withPair(query, pair).toString()}`}
        data-live
        className={css.pairLink}
        onClick={onClose}
      >
        <CoinIcon coin={pair.base} size={24} />
        <span className={css.pairName}>
          {pair.base}
          <small>/{pair.quote}</small>
        </span>
        <Price value={ticker?.last} digits={pair.priceDigits} />
        <Change value={ticker?.change} className={css.pairChange} />
      </Link>
    </div>
  );
}
