import { useCoinNames } from '@exchange/web-kit/balance/use-coin-names.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useFavorites } from '@exchange/web-kit/market/favorites.ts';
import { useTickers } from '@exchange/web-kit/market/live.ts';
import type { MarketTab } from '@exchange/web-kit/market/pair.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { useMemo, useRef, useState } from 'react';
import { AllAlertsButton } from '../alerts/alert-buttons.tsx';
import { useShortcuts, useShortcutsOn } from '../keyboard/use-shortcuts.ts';
import { SearchBox, useResultKeys } from '../search/search-box.tsx';
import screen from '../style/screen.module.css';
import { MarketTable } from './market-table.tsx';
import { INITIAL_SORT, pairsShown, nextSort } from './market-view.ts';
import classes from './market.module.css';

/**
 * Screen with all pairs and their live prices, in tabs by quote coin and favourites; the user can search the pairs and
 * sort them by name and figures.
 */
export default function MarketScreen() {
  const t = useWords('market');
  useTitle(t('title'));
  const pairs = usePairs();
  const tickers = useTickers();
  const favorites = useFavorites((state) => state.symbols);
  const [tab, setTab] = useState<MarketTab>('USDT');
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState(INITIAL_SORT);
  const box = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const { onBoxKey, onResultKey } = useResultKeys({ box, results, onClear: () => setSearch('') });
  const shortcuts = useMemo(() => ({ '/': () => box.current?.focus() }), []);
  useShortcuts(shortcuts, useShortcutsOn());

  const names = useCoinNames(search !== '');
  const shown = pairsShown(pairs.data ?? [], { tab, search, sort, names }, favorites, tickers);
  const isFavoritesTab = tab === 'favorites' && search === '';

  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
        <div className={screen.tools}>
          <AllAlertsButton />
          <SearchBox label={t('search')} box={box} value={search} onChange={setSearch} onKey={onBoxKey} />
        </div>
      </header>
      <Tabs
        label={t('quoteTabs')}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'favorites', label: t('favorites') },
          { value: 'USDT', label: 'USDT' },
          { value: 'BTC', label: 'BTC' },
          { value: 'ETH', label: 'ETH' },
        ]}
      />
      <div
        ref={results}
        className={classes.table}
        data-found={search.trim() === '' ? undefined : true}
        onKeyDown={onResultKey}
      >
        <ListBody
          isLoading={pairs.isPending}
          error={pairs.error}
          onRetry={() => void pairs.refetch()}
          isEmpty={shown.length === 0}
          empty={
            isFavoritesTab
              ? t('favoritesNone')
              : search === ''
                ? t('none')
                : t('searchNone', { text: search })
          }
          action={
            isFavoritesTab ? (
              <Button look="secondary" size="s" onClick={() => setTab('USDT')}>
                {t('showAll')}
              </Button>
            ) : undefined
          }
          skeletonRows={8}
        >
          <MarketTable pairs={shown} sort={sort} onSort={(column) => setSort(nextSort(sort, column))} />
        </ListBody>
      </div>
    </div>
  );
}
