import { Decimal } from '@exchange/core/decimal.ts';
import { percentOfFraction } from '@exchange/core/percent.ts';

/** One duration of the seconds contract as its row is typed: the rate in percent. */
export interface DurationRow {
  readonly second: string;
  readonly percent: string;
  readonly minimum: string;
}

export const EMPTY_DURATION: DurationRow = { second: '', percent: '', minimum: '' };

/** The rows of a field's text, `30:80%:5 60:85%:5`. */
export function durationRows(text: string): DurationRow[] {
  return text
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [second = '', percent = '', minimum = ''] = part.split(':');
      return { second, percent: percent.replace(/%$/, ''), minimum };
    });
}

/** The field text of table rows; rows without any value are left out. */
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

/** A typed number without full-width characters and spaces. */
function typedNumber(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s/g, '');
}

/** Stored durations, `30:0.8:5 60:0.85:5`, as lines to read: `30 s: 80 %, from 5`. */
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
 * Meaning of a profit rate, in percent: the share of wins from which users break even, 1 / (1 + rate), and
 * the part of a stake that the exchange gains at even odds, (1 − rate) / 2, both without the fee. Undefined
 * for texts that are no positive rate.
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
