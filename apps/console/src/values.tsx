import { LOCALES } from '@exchange/core/locale.ts';
import { camelToWords, isTimestamp, formatValue, type Row } from '@exchange/web-kit/console/calls.ts';
import { useState } from 'react';
import { isByLocale } from './columns.ts';
import { actionName } from './operations.ts';
import {
  shorten,
  formatNumber,
  summarize,
  isId,
  isNumber,
  localTime,
  parseObject,
  percentOf,
  utcTime,
} from './texts.ts';
import { withPairNames } from './pair-names.ts';
import { headingOf, WORDS } from './words.ts';

const TO_THE_MINUTE = '2026-01-01 00:00'.length;

/** A time in the operator's time zone, with UTC as its tooltip. */
export function Time({ at, isShort = false }: { readonly at: number; readonly isShort?: boolean }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={utcTime(at)}>
      {isShort ? localTime(at).slice(0, TO_THE_MINUTE) : localTime(at)}
    </time>
  );
}

const GOOD = new Set(['open', 'on', 'verified', 'done', 'completed', 'credited', 'up', 'settled', 'covered']);
const WAITS = new Set([
  'pending',
  'in review',
  'processing',
  'running',
  'proposed',
  'warming',
  'cancelOnly',
  'not known',
]);
const BAD = new Set([
  'rejected',
  'failed',
  'closed',
  'off',
  'refused',
  'interrupted',
  'expired',
  'down',
  'short',
]);
const STATES = new Set(['status', 'state', 'event', 'identity', 'stage']);

/** A status as a coloured word. */
function State({ name, text }: { readonly name: string; readonly text: string }) {
  // The state `open` means pending for a proposal, but trading for a pair.
  const tone =
    name === 'state' && text === 'open'
      ? 'waits'
      : GOOD.has(text)
        ? 'good'
        : WAITS.has(text)
          ? 'waits'
          : BAD.has(text)
            ? 'bad'
            : '';
  return <span className={`pill ${tone}`}>{camelToWords(text)}</span>;
}

/** Fields whose values are internal names, such as the kind of a ledger entry. */
const NAMES_OF_CODE = new Set(['kind', 'account', 'bucket', 'topic']);

/** Converts an internal name to words: `seconds.won` becomes `Seconds: won`. */
function nameInWords(text: string): string {
  const [first = '', ...rest] = text.split('.');
  const group = headingOf(first);
  return rest.length === 0 ? group : `${group}: ${camelToWords(rest.join(' '))}`;
}

const PERSON = new Set(['user', 'owner']);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True when the value is a user id, which links to the user's page. */
function isPerson(name: string, text: string): boolean {
  return PERSON.has(name) && UUID.test(text);
}

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  /** The row that contains the value; an email address links to the page of the row's user. */
  readonly row: Row;
}

/** A value in a table cell: on one line, with long ids shortened. */
export function Value({ name, value, row }: ValueProps) {
  const shown = isByLocale(value) ? value['en-US'] : value;
  if (shown === null || shown === undefined || shown === '') return null;
  // Times of events are shown to the second, starts and ends to the minute.
  if (isTimestamp(name, shown)) return <Time at={shown as number} isShort={name !== 'at'} />;
  const text = formatValue(shown);
  if (name === 'email' && UUID.test(formatValue(row['user'])))
    return <a href={`#users/${formatValue(row['user'])}`}>{text}</a>;
  if (isPerson(name, text)) return <a href={`#users/${text}`}>{shorten(text)}</a>;
  if (typeof shown === 'boolean') return shown ? WORDS.yes : <span className="dim">{WORDS.no}</span>;
  if (STATES.has(name)) return <State name={name} text={text} />;
  if (name === 'action' || name === 'operation') return actionName(text);
  if (NAMES_OF_CODE.has(name)) return nameInWords(text);
  const object = parseObject(shown);
  if (object !== undefined) return summarize(object);
  const percent = percentOf(name, text);
  if (percent !== undefined) return <span title={text}>{percent}</span>;
  if (isNumber(name, shown)) return formatNumber(text);
  return isId(text) ? <span title={text}>{shorten(text)}</span> : camelToWords(withPairNames(text));
}

/** The complete value, for the details view. */
function FullValue({ name, value, row }: ValueProps) {
  const text = formatValue(value);
  if (isTimestamp(name, value))
    return (
      <>
        <Time at={value as number} />
        <span className="dim utc">{utcTime(value as number)}</span>
      </>
    );
  if (isByLocale(value)) return <ByLocale value={value} />;
  const object = parseObject(value);
  if (object !== undefined) return <Details row={object} />;
  if (isId(text))
    return (
      <span className="id">
        {isPerson(name, text) ? <a href={`#users/${text}`}>{text}</a> : <code>{text}</code>}
        <Copy text={text} />
      </span>
    );
  return <Value name={name} value={value} row={row} />;
}

function ByLocale({ value }: { readonly value: Readonly<Record<string, string>> }) {
  return LOCALES.filter((locale) => formatValue(value[locale]) !== '').map((locale) => (
    <p key={locale} className="of-language">
      <span className="dim">{WORDS.languages.get(locale)}</span> <span lang={locale}>{value[locale]}</span>
    </p>
  ));
}

function Copy({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="copy"
      aria-label={`${WORDS.copy} ${shorten(text)}`}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {isCopied ? WORDS.copied : WORDS.copy}
    </button>
  );
}

/** Fields that the age column replaces. */
const OMITTED = new Set(['waitingMinutes']);

/** Ids and hashes come last, because they are least informative. */
function isLast(name: string): boolean {
  return ['id', 'hash', 'entry', 'reference', 'session'].includes(name);
}

export function Details({ row }: { readonly row: Row }) {
  return (
    <dl className="details">
      {Object.entries(row)
        .toSorted(([a], [b]) => Number(isLast(a)) - Number(isLast(b)))
        .filter(([name, value]) => !OMITTED.has(name) && !['', '{}', '[]'].includes(formatValue(value)))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{headingOf(name)}</dt>
            <dd>
              <FullValue name={name} value={value} row={row} />
            </dd>
          </div>
        ))}
    </dl>
  );
}
