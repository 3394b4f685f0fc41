import { textIn } from '@exchange/core/locale.ts';
import { PAUSE_CAUSE_WORDS } from '@exchange/core/pause-cause-words.ts';
import type { TradingPauseShown } from '@exchange/wire/trading-pause.ts';
import { CircleSlash } from 'lucide-react';
import { serverNow } from '../clock.ts';
import { formatTime } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { Badge, Banner } from '../ui/parts.tsx';
import type { MarketPair } from './pair.ts';
import css from './pause-note.module.css';

/**
 * Returns a function that describes a pause of trading: the halted coin, the public reason, the operators' note, and
 * the time of the next announcement if that time is in the future. Returns an empty text if nothing is published.
 */
export function usePauseText(): (pause: TradingPauseShown | undefined) => string {
  const t = useWords('market');
  const locale = useLocale();
  return (pause) => {
    if (pause === undefined) return '';
    const { coin, cause, newsTime, note } = pause;
    const sentences = [
      coin === undefined ? [] : t('pause.coin', { coin }),
      cause === 'other' ? [] : t('pause.cause', { cause: PAUSE_CAUSE_WORDS[locale][cause] }),
      note === undefined ? [] : textIn(note, locale),
      newsTime === undefined || newsTime <= serverNow()
        ? []
        : t('pause.news', { time: formatTime(newsTime, locale, 'dated') }),
    ];
    return sentences.flat().join(' ');
  };
}

/**
 * Badge for a list of pairs that says that the pair is paused and, if published, for which cause; its tooltip contains
 * the whole explanation. Renders nothing while the pair is open.
 */
export function PauseBadge({ pair }: { readonly pair: Pick<MarketPair, 'status' | 'pause'> }) {
  const t = useWords('market');
  const locale = useLocale();
  const textOf = usePauseText();
  if (pair.status === 'open') return null;
  const cause = pair.pause?.cause ?? 'other';
  return (
    <span className={css.badge} title={textOf(pair.pause)}>
      <Badge tone="warning">
        {cause === 'other'
          ? t('pause.short')
          : t('pause.shortFor', { cause: PAUSE_CAUSE_WORDS[locale][cause] })}
      </Badge>
    </span>
  );
}

/** Banner above a chart that explains why the pair does not trade. Renders nothing while the pair is open. */
export function PauseBanner({ pair }: { readonly pair: Pick<MarketPair, 'status' | 'pause'> }) {
  const t = useWords('market');
  const textOf = usePauseText();
  if (pair.status === 'open') return null;
  return (
    <Banner tone="warning" icon={<CircleSlash size={16} aria-hidden="true" />}>
      <b>{t('pause.title')}</b> {textOf(pair.pause)}
    </Banner>
  );
}
