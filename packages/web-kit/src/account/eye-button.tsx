import { BALANCES_VISIBLE_KEY } from '@exchange/wire/browser.ts';
import { Eye, EyeOff } from 'lucide-react';
import { create } from 'zustand';
import { useWords } from '../i18n/words.ts';
import { recall, remember } from '../storage.ts';
import { IconButton } from '../ui/button.tsx';

/** Hides all balances on this device, or shows them again. */
export function EyeButton({ className }: { className?: string | undefined }) {
  const t = useWords('shell');
  const { isVisible, toggle } = useBalancesVisible();
  return (
    <IconButton label={t(isVisible ? 'hideBalances' : 'showBalances')} className={className} onClick={toggle}>
      {isVisible ? <Eye size={18} aria-hidden="true" /> : <EyeOff size={18} aria-hidden="true" />}
    </IconButton>
  );
}

interface BalancesVisible {
  readonly isVisible: boolean;
  readonly toggle: () => void;
}

/** Whether balances are shown on this device; they are until somebody closes the eye. */
export const useBalancesVisible = create<BalancesVisible>((set, get) => ({
  isVisible: recall(BALANCES_VISIBLE_KEY) !== '0',
  toggle: () => {
    const isVisible = !get().isVisible;
    remember(BALANCES_VISIBLE_KEY, isVisible ? '1' : '0');
    set({ isVisible });
  },
}));
