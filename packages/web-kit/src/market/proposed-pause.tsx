import type { TradingPauseShown } from '@exchange/wire/trading-pause.ts';
import { CircleSlash } from 'lucide-react';
import { useWords } from '../i18n/words.ts';
import { Banner } from '../ui/parts.tsx';
import { usePauseText } from './pause-note.tsx';

/** Preview, for operators, of a proposed pause notice as users would see it. */
export function ProposedPause({
  shown,
}: {
  readonly shown: { readonly pause: TradingPauseShown; readonly isSeconds: boolean };
}) {
  const t = useWords('market');
  const tSeconds = useWords('seconds');
  const textOf = usePauseText();
  return (
    <Banner tone="warning" icon={<CircleSlash size={16} aria-hidden="true" />}>
      <b>{shown.isSeconds ? tSeconds('closed') : t('pause.title')}</b> {textOf(shown.pause)}
    </Banner>
  );
}
