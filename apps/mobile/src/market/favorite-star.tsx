import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useFavorites } from '@exchange/web-kit/market/favorites.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Star } from 'lucide-react';
import css from './market.module.css';

interface FavoriteStarProps {
  pair: Pick<MarketPair, 'symbol' | 'base' | 'quote'>;
  className?: string | undefined;
  /** Size of the star icon in pixels; 16 by default. */
  size?: number;
}

/** Button that adds a pair to the user's favourites, or removes it from them. */
export function FavoriteStar({ pair, className = css.star, size = 16 }: FavoriteStarProps) {
  const t = useWords('market');
  const { isOn, toggle } = useFavorites((favorites) => ({
    isOn: favorites.has(pair.symbol),
    toggle: favorites.toggle,
  }));
  return (
    <button
      type="button"
      className={className}
      data-star
      aria-pressed={isOn}
      aria-label={`${t(isOn ? 'unfavorite' : 'favorite')}: ${pair.base}/${pair.quote}`}
      onClick={() => toggle(pair.symbol)}
    >
      <Star size={size} fill={isOn ? 'currentColor' : 'none'} aria-hidden="true" />
    </button>
  );
}
