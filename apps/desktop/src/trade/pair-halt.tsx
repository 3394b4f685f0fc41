import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Banner } from '@exchange/web-kit/ui/parts.tsx';
import { CircleSlash } from 'lucide-react';

/** Says why a pair takes no orders now; nothing while it trades. */
export function PairHalt({ pair }: { readonly pair: MarketPair }) {
  const tDesk = useWords('desktop-trade');
  if (pair.status === 'open') return null;
  return (
    <Banner tone="warning" icon={<CircleSlash size={16} aria-hidden="true" />}>
      {tDesk(`halted.${pair.status}`, { pair: `${pair.base}/${pair.quote}` })}
    </Banner>
  );
}
