import { BALANCES_VISIBLE_KEY } from '@exchange/wire/browser.ts';
import { create } from 'zustand';
import { readStored, store } from '../storage.ts';

interface BalancesVisible {
  readonly isVisible: boolean;
  readonly toggle: () => void;
}

/** State on this device: true (the default) if balances are shown, and false if the user hides them. */
export const useBalancesVisible = create<BalancesVisible>((set, get) => ({
  isVisible: readStored(BALANCES_VISIBLE_KEY) !== '0',
  toggle: () => {
    const isVisible = !get().isVisible;
    store(BALANCES_VISIBLE_KEY, isVisible ? '1' : '0');
    set({ isVisible });
  },
}));
