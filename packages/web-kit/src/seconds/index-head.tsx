import { useWords } from '../i18n/words.ts';
import { useIndexSources } from '../market/queries.ts';
import { linkOf } from '../market/pair.ts';
import { SegmentedControl, Select } from '../ui/choice.tsx';
import { SPANS, type Span } from './index-plot.ts';
import type { useSecondsScreen } from './use-screen.ts';
import css from './index-head.module.css';

const NAMES = { 300: '5min', 900: '15min', 3600: '60min' } as const;

interface PairChoiceProps {
  readonly screen: Pick<ReturnType<typeof useSecondsScreen>, 'offered' | 'pair'>;
  readonly onChange: (link: string) => void;
}

/** Select box for the pair whose index is shown. */
export function PairChoice({ screen: { offered, pair }, onChange }: PairChoiceProps) {
  const t = useWords('seconds');
  return (
    <Select
      label={t('pair')}
      value={linkOf(pair)}
      onChange={onChange}
      options={(offered.length === 0 ? [pair] : offered).map((option) => ({
        value: linkOf(option),
        label: `${option.base}/${option.quote}`,
      }))}
    />
  );
}

interface SpanChoiceProps {
  readonly value: Span;
  readonly onChange: (span: Span) => void;
}

/** Input for the time span of the index chart. */
export function SpanChoice({ value, onChange }: SpanChoiceProps) {
  const t = useWords('seconds');
  const chart = useWords('chart');
  return (
    <SegmentedControl
      label={t('span')}
      className={css.spans}
      value={String(value)}
      onChange={(spanText) => onChange(SPANS.find((span) => String(span) === spanText) ?? value)}
      options={SPANS.map((span) => ({ value: String(span), label: chart(NAMES[span]) }))}
    />
  );
}

/**
 * States of price sources whose price is included in the index; a price far from those of the other sources is included
 * too.
 */
const COUNTING = new Set(['counts', 'far']);

/** A status light for each price source of a pair's index, and the number of sources that the index includes. */
export function SourceLights({ symbol }: { readonly symbol: string }) {
  const t = useWords('seconds');
  const { data } = useIndexSources(symbol);
  const sources = data?.sources ?? [];
  const counting = sources.filter(({ state }) => COUNTING.has(state)).length;
  return (
    <p className={css.lights} title={sources.map(({ id }) => id).join(', ')}>
      <span className={css.row} aria-hidden="true">
        {sources.map(({ id, state }) => (
          <span key={id} data-state={state} />
        ))}
      </span>
      {data === undefined ? null : t('sources', { counting, count: sources.length })}
    </p>
  );
}
