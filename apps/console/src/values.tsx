import { LOCALES } from '@exchange/core/locale.ts';
import { operationNamed } from '@exchange/web-kit/console/described.ts';
import {
  camelToWords,
  type Column,
  type Columns,
  formatValue,
  type Operation,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { copyText } from '@exchange/web-kit/form/clipboard.ts';
import { type ReactNode, useState } from 'react';
import { columnName } from './columns.ts';
import { durationLines } from './durations.ts';
import { readValue, shownValue } from './form-values.ts';
import { actionName } from './operations.ts';
import {
  formatNumber,
  isId,
  localTime,
  nameInWords,
  parseObject,
  percentOf,
  shorten,
  summarize,
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

/** A status as words, in the colour that the column's description assigns to this status. */
function Status({ column: { tones = {} }, text }: { readonly column: Column; readonly text: string }) {
  return <span className={`pill ${tones[text] ?? ''}`}>{camelToWords(text)}</span>;
}

interface ValueProps {
  readonly column: Column;
  readonly value: unknown;
  /** The table row that contains the value; the format of some columns depends on the values of other columns. */
  readonly row: Row;
}

/** The renderer of a value in a table cell, by kind of column. */
const SHOWN: Readonly<Record<Column['kind'], (text: string, props: ValueProps) => ReactNode>> = {
  text: (text) => text,
  id: (text) => (isId(text) ? <span title={text}>{shorten(text)}</span> : text),
  user: (text) => <a href={`#users/${text}`}>{shorten(text)}</a>,
  email: (text, { column: { userIn = '' }, row }) => {
    const user = formatValue(row[userIn]);
    return user === '' ? text : <a href={`#users/${user}`}>{text}</a>;
  },
  uid: (text) => text,
  ordinal: (text) => text,
  instant: (_, { column, value }) => <Time at={value as number} isShort={column.isExact !== true} />,
  flag: (_, { value }) => (value === true ? WORDS.yes : <span className="dim">{WORDS.no}</span>),
  status: (text, { column }) => <Status column={column} text={text} />,
  word: (text) => camelToWords(text),
  term: (text) => nameInWords(text),
  pairs: (text) => withPairNames(text),
  operation: (text) => actionName(text),
  record: (text, { value }) => {
    const object = parseObject(value);
    return object === undefined ? camelToWords(text) : summarize(object);
  },
  durations: (text) => durationLines(text).replaceAll('\n', ' · '),
  rate: (text) => <span title={text}>{percentOf(text)}</span>,
  amount: (text) => formatNumber(text),
  figure: (text) => formatNumber(text),
  count: (text) => formatNumber(text),
  texts: (_, { value }) => textIn(value, 'en-US'),
  picture: (text) => text,
};

/**
 * Returns the text in the given language of a value that contains texts in several languages; empty without
 * such a text.
 */
function textIn(value: unknown, locale: string): string {
  return typeof value === 'object' && value !== null ? formatValue((value as Row)[locale]) : '';
}

/** A value in a table cell: on one line, with long ids shortened. */
export function Value(props: ValueProps) {
  const text = formatValue(props.value);
  return text === '' ? null : SHOWN[props.column.kind](text, props);
}

/** The complete value without shortening, for the details of a row. */
function FullValue(props: ValueProps) {
  const { column, value, row } = props;
  const text = formatValue(value);
  if (column.kind === 'instant')
    return (
      <>
        <Time at={value as number} />
        <span className="dim utc">{utcTime(value as number)}</span>
      </>
    );
  if (column.kind === 'texts') return <ByLocale value={value} />;
  const object = column.kind === 'record' ? parseObject(value) : undefined;
  if (object !== undefined) return <CallValues values={object} operation={row[column.operationIn ?? '']} />;
  if ((column.kind === 'id' || column.kind === 'user') && isId(text))
    return (
      <span className="id">
        {column.kind === 'user' ? <a href={`#users/${text}`}>{text}</a> : <code>{text}</code>}
        <Copy text={text} />
      </span>
    );
  return <Value {...props} />;
}

/** The field values of a recorded operation request, labelled and formatted like the fields of its form. */
function CallValues({ values, operation }: { readonly values: Row; readonly operation: unknown }) {
  const fields: Operation['fields'] = operationNamed(formatValue(operation))?.fields ?? {};
  return (
    <dl className="details">
      {Object.entries(values)
        .filter(([, value]) => formatValue(value) !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{fields[name]?.label ?? headingOf(name)}</dt>
            <dd>
              <CallValue field={fields[name]} text={formatValue(value)} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function CallValue({
  field,
  text,
}: {
  readonly field: Operation['fields'][string] | undefined;
  text: string;
}) {
  if (!isId(text)) return withPairNames(readValue(field, shownValue(field, text)));
  return (
    <span className="id">
      <code>{text}</code>
      <Copy text={text} />
    </span>
  );
}

function ByLocale({ value }: { readonly value: unknown }) {
  return LOCALES.filter((locale) => textIn(value, locale) !== '').map((locale) => (
    <p key={locale} className="of-language">
      <span className="dim">{WORDS.languages.get(locale)}</span>{' '}
      <span lang={locale}>{textIn(value, locale)}</span>
    </p>
  ));
}

function Copy({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState<boolean>();
  return (
    <button
      type="button"
      className="copy"
      aria-label={`${WORDS.copy} ${shorten(text)}`}
      onClick={() => void copyText(text).then(setCopied)}
    >
      {isCopied === undefined ? WORDS.copy : isCopied ? WORDS.copied : WORDS.copyFailed}
    </button>
  );
}

interface DetailsProps {
  readonly columns: Columns;
  readonly row: Row;
}

/**
 * Definition list of a row's values, in the sequence of the column descriptions. Columns without a description, hidden
 * columns and empty values are omitted.
 */
export function Details({ columns, row }: DetailsProps) {
  return (
    <dl className="details">
      {Object.entries(columns)
        .filter(
          ([name, { isHidden }]) => isHidden !== true && !['', '{}', '[]'].includes(formatValue(row[name])),
        )
        .map(([name, column]) => (
          <div key={name}>
            <dt>{columnName(columns, name)}</dt>
            <dd>
              <FullValue column={column} value={row[name]} row={row} />
            </dd>
          </div>
        ))}
    </dl>
  );
}
