import { fractionOfPercent, percentOfFraction } from '@exchange/core/percent.ts';
import {
  inWords,
  type Operation,
  partsOf,
  textOf,
  type Row,
  type OperationField,
} from '@exchange/web-kit/console/calls.ts';
import { withPairNames } from './pair-names.ts';
import { grouped } from './texts.ts';
import { WORDS } from './words.ts';

/** A moment in milliseconds as a field for it shows it: UTC, to the second. */
function utcField(value: string): string {
  return new Date(Number(value)).toISOString().slice(0, 19);
}

const DURATION = /^(\d+):([\d.]+)\s*%:([\d.]+)$/;

/** Durations as fields show them: the rate of each in percent, `30:0.8:5` as `30:80%:5`. */
function durationsInPercent(value: string): string {
  return listOf(value)
    .map((text) => {
      const [second = '', rate = '', ...rest] = text.split(':');
      return [second, `${percentOfFraction(rate) ?? rate}%`, ...rest].join(':');
    })
    .join(' ');
}

/** The same as it is sent; undefined where one of them is not seconds, a rate with its percent sign, and a minimum. */
function durationsAsFractions(value: string): string | undefined {
  const all = listOf(value).map((text) => {
    const [, second = '', rate = '', minimum = ''] = DURATION.exec(text) ?? [];
    const fraction = fractionOfPercent(rate);
    return fraction === undefined ? undefined : [second, fraction, minimum].join(':');
  });
  return all.includes(undefined) ? undefined : all.join(' ');
}

function listOf(value: string): string[] {
  return value
    .normalize('NFKC')
    .split(/[\s,]+/)
    .filter((text) => text !== '');
}

/** Why what was typed into the first wrong field cannot be sent; the server looks at everything else. */
export function problemIn(
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

/** What was typed as it is sent: moments in milliseconds, rates as fractions. */
function sentValue(field: OperationField | undefined, value: string): string {
  if (field?.kind === 'percent') return fractionOfPercent(value.normalize('NFKC')) ?? value;
  if (field?.kind === 'durations') return durationsAsFractions(value) ?? value;
  // Numbers may come from a keyboard that writes characters of full width.
  if (field?.kind === 'decimal' || field?.kind === 'whole') return value.normalize('NFKC').trim();
  return field?.kind === 'time' && value !== '' ? String(Date.parse(`${value}Z`)) : value;
}

/** What is sent as a field shows it: a switch is on or off, a moment is no number, a pair has its name, a rate is in percent. */
export function shownValue(field: OperationField | undefined, value: string): string {
  if (field?.kind === 'time') return /^\d+$/.test(value) ? utcField(value) : '';
  if (field?.kind === 'text') return withPairNames(value);
  if (field?.kind === 'percent') return percentOfFraction(value) ?? value;
  if (field?.kind === 'durations') return durationsInPercent(value);
  if (field?.kind !== 'switch') return value;
  return value === 'true' || value === '1' ? '1' : '0';
}

/** A field's value in words, as a comparison shows it. */
export function readValue(field: OperationField | undefined, value: string): string {
  if (field?.kind === 'switch') return value === '1' ? WORDS.yes : WORDS.no;
  if (field?.kind === 'choice') return inWords(value);
  if (field?.kind === 'percent' && value !== '') return `${value} %`;
  if (field?.kind === 'decimal' || field?.kind === 'whole') return grouped(value);
  return field?.kind === 'time' && value !== '' ? `${value.replace('T', ' ')} UTC` : value;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  En: 'en-US',
  Zh: 'zh-CN',
  Ko: 'ko-KR',
  Ja: 'ja-JP',
};

/** What a row says of a field now: its value of that name, `isOpen` for `open`, of `nameEn` the English one of `name`. */
export function startOf(row: Row, name: string): string {
  const value = row[name] ?? row[`is${name.slice(0, 1).toUpperCase()}${name.slice(1)}`];
  if (value !== undefined) return textOf(value);
  const [, base = '', language = ''] = /^(\w+)(En|Zh|Ko|Ja)$/.exec(name) ?? [];
  const byLocale = row[base];
  if (typeof byLocale !== 'object' || byLocale === null) return '';
  return textOf((byLocale as Row)[LANGUAGES[language] ?? '']);
}

/** What a row says now of the fields of an operation, as fields show it. */
export function presentOf({ path, fields }: Operation, row: Row): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...partsOf(path), ...Object.keys(fields)].map((name) => [
      name,
      shownValue(fields[name], startOf(row, name)),
    ]),
  );
}

const TO_THE_MINUTE = '2026-01-01T00:00'.length;

/** What stands in a form, by names; a switch that is off says so. */
export function typedIn(form: HTMLFormElement, { fields }: Operation): Record<string, string> {
  const off = Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'switch' ? [[name, '0']] : []));
  const all = [...new FormData(form)].map(([name, value]) => [name, value as string] as const);
  const several = Object.entries(fields).flatMap(([name, { kind }]) =>
    kind === 'several' ? [[name, chosenIn(all, name)]] : [],
  );
  const typed = all.map(([name, value]) => [
    name,
    fields[name]?.kind === 'time' && value.length === TO_THE_MINUTE ? `${value}:00` : value,
  ]);
  return Object.fromEntries([...off, ...typed, ...several]) as Record<string, string>;
}

/** All that was ticked of a field of several, as a list. */
function chosenIn(all: readonly (readonly [string, string])[], of: string): string {
  return all.flatMap(([name, value]) => (name === of ? [value] : [])).join(', ');
}

/** What of a form goes into the body, as it is sent. */
export function bodyOf({ path, fields }: Operation, typed: Readonly<Record<string, string>>) {
  const parts = partsOf(path);
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([name]) => !parts.includes(name))
      .map(([name, value]) => [name, sentValue(fields[name], value)]),
  );
}
