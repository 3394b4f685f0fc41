import { cellOf, isMoment, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { headingOf, WORDS } from './words.ts';

interface Props {
  readonly shown: readonly Row[];
  readonly row: Row | undefined;
  readonly setChosen: Dispatch<SetStateAction<number>>;
  readonly label: string;
}

/** Rows of a list; the chosen one is what forms beside it begin with. */
export function RowTable({ shown, row, setChosen, label }: Props) {
  const columns = columnsOf(shown.slice(0, 20));
  const region = useRef<HTMLDivElement>(null);
  const at = row === undefined ? -1 : shown.indexOf(row);
  useEffect(() => {
    // The keys go on to rows that are out of sight.
    region.current?.querySelectorAll('tbody tr')[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div ref={region} className="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th
                key={name}
                scope="col"
                className={isAmount(name, firstOf(shown, name)) ? 'number' : undefined}
              >
                {headingOf(name)}
                {shown.some((one) => isMoment(name, one[name])) && ` (${ZONE})`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one, index) => (
            <tr
              key={textOf(one['id'] ?? one['sequence'] ?? index)}
              aria-current={index === at ? 'true' : undefined}
              onClick={() => setChosen(index)}
            >
              {columns.map((name) => (
                <Cell key={name} name={name} value={one[name]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ZONE = 'UTC';

/** The first value that a column has, which says what kind of column it is. */
function firstOf(rows: readonly Row[], name: string): unknown {
  return rows.find((row) => textOf(row[name] ?? '') !== '')?.[name];
}

/** The columns that rows have; ids tell people least, so they come last. */
function columnsOf(rows: readonly Row[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.toSorted((one, other) => Number(isId(one, rows)) - Number(isId(other, rows)));
}

function isId(name: string, rows: readonly Row[]): boolean {
  return name === 'id' && rows.some((row) => UUID.test(textOf(row[name])));
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const LONG = 22;
const ENDS = 8;

/** Amounts stand at the end, and ids and addresses are cut in the middle: all of them is in the details. */
function Cell({ name, value }: { readonly name: string; readonly value: unknown }) {
  const whole = cellOf(name, isByLocale(value) ? value[ENGLISH] : value);
  // The zone stands in the heading.
  const text = isMoment(name, value) ? whole.replace(` ${ZONE}`, '') : whole;
  const isCut = text.length > LONG && !/[ @]/.test(text);
  const shown = isCut ? `${text.slice(0, ENDS)}…${text.slice(-ENDS)}` : text;
  return (
    <td className={isAmount(name, value) ? 'number' : undefined} title={isCut ? text : undefined}>
      {isPerson(name, text) ? <a href={`#users/${text}`}>{shown}</a> : shown}
    </td>
  );
}

const PERSON = new Set(['user', 'owner']);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a value is a user's id, who has a page. */
function isPerson(name: string, text: string): boolean {
  return PERSON.has(name) && UUID.test(text);
}

function isAmount(name: string, value: unknown): boolean {
  return !isMoment(name, value) && NUMBER.test(textOf(value ?? ''));
}

const ENGLISH = 'en-US';

/** Whether a value is one text in several languages. */
function isByLocale(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && ENGLISH in value;
}

/** All of one row. */
export function Details({ row }: { readonly row: Row }) {
  return (
    <dl>
      {Object.entries(row)
        .filter(([, value]) => textOf(value) !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{headingOf(name)}</dt>
            <dd>
              {isPerson(name, textOf(value)) ? (
                <a href={`#users/${textOf(value)}`}>{textOf(value)}</a>
              ) : isByLocale(value) ? (
                Object.entries(value).map(([locale, text]) => (
                  <p key={locale} lang={locale}>
                    <span className="dim">{locale}</span> {text}
                  </p>
                ))
              ) : (
                cellOf(name, value)
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** All of the chosen row; what is long is scrolled, so that the forms behind it stay near. */
export function ChosenRow({ row }: { readonly row: Row }) {
  return (
    <div className="details" tabIndex={0} role="region" aria-label={WORDS.details}>
      <Details row={row} />
    </div>
  );
}
