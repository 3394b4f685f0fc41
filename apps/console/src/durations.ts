import { Decimal } from '@exchange/core/decimal.ts';
import { percentOfFraction } from '@exchange/core/percent.ts';

/**
 * A duration of the seconds contract as typed in its table row: seconds, profit rate in percent, and minimum
 * stake in USDT.
 */
export interface DurationRow {
  readonly second: string;
  readonly percent: string;
  readonly minimum: string;
}

export const EMPTY_DURATION: DurationRow = { second: '', percent: '', minimum: '' };

/** Parses the text of the durations field, such as `30:80%:5 60:85%:5`, into table rows. */
export function durationRows(text: string): DurationRow[] {
  return text
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [second = '', percent = '', minimum = ''] = part.split(':');
      return { second, percent: percent.replace(/%$/, ''), minimum };
    });
}

/**
 * Joins the table rows of durations to the text of the form field, separated by spaces, such as `30:80%:5
 * 60:85%:5`; rows without any value are left out.
 */
export function durationText(rows: readonly DurationRow[]): string {
  return rows
    .map((row) => ({
      second: typedNumber(row.second),
      percent: typedNumber(row.percent),
      minimum: typedNumber(row.minimum),
    }))
    .filter(({ second, percent, minimum }) => `${second}${percent}${minimum}` !== '')
    .map(({ second, percent, minimum }) => `${second}:${percent}%:${minimum}`)
    .join(' ');
}

/** Normalises a typed number: full-width characters become ordinary ones, and all white space is removed. */
function typedNumber(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s/g, '');
}

/**
 * Formats stored durations such as `30:0.8:5 60:0.85:5` (seconds, rate, minimum stake in USDT) for display,
 * one line per duration: `30 s: 80 %, from 5`. A rate that is already a percentage (`80%`) stays the same.
 */
export function durationLines(stored: string): string {
  return stored
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [second = '', rate = '', minimum = ''] = part.split(':');
      const percent = rate.endsWith('%') ? rate.slice(0, -1) : (percentOfFraction(rate) ?? rate);
      return `${second} s: ${percent} %, from ${minimum}`;
    })
    .join('\n');
}

const HUNDRED = Decimal.parse('100');
const PLACES = 2;

/**
 * Returns what a profit rate of the seconds contract, given in percent, means: `breakEven`, the share of won
 * contracts at which users neither gain nor lose, 1 / (1 + rate); and `margin`, the part of a stake that the
 * exchange gains on average when wins and losses are equally likely, (1 − rate) / 2. Both are in percent,
 * rounded to `PLACES` decimals. Fees are not included. Undefined if the text is no positive rate.
 */
export function meaningOf(
  percent: string,
): { readonly breakEven: string; readonly margin: string } | undefined {
  const rate = Decimal.tryParse(typedNumber(percent));
  if (rate === undefined || !rate.isPositive()) return undefined;
  const breakEven = HUNDRED.times(HUNDRED, 'down').over(HUNDRED.plus(rate), 'halfEven', PLACES);
  const margin = HUNDRED.minus(rate).over(Decimal.parse('2'), 'halfEven', PLACES);
  return { breakEven: breakEven.toString(), margin: margin.toString() };
}
