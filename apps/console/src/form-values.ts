import { fractionOfPercent, percentOfFraction } from '@exchange/core/percent.ts';
import {
  camelToWords,
  type Operation,
  pathParametersOf,
  formatValue,
  type Row,
  type OperationField,
} from '@exchange/web-kit/console/calls.ts';
import { durationLines } from './durations.ts';
import { withPairNames } from './pair-names.ts';
import { formatNumber } from './texts.ts';
import { WORDS } from './words.ts';

/** Formats a time in milliseconds for a datetime input: UTC, to the second. */
function utcField(value: string): string {
  return new Date(Number(value)).toISOString().slice(0, 19);
}

const DURATION = /^(\d+):([\d.]+)\s*%:([\d.]+)$/;

/** Formats durations for their field, with rates in percent: `30:0.8:5` becomes `30:80%:5`. */
function durationsInPercent(value: string): string {
  return listOf(value)
    .map((text) => {
      const [second = '', rate = '', ...rest] = text.split(':');
      return [second, `${percentOfFraction(rate) ?? rate}%`, ...rest].join(':');
    })
    .join(' ');
}

/**
 * Parses a list of contract durations as typed in a form field, separated by spaces or commas (`30:80%:5`),
 * to the wire format with rates as fractions (`30:0.8:5`), separated by spaces; undefined when an entry is
 * not of the form seconds, percentage, minimum.
 */
function durationsAsFractions(value: string): string | undefined {
  const durations = listOf(value).map((text) => {
    const [, second = '', rate = '', minimum = ''] = DURATION.exec(text) ?? [];
    const fraction = fractionOfPercent(rate);
    return fraction === undefined ? undefined : [second, fraction, minimum].join(':');
  });
  return durations.includes(undefined) ? undefined : durations.join(' ');
}

function listOf(value: string): string[] {
  return value
    .normalize('NFKC')
    .split(/[\s,]+/)
    .filter((text) => text !== '');
}

/**
 * Returns the first field of the form whose percentage or durations are malformed, with the error; undefined
 * if there is none. Empty fields count as valid, and the server validates everything else.
 */
export function validationError(
  { fields }: Operation,
  typed: Readonly<Record<string, string>>,
): { readonly field: string; readonly error: string } | undefined {
  for (const [name, { kind, label }] of Object.entries(fields)) {
    const value = typed[name] ?? '';
    if (value === '') continue;
    if (kind === 'percent' && fractionOfPercent(value.normalize('NFKC')) === undefined)
      return { field: name, error: `${label}: ${WORDS.percentFormat}` };
    if (kind === 'durations' && durationsAsFractions(value) === undefined)
      return { field: name, error: WORDS.durationsFormat };
  }
  return undefined;
}

/**
 * Converts the typed value of a form field to its wire format: times to milliseconds UTC, percentages (also those in
 * durations) to fractions, and full-width digits of numbers to ordinary ones, without spaces around the number. Values
 * of other fields stay unchanged, and so do percentages and durations that cannot be parsed.
 */
function sentValue(field: OperationField | undefined, value: string): string {
  if (field?.kind === 'percent') return fractionOfPercent(value.normalize('NFKC')) ?? value;
  if (field?.kind === 'durations') return durationsAsFractions(value) ?? value;
  if (field?.kind === 'decimal' || field?.kind === 'whole') return value.normalize('NFKC').trim();
  return field?.kind === 'time' && value !== '' ? String(Date.parse(`${value}Z`)) : value;
}

/**
 * Converts a wire value to the form field's input value: `1` or `0` for switches, UTC date and time for times
 * (empty if the value is no time), pair names instead of symbols in texts, percent for rates, also for those
 * in durations; other values stay unchanged.
 */
export function shownValue(field: OperationField | undefined, value: string): string {
  if (field?.kind === 'time') return /^\d+$/.test(value) ? utcField(value) : '';
  if (field?.kind === 'text') return withPairNames(value);
  if (field?.kind === 'percent') return percentOfFraction(value) ?? value;
  if (field?.kind === 'durations') return durationsInPercent(value);
  if (field?.kind !== 'switch') return value;
  return value === 'true' || value === '1' ? '1' : '0';
}

/** Formats the value of a form field as text for comparisons and previews, for example a switch as yes or no. */
export function readValue(field: OperationField | undefined, value: string): string {
  if (field?.kind === 'switch') return value === '1' ? WORDS.yes : WORDS.no;
  if (field?.kind === 'choice') return camelToWords(value);
  if (field?.kind === 'percent' && value !== '') return `${value} %`;
  if (field?.kind === 'durations') return durationLines(value);
  if (field?.kind === 'decimal' || field?.kind === 'whole') return formatNumber(value);
  return field?.kind === 'time' && value !== '' ? `${value.replace('T', ' ')} UTC` : value;
}

/**
 * Returns the present value of a form field, taken from a row (for a translated field, the text in the
 * field's language); empty if the row has no value for it, and always for a field that is about something
 * else than the row (`isNew`).
 */
export function startOf(row: Row, name: string, field: OperationField | undefined): string {
  if (field?.isNew === true) return '';
  const value = row[field?.startsFrom ?? name];
  if (field?.locale === undefined) return formatValue(value);
  return typeof value === 'object' && value !== null ? formatValue((value as Row)[field.locale]) : '';
}

/**
 * Returns the current values of an operation's path parameters and fields, taken from a row and formatted for
 * the form inputs; empty where the row has none.
 */
export function currentValues(
  { path, fields }: Pick<Operation, 'path' | 'fields'>,
  row: Row,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...pathParametersOf(path), ...Object.keys(fields)].map((name) => [
      name,
      shownValue(fields[name], startOf(row, name, fields[name])),
    ]),
  );
}

/**
 * Returns the initial values of a form: the given values, except that fields with `startsEmpty` are empty.
 */
export function startValues(
  { fields }: Pick<Operation, 'fields'>,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fields[name]?.startsEmpty === true ? '' : value]),
  );
}

const TO_THE_MINUTE = '2026-01-01T00:00'.length;

/**
 * Reads the values of a form by field name, including switches that are off. The checked boxes of a group are joined
 * with commas, and times are completed with seconds.
 */
export function formValues(form: HTMLFormElement, { fields }: Operation): Record<string, string> {
  const off = Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'switch' ? [[name, '0']] : []));
  const entries = [...new FormData(form)].map(([name, value]) => [name, value as string] as const);
  const several = Object.entries(fields).flatMap(([name, { kind }]) =>
    kind === 'several' ? [[name, checkedValues(entries, name)]] : [],
  );
  const typed = entries.map(([name, value]) => [
    name,
    fields[name]?.kind === 'time' && value.length === TO_THE_MINUTE ? `${value}:00` : value,
  ]);
  return Object.fromEntries([...off, ...typed, ...several]) as Record<string, string>;
}

/** Returns the values of all checked checkboxes in a group, separated by commas. */
function checkedValues(entries: readonly (readonly [string, string])[], fieldName: string): string {
  return entries.flatMap(([name, value]) => (name === fieldName ? [value] : [])).join(', ');
}

/**
 * Returns the request body with the values of a form in wire format; the path parameters are not part of the
 * body.
 */
export function bodyOf({ path, fields }: Operation, typed: Readonly<Record<string, string>>) {
  const parts = pathParametersOf(path);
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([name]) => !parts.includes(name))
      .map(([name, value]) => [name, sentValue(fields[name], value)]),
  );
}
