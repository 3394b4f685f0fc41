import { useLocale } from '../i18n/words.ts';
import { decimalsOf, type FigureKind, formatFigure, UNIT_SPACE, withUnit } from './decimals.ts';
import {
  formatCompact,
  formatMoment,
  formatMomentWithOffset,
  formatPercent,
  formatPrice,
  signOf,
  wayOfPercent,
  wholeOfCut,
  type MomentStyle,
} from './format.ts';
import css from './numbers.module.css';

export const HIDDEN_AMOUNT = '••••••';
/** Where a figure is not known yet. */
export const UNKNOWN = '–';

interface AmountProps {
  value: string | undefined;
  /** What the figure is, by which its decimals follow from its coin; an exact amount unless another kind is named. */
  kind?: FigureKind | undefined;
  /** Exactly this many decimals instead, e.g. those of a pair. */
  digits?: number | undefined;
  /** The unit that is shown behind the figure. */
  coin?: string | undefined;
  /** The figure's coin where its unit is not shown, as in a column of one coin. */
  of?: string | undefined;
  hidden?: boolean | undefined;
  /** Whether what is won says so by a plus; nothing that is shown as zero has a sign. */
  signed?: boolean | undefined;
  className?: string | undefined;
}

/*
 * Each figure is an element of its own that browsers do not translate: a translator would write its own elements over
 * figures that change.
 */

/** An amount, cut to its digits, where hovering then shows all of it; as dots where balances are hidden. */
export function Amount({
  value,
  kind = 'exact',
  digits,
  coin,
  of = coin,
  hidden = false,
  signed = false,
  className,
}: AmountProps) {
  const locale = useLocale();
  const shown = hidden || value === undefined || value === '' ? undefined : value;
  const decimals = shown === undefined ? undefined : (digits ?? decimalsOf(shown, kind, of).maxDigits);
  const whole = shown === undefined ? undefined : wholeOfCut(shown, locale, decimals);
  const figure =
    shown === undefined
      ? hidden
        ? HIDDEN_AMOUNT
        : UNKNOWN
      : digits === undefined
        ? formatFigure(shown, locale, kind, of)
        : formatPrice(shown, locale, digits);
  const isWon = signed && shown !== undefined && signOf(shown) > 0 && /[1-9]/.test(figure);
  return (
    <span
      className={joined(css.number, className)}
      title={whole && withUnit(whole, coin ?? '')}
      translate="no"
    >
      {isWon ? `+${figure}` : figure}
      {coin === undefined ? null : (
        <>
          {UNIT_SPACE}
          <span className={css.coin}>{coin}</span>
        </>
      )}
    </span>
  );
}

interface PriceProps {
  value: string | undefined;
  digits: number;
  direction?: 'up' | 'down' | 'none' | undefined;
  className?: string | undefined;
}

/** A price with the pair's digits, in the colour of its last step if one is given. */
export function Price({ value, digits, direction = 'none', className }: PriceProps) {
  const locale = useLocale();
  const colour = direction === 'none' ? undefined : css[direction];
  return (
    <span className={joined(css.number, colour, className)} translate="no">
      {value === undefined || value === '' ? UNKNOWN : formatPrice(value, locale, digits)}
    </span>
  );
}

interface PercentProps {
  value: string | undefined;
  signed?: boolean | undefined;
  digits?: number | undefined;
  className?: string | undefined;
}

/** A fraction as a percentage. */
export function Percent({ value, signed = false, digits = 2, className }: PercentProps) {
  const locale = useLocale();
  return (
    <span className={joined(css.number, className)} translate="no">
      {value === undefined ? UNKNOWN : formatPercent(value, locale, { signed, digits })}
    </span>
  );
}

interface ChangeProps {
  /** A fraction. */
  value: string | undefined;
  look?: 'text' | 'pill' | undefined;
  arrow?: boolean | undefined;
  className?: string | undefined;
}

const MARKS = { up: '▲', down: '▼', flat: '' } as const;

/** A change with sign, colour and, if asked, an arrow, all of the value shown: colour is never the only signal. */
export function Change({ value, look = 'text', arrow = false, className }: ChangeProps) {
  const way = wayOfPercent(value);
  const mark = MARKS[way];
  return (
    <span
      className={joined(css.number, css[way], look === 'pill' ? css.pill : undefined, className)}
      translate="no"
    >
      {arrow && mark !== '' ? (
        <span className={css.arrow} aria-hidden="true">
          {mark}
        </span>
      ) : null}
      <Percent value={value} signed />
    </span>
  );
}

/** A large amount that ticks, in short. */
export function Compact({ value, className }: { value: string | undefined; className?: string | undefined }) {
  const locale = useLocale();
  return (
    <span className={joined(css.number, className)} translate="no">
      {value === undefined ? UNKNOWN : formatCompact(value, locale, { ticks: true })}
    </span>
  );
}

interface WhenProps {
  /** Milliseconds UTC. */
  at: number;
  look?: MomentStyle | undefined;
  className?: string | undefined;
}

/** A moment in local time; hovering shows the distance from UTC. */
export function When({ at, look = 'full', className }: WhenProps) {
  const locale = useLocale();
  return (
    <time
      className={joined(css.number, className)}
      dateTime={new Date(at).toISOString()}
      title={formatMomentWithOffset(at, locale)}
      translate="no"
    >
      {formatMoment(at, locale, look)}
    </time>
  );
}

function joined(...names: (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(' ');
}
