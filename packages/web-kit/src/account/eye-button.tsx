import { Eye, EyeOff } from 'lucide-react';
import { useBalancesVisible } from '../balance/balances-visible.ts';
import { useWords } from '../i18n/words.ts';
import { IconButton } from '../ui/button.tsx';

export { useBalancesVisible };

/** Button that hides all balances on this device, or shows them again. */
export function EyeButton({ className }: { className?: string | undefined }) {
  const t = useWords('shell');
  const { isVisible, toggle } = useBalancesVisible();
  return (
    <IconButton label={t(isVisible ? 'hideBalances' : 'showBalances')} className={className} onClick={toggle}>
      {isVisible ? <Eye size={18} aria-hidden="true" /> : <EyeOff size={18} aria-hidden="true" />}
    </IconButton>
  );
}
