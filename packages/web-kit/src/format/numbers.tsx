import { useLocale } from '../i18n/words.ts';
import { decimalsOf, type FigureKind, formatFigure, UNIT_SPACE, withUnit } from './decimals.ts';
import {
  formatCompact,
  formatTime,
  formatTimeWithOffset,
  formatPercent,
  formatPrice,
  signOf,
  directionOfPercent,
  fullAmountIfCut,
  type TimeStyle,
} from './format.ts';
import css from './numbers.module.css';

export const HIDDEN_AMOUNT = '••••••';
/** Text shown instead of an unknown figure. */
export const UNKNOWN = '–';

interface AmountProps {
  value: string | undefined;
  /** Kind of the figure, which determines the number of decimals together with the coin; `exact` by default. */
  kind?: FigureKind | undefined;
  /** Fixed number of decimals, such as that of the pair; by default, kind and coin determine the number of decimals. */
  digits?: number | undefined;
  /** Coin that is shown as the unit after the figure. */
  coin?: string | undefined;
  /**
   * Coin that determines the number of decimals when the figure is shown without a unit, for example in a column of a
   * single coin.
   */
  figureCoin?: string | undefined;
  hidden?: boolean | undefined;
  /** True puts a plus sign before positive figures; a figure displayed as zero has no sign. */
  signed?: boolean | undefined;
  className?: string | undefined;
}

/**
 * An amount with a limited number of decimals; if decimals other than zeros were cut off, the tooltip shows the
 * complete amount. A hidden amount is shown as dots, an unknown one as a dash. The element is excluded from browser
 * translation, because a translator would replace it and its figure would no longer be updated.
 */
export function Amount({
  value,
  kind = 'exact',
  digits,
  coin,
  figureCoin = coin,
  hidden = false,
  signed = false,
  className,
}: AmountProps) {
  const locale = useLocale();
  const shown = hidden || value === undefined || value === '' ? undefined : value;
  const decimals =
    shown === undefined ? undefined : (digits ?? decimalsOf(shown, kind, figureCoin).maxDigits);
  const whole = shown === undefined ? undefined : fullAmountIfCut(shown, locale, decimals);
  const figure =
    shown === undefined
      ? hidden
        ? HIDDEN_AMOUNT
        : UNKNOWN
      : digits === undefined
        ? formatFigure(shown, locale, kind, figureCoin)
        : formatPrice(shown, locale, digits);
  const hasPlus = signed && shown !== undefined && signOf(shown) > 0 && /[1-9]/.test(figure);
  return (
    <span
      className={classNames(css.number, className)}
      title={whole && withUnit(whole, coin ?? '')}
      translate="no"
    >
      {hasPlus ? `+${figure}` : figure}
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

/**
 * A price with the number of decimals of its pair, in the colour of `direction`; an unknown price is shown as a dash.
 */
export function Price({ value, digits, direction = 'none', className }: PriceProps) {
  const locale = useLocale();
  const colour = direction === 'none' ? undefined : css[direction];
  return (
    <span className={classNames(css.number, colour, className)} translate="no">
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

/** A fraction shown as a percentage: `0.01` as 1%; an unknown one is shown as a dash. */
export function Percent({ value, signed = false, digits = 2, className }: PercentProps) {
  const locale = useLocale();
  return (
    <span className={classNames(css.number, className)} translate="no">
      {value === undefined ? UNKNOWN : formatPercent(value, locale, { signed, digits })}
    </span>
  );
}

interface ChangeProps {
  /** Price change as a fraction: `0.01` is 1%; undefined if it is unknown, which is shown as a dash. */
  value: string | undefined;
  look?: 'text' | 'pill' | undefined;
  arrow?: boolean | undefined;
  className?: string | undefined;
}

const MARKS = { up: '▲', down: '▼', flat: '' } as const;

/**
 * A price change in percent with its sign, its colour and optionally an arrow; the sign distinguishes rises and falls
 * without the colour.
 */
export function Change({ value, look = 'text', arrow = false, className }: ChangeProps) {
  const direction = directionOfPercent(value);
  const mark = MARKS[direction];
  return (
    <span
      className={classNames(css.number, css[direction], look === 'pill' ? css.pill : undefined, className)}
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

/** A large amount that changes live, abbreviated and always with two decimals; an unknown one is shown as a dash. */
export function Compact({ value, className }: { value: string | undefined; className?: string | undefined }) {
  const locale = useLocale();
  return (
    <span className={classNames(css.number, className)} translate="no">
      {value === undefined ? UNKNOWN : formatCompact(value, locale, { ticks: true })}
    </span>
  );
}

interface WhenProps {
  /** The time that is shown, in milliseconds UTC. */
  at: number;
  look?: TimeStyle | undefined;
  className?: string | undefined;
}

/** A time in the device's time zone; its tooltip shows the UTC offset. */
export function When({ at, look = 'full', className }: WhenProps) {
  const locale = useLocale();
  return (
    <time
      className={classNames(css.number, className)}
      dateTime={new Date(at).toISOString()}
      title={formatTimeWithOffset(at, locale)}
      translate="no"
    >
      {formatTime(at, locale, look)}
    </time>
  );
}

function classNames(...names: (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(' ');
}
