import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Star } from 'lucide-react';
import classes from './pair-list.module.css';

export const FAVORITES = 'favorites';
export const PAIR_TABS = [FAVORITES, 'USDT', 'BTC', 'ETH'] as const;
export type PairTab = (typeof PAIR_TABS)[number];

interface PairTabsProps {
  /** Undefined while a search looks through all of them. */
  readonly shown: PairTab | undefined;
  readonly onChoose: (tab: PairTab) => void;
}

/** Favourites and the quote coins. */
export function PairTabs({ shown, onChoose }: PairTabsProps) {
  const tMarket = useWords('market');
  return (
    <div className={classes.tabs} role="group" aria-label={tMarket('quoteTabs')}>
      {PAIR_TABS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={shown === name}
          aria-label={name === FAVORITES ? tMarket('favorites') : name}
          onClick={() => onChoose(name)}
        >
          {name === FAVORITES ? <Star size={13} aria-hidden="true" /> : name}
        </button>
      ))}
    </div>
  );
}
