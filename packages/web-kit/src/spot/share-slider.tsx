import { Decimal } from '@exchange/core/decimal.ts';
import { useWords } from '../i18n/words.ts';
import { isByTotal } from './ticket-figures.ts';
import type { TicketSummary } from './ticket-summary.ts';
import type { Ticket } from './ticket.ts';
import css from './share-slider.module.css';

interface ShareSliderProps {
  /** Whole percent of what is available. */
  value: number;
  onChange: (percent: number) => void;
  isDisabled: boolean;
  /** Lower, for a pointer that is finer than a finger. */
  isSmall?: boolean;
}

/** How much of what is available goes into the order: slides freely and catches on the quarters. */
export function ShareSlider({ value, onChange, isDisabled, isSmall = false }: ShareSliderProps) {
  const t = useWords('trade');
  return (
    <div className={css.slider} data-small={isSmall || undefined}>
      <span className={css.track} aria-hidden="true">
        <i className={css.reached} style={{ width: `${value}%` }} />
        {STOPS.map((stop) => (
          <i key={stop} className={css.stop} data-reached={stop <= value} style={{ left: `${stop}%` }} />
        ))}
      </span>
      <input
        type="range"
        className={css.input}
        min={0}
        max={100}
        step={1}
        value={value}
        disabled={isDisabled}
        aria-label={t('percent')}
        aria-valuetext={t('percentOf', { percent: value })}
        onChange={(event) => onChange(snapped(event.currentTarget.valueAsNumber, value))}
      />
    </div>
  );
}

/** Where the slider catches, in percent. */
const STOPS = [0, 25, 50, 75, 100] as const;

/** How near to a stop a finger has to come, in percent. */
const CATCH = 4;

/** The percentage meant by sliding to `percent` from `from`: a near quarter catches a slide, not a step of one key press. */
export function snapped(percent: number, from: number): number {
  if (Math.abs(percent - from) <= 1) return percent;
  return STOPS.find((stop) => Math.abs(stop - percent) <= CATCH) ?? percent;
}

/** How much of what is available the ticket takes, in whole percent, at most 100; 0 while that is not known. */
export function shareOf(ticket: Ticket, summary: TicketSummary): number {
  const isTotal = ticket.side === 'buy' && isByTotal(ticket);
  const part = isTotal ? Decimal.tryParse(ticket.total) : summary.amount;
  const whole = isTotal ? summary.available : summary.maxAmount;
  if (part === undefined || whole === undefined || !whole.isPositive()) return 0;
  const tenths = (part.atoms * 1_000n) / whole.atoms;
  return Math.min(100, Math.round(Number(tenths) / 10));
}
