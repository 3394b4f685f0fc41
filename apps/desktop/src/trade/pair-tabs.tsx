import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { MARKET_TABS, type MarketTab } from '@exchange/web-kit/market/pair.ts';
import { Star } from 'lucide-react';
import classes from './pair-list.module.css';

interface PairTabsProps {
  /** Undefined while a search looks through all of them. */
  readonly shown: MarketTab | undefined;
  readonly onChoose: (tab: MarketTab) => void;
}

/** Favourites and the quote coins. */
export function PairTabs({ shown, onChoose }: PairTabsProps) {
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
