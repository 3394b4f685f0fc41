import { create } from 'zustand';
import { recall, remember } from '../storage.ts';

const KEY = 'favorite-pairs';

interface Favorites {
  readonly symbols: ReadonlySet<string>;
  readonly has: (symbol: string) => boolean;
  readonly toggle: (symbol: string) => void;
}

/** The pairs that this device has marked with a star. */
export const useFavorites = create<Favorites>((set, get) => ({
  symbols: stored(),
  has: (symbol) => get().symbols.has(symbol),
  toggle: (symbol) => {
    const symbols = new Set(get().symbols);
    if (!symbols.delete(symbol)) symbols.add(symbol);
    remember(KEY, [...symbols].join(','));
    set({ symbols });
  },
}));

function stored(): ReadonlySet<string> {
  return new Set((recall(KEY) ?? '').split(',').filter((symbol) => symbol !== ''));
}
