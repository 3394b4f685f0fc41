import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useFavorites } from '@exchange/web-kit/market/favorites.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Star } from 'lucide-react';

interface FavoriteStarProps {
  readonly pair: MarketPair;
  readonly className: string | undefined;
  readonly size: number;
}

/** Button that adds a pair to the user's favourites, or removes it from them. */
export function FavoriteStar({ pair, className, size }: FavoriteStarProps) {
  const t = useWords('desktop-trade');
  const isFavorite = useFavorites(({ has }) => has(pair.symbol));
  const toggle = useFavorites((favorites) => favorites.toggle);
  return (
    <button
      type="button"
      className={className}
      aria-pressed={isFavorite}
      aria-label={t('favorite', { pair: `${pair.base}/${pair.quote}` })}
      onClick={() => toggle(pair.symbol)}
    >
      <Star size={size} aria-hidden="true" />
    </button>
  );
}
