import { Decimal } from '@exchange/core/decimal.ts';
import { useWords } from '../i18n/words.ts';
import { isByTotal } from './ticket-figures.ts';
import type { TicketSummary } from './ticket-summary.ts';
import type { Ticket } from './ticket.ts';
import css from './share-slider.module.css';

interface ShareSliderProps {
  /** Integer percentage of the available balance. */
  value: number;
  onChange: (percent: number) => void;
  isDisabled: boolean;
  isSmall?: boolean;
}

/** Slider for the percentage of the available balance to use; it snaps to quarters. */
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

/** Positions in percent to which the slider snaps. */
const STOPS = [0, 25, 50, 75, 100] as const;

/** Distance in percent within which the slider snaps. */
const CATCH = 4;

/**
 * The percentage after the slider moved from `from` to `percent`, snapped to a nearby quarter; single steps
 * by keyboard do not snap.
 */
export function snapToQuarter(percent: number, from: number): number {
  if (Math.abs(percent - from) <= 1) return percent;
  return STOPS.find((stop) => Math.abs(stop - percent) <= CATCH) ?? percent;
}

/** Integer percentage of the available balance that the ticket uses, at most 100; 0 while unknown. */
export function shareOf(ticket: Ticket, summary: TicketSummary): number {
  const isTotal = ticket.side === 'buy' && isByTotal(ticket);
  const part = isTotal ? Decimal.tryParse(ticket.total) : summary.amount;
  const whole = isTotal ? summary.available : summary.maxAmount;
  if (part === undefined || whole === undefined || !whole.isPositive()) return 0;
  const tenths = (part.atoms * 1_000n) / whole.atoms;
  return Math.min(100, Math.round(Number(tenths) / 10));
}
