import { LOCALES } from '@exchange/core/locale.ts';
import { inWords, isMoment, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { useState } from 'react';
import { isByLocale } from './columns.ts';
import { actionName } from './deeds.ts';
import { cut, grouped, inShort, isId, isNumber, localTime, objectIn, percentOf, utcTime } from './texts.ts';
import { withPairNames } from './pair-names.ts';
import { headingOf, WORDS } from './words.ts';

const TO_THE_MINUTE = '2026-01-01 00:00'.length;

/** A moment on the operator's own clock; the pointer finds it in UTC. */
export function Moment({ at, isShort = false }: { readonly at: number; readonly isShort?: boolean }) {
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

/** What a thing has come to, as a word with a colour. */
function State({ name, text }: { readonly name: string; readonly text: string }) {
  // An open proposal waits; an open pair trades.
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
  return <span className={`pill ${tone}`}>{inWords(text)}</span>;
}

/** Values that are names of the code: of an entry's kind, of an account. */
const NAMES_OF_CODE = new Set(['kind', 'account', 'bucket', 'topic']);

/** Such a name in words: `seconds.won` is `Seconds: won`. */
function nameInWords(text: string): string {
  const [first = '', ...rest] = text.split('.');
  const of = headingOf(first);
  return rest.length === 0 ? of : `${of}: ${inWords(rest.join(' '))}`;
}

const PERSON = new Set(['user', 'owner']);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a value is a user's id, who has a page. */
function isPerson(name: string, text: string): boolean {
  return PERSON.has(name) && UUID.test(text);
}

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  /** The row that it stands in: a mail address leads to the page of the user whose it is. */
  readonly row: Row;
}

/** One value as a table shows it: on one line, and long ids cut in the middle. */
export function Value({ name, value, row }: ValueProps) {
  const shown = isByLocale(value) ? value['en-US'] : value;
  if (shown === null || shown === undefined || shown === '') return null;
  // What happened is listed to the second, what begins or ends to the minute.
  if (isMoment(name, shown)) return <Moment at={shown as number} isShort={name !== 'at'} />;
  const text = textOf(shown);
  if (name === 'email' && UUID.test(textOf(row['user'])))
    return <a href={`#users/${textOf(row['user'])}`}>{text}</a>;
  if (isPerson(name, text)) return <a href={`#users/${text}`}>{cut(text)}</a>;
  if (typeof shown === 'boolean') return shown ? WORDS.yes : <span className="dim">{WORDS.no}</span>;
  if (STATES.has(name)) return <State name={name} text={text} />;
  if (name === 'action' || name === 'operation') return actionName(text);
  if (NAMES_OF_CODE.has(name)) return nameInWords(text);
  const object = objectIn(shown);
  if (object !== undefined) return inShort(object);
  const percent = percentOf(name, text);
  if (percent !== undefined) return <span title={text}>{percent}</span>;
  if (isNumber(name, shown)) return grouped(text);
  return isId(text) ? <span title={text}>{cut(text)}</span> : inWords(withPairNames(text));
}

/** The same value in full, as details show it. */
function Whole({ name, value, row }: ValueProps) {
  const text = textOf(value);
  if (isMoment(name, value))
    return (
      <>
        <Moment at={value as number} />
        <span className="dim utc">{utcTime(value as number)}</span>
      </>
    );
  if (isByLocale(value)) return <ByLocale value={value} />;
  const object = objectIn(value);
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
  return LOCALES.filter((locale) => textOf(value[locale]) !== '').map((locale) => (
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
      aria-label={`${WORDS.copy} ${cut(text)}`}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {isCopied ? WORDS.copied : WORDS.copy}
    </button>
  );
}

/** What the table's age says better. */
const LEFT_OUT = new Set(['waitingMinutes']);

/** Ids and hashes tell people least. */
function isLast(name: string): boolean {
  return ['id', 'hash', 'entry', 'reference', 'session'].includes(name);
}

/** All of one row, by names. */
export function Details({ row }: { readonly row: Row }) {
  return (
    <dl className="details">
      {Object.entries(row)
        .toSorted(([one], [other]) => Number(isLast(one)) - Number(isLast(other)))
        .filter(([name, value]) => !LEFT_OUT.has(name) && !['', '{}', '[]'].includes(textOf(value)))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{headingOf(name)}</dt>
            <dd>
              <Whole name={name} value={value} row={row} />
            </dd>
          </div>
        ))}
    </dl>
  );
}
