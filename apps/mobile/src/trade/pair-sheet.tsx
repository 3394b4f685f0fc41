import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Change, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTickers } from '@exchange/web-kit/market/live.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { useState } from 'react';
import { Link } from 'react-router';
import { tradePath } from '../paths.ts';
import css from './trade.module.css';

/** Chooses another pair. */
export default function PairSheet({ onClose }: { onClose: () => void }) {
  const t = useWords('trade');
  const market = useWords('market');
  const shell = useWords('shell');
  const pairs = usePairs().data ?? [];
  const tickers = useTickers();
  const [search, setSearch] = useState('');
  const text = search.trim().toLowerCase();
  const found = pairs.filter(({ symbol, base, quote }) =>
    `${symbol} ${base}/${quote}`.toLowerCase().includes(text),
  );
  return (
    <Sheet isOpen onClose={onClose} title={t('pairs')} closeLabel={shell('close')}>
      <input
        type="search"
        className={css.pairSearch}
        aria-label={market('search')}
        placeholder={market('search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className={css.pairList}>
        {found.map((pair) => (
          <Link key={pair.symbol} to={tradePath(pair)} className={css.pairRow} onClick={onClose}>
            <CoinIcon coin={pair.base} size={24} />
            <span className={css.pairName}>
              {pair.base}
              <small>/{pair.quote}</small>
            </span>
            <Price value={tickers.get(pair.symbol)?.last} digits={pair.priceDigits} />
            <Change value={tickers.get(pair.symbol)?.change} className={css.pairChange} />
          </Link>
        ))}
      </div>
    </Sheet>
  );
}
