import { Decimal } from '@exchange/core/decimal.ts';
import { useWords } from '../i18n/words.ts';
import { isByTotal } from './ticket-figures.ts';
import type { TicketSummary } from './ticket-summary.ts';
import type { Ticket } from './ticket.ts';
import css from './share-slider.module.css';

interface ShareSliderProps {
  /** Selected percentage of the available balance, an integer. */
  value: number;
  onChange: (percent: number) => void;
  isDisabled: boolean;
  isSmall?: boolean;
}

/** Slider for the percentage of the available balance that the order uses; snaps to multiples of 25 %. */
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
        onChange={(event) => onChange(snapToQuarter(event.currentTarget.valueAsNumber, value))}
      />
    </div>
  );
}

/** Percentages to which the slider snaps. */
const STOPS = [0, 25, 50, 75, 100] as const;

/** Maximum distance, in percentage points, from a multiple of 25 % at which the slider snaps to it. */
const CATCH = 4;

/**
 * Returns the percentage after the user has moved the slider from `from` to `percent`, snapped to a multiple
 * of 25 if one is near. A step of at most 1, as by the keyboard, does not snap.
 */
export function snapToQuarter(percent: number, from: number): number {
  if (Math.abs(percent - from) <= 1) return percent;
  return STOPS.find((stop) => Math.abs(stop - percent) <= CATCH) ?? percent;
}

/**
 * Returns the percentage of the available balance that the ticket's order uses, as an integer of at most 100.
 * 0 if the order's size or the balance is unknown, and if the balance is 0.
 */
export function shareOf(ticket: Ticket, summary: TicketSummary): number {
  const isTotal = ticket.side === 'buy' && isByTotal(ticket);
  const part = isTotal ? Decimal.tryParse(ticket.total) : summary.amount;
  const whole = isTotal ? summary.available : summary.maxAmount;
  if (part === undefined || whole === undefined || !whole.isPositive()) return 0;
  const tenths = (part.atoms * 1_000n) / whole.atoms;
  return Math.min(100, Math.round(Number(tenths) / 10));
}
