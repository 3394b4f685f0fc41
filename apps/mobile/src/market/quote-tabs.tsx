import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { MARKET_TABS, type MarketTab } from '@exchange/web-kit/market/pair.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';

interface QuoteTabsProps {
  tab: MarketTab;
  onChoose: (tab: MarketTab) => void;
}

/** Tabs that select the favourites or the pairs of a quote coin. */
export function QuoteTabs({ tab, onChoose }: QuoteTabsProps) {
  const t = useWords('market');
  return (
    <Tabs<MarketTab>
      label={t('quoteTabs')}
      value={tab}
      onChange={onChoose}
      options={MARKET_TABS.map((value) => ({
        value,
        label: value === 'favorites' ? t('favorites') : value,
      }))}
    />
  );
}
