import {
  addressOf,
  callOperators,
  type Operation,
  type OperationField,
  partsOf,
  rowsOf,
  inWords,
  textOf,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { deedName, subjectOf } from './deeds.ts';
import { headingOf, WORDS } from './words.ts';

interface Props {
  readonly operation: Operation;
  /** What is chosen in the list beside: its values are what the form begins with. */
  readonly row: Row;
  readonly onDone: () => Promise<void>;
  /** Named parts of the path that are given and not asked for. */
  readonly given?: Row;
}

const NONE: Row = {};

/** The form of one operation: filled in, looked over against what is now, then sent. */
export function OperationForm({ operation, row, onDone, given = NONE }: Props) {
  const { method, path, fields } = operation;
  const [previewed, setPreviewed] = useState<Record<string, string>>();
  const [message, setMessage] = useState('');
  const [error, setError] = useState('');
  const [found, setFound] = useState<readonly Row[]>([]);
  const parts = partsOf(path);
  const filled = Object.fromEntries(
    [...parts, ...Object.keys(fields)].map((name) => [name, shownStart(fields[name], startOf(row, name))]),
  );
  const read = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const off = Object.entries(fields).flatMap(([name, { kind }]) =>
      kind === 'switch' ? [[name, '0']] : [],
    );
    const typed = [...data].map(([name, value]) => [name, value as string]);
    const sent = Object.fromEntries([...off, ...typed]) as Record<string, string>;
    if (method === 'GET') void send(sent);
    else setPreviewed(sent);
  };
  const send = async (sent: Record<string, string>) => {
    const address = addressOf(path, { ...sent, ...given });
    const body = Object.fromEntries(
      Object.entries(sent)
        .filter(([name]) => !parts.includes(name))
        .map((entry) => sentOf(fields, entry)),
    );
    const answer = await callOperators(address, method === 'GET' ? undefined : body);
    setPreviewed(undefined);
    setError(answer.error ?? '');
    setFound(rowsOf(answer.body));
    if (answer.error !== undefined) return;
    const code = answer.body['setUpCode'];
    const codes = answer.body['recoveryCodes'];
    const told = [
      code === undefined ? '' : ` ${WORDS.setUpCode}: ${textOf(code)}`,
      Array.isArray(codes) ? ` ${WORDS.recoveryCodes} ${codes.join('  ')}` : '',
    ].join('');
    setMessage(answer.status === 202 ? WORDS.proposed : WORDS.done + told);
    if (method === 'POST') await onDone();
  };
  return (
    <details data-deed={path.split('/').at(-1)}>
      <summary>{deedName(operation)}</summary>
      <About {...{ operation, row, given }} />
      <form onSubmit={read} hidden={previewed !== undefined}>
        <Fields {...{ operation, filled, given }} />
        <button type="submit" className="button">
          {method === 'GET' ? WORDS.open : WORDS.preview}
        </button>
      </form>
      {previewed !== undefined && (
        <Preview
          {...{ fields, filled, previewed }}
          onBack={() => setPreviewed(undefined)}
          onConfirm={() => void send(previewed)}
        />
      )}
      <p role="status">{message}</p>
      <p role="alert" className="error">
        {error}
      </p>
      {found.map((one, index) => (
        <Evidence key={index} row={one} />
      ))}
    </details>
  );
}

/** What the operation does, and which row the form is about. */
function About({ operation, row, given }: { operation: Operation; row: Row; given: Row }) {
  const { path, summary, mayNeedApproval } = operation;
  const isAbout = partsOf(path).some((name) => given[name] === undefined && row[name] !== undefined);
  const subject = isAbout ? subjectOf(row) : '';
  return (
    <>
      <p className="dim">{summary}</p>
      {subject !== '' && (
        <p className="subject">
          {WORDS.chosen} <strong>{subject}</strong>
        </p>
      )}
      {mayNeedApproval && <p className="dim">{WORDS.needsSecond}</p>}
    </>
  );
}

/** The named parts of the path, the fields, and the reason. */
function Fields(props: { operation: Operation; filled: Readonly<Record<string, string>>; given: Row }) {
  const { operation, filled, given } = props;
  const { method, path, fields } = operation;
  const asked = partsOf(path).filter((name) => given[name] === undefined);
  return (
    <>
      {asked.map((name) =>
        name === 'id' ? (
          <input key={name} type="hidden" name={name} value={filled[name]} />
        ) : (
          <label key={name}>
            {headingOf(name)}
            <input name={name} defaultValue={filled[name]} required />
          </label>
        ),
      )}
      {Object.entries(fields).map(([name, field]) => (
        <Field key={name} name={name} field={field} value={filled[name] ?? ''} />
      ))}
      {method === 'POST' && (
        <label>
          {WORDS.reason}
          <input name="reason" maxLength={500} required />
        </label>
      )}
    </>
  );
}

interface PreviewProps {
  readonly fields: Operation['fields'];
  readonly filled: Readonly<Record<string, string>>;
  readonly previewed: Readonly<Record<string, string>>;
  readonly onBack: () => void;
  readonly onConfirm: () => void;
}

/** What is now beside what is asked for. */
function Preview({ fields, filled, previewed, onBack, onConfirm }: PreviewProps) {
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  return (
    <div>
      <table>
        <caption>{WORDS.changes}</caption>
        <thead>
          <tr>
            <th scope="col">{WORDS.field}</th>
            <th scope="col">{WORDS.now}</th>
            <th scope="col">{WORDS.next}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(previewed).map(([name, value]) => (
            <tr key={name} className={value === (filled[name] ?? '') ? 'dim' : 'changed'}>
              <th scope="row">{fields[name]?.label ?? headingOf(name)}</th>
              <td>{previewText(fields[name], filled[name] ?? '')}</td>
              <td>{previewText(fields[name], value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className="button" onClick={onBack}>
        {WORDS.change}
      </button>{' '}
      <button ref={confirm} type="button" className="button main" onClick={onConfirm}>
        {WORDS.confirm}
      </button>
    </div>
  );
}

function previewText(field: OperationField | undefined, value: string): string {
  if (field?.kind !== 'switch') return value;
  return value === '1' ? WORDS.yes : WORDS.no;
}

/** What was opened; links to pictures are shown as the pictures. */
function Evidence({ row }: { readonly row: Row }) {
  return (
    <dl>
      {Object.entries(row).map(([name, value]) => (
        <div key={name}>
          <dt>{headingOf(name)}</dt>
          <dd>
            {textOf(value).includes('/evidence/') ? <img src={textOf(value)} alt={name} /> : textOf(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: OperationField;
  readonly value: string;
}

function Field({ name, field, value }: FieldProps) {
  const { label, kind, choices = [], isOptional = false } = field;
  if (kind === 'switch')
    return (
      <label className="line">
        <input type="checkbox" name={name} value="1" defaultChecked={value === 'true' || value === '1'} />{' '}
        {label}
      </label>
    );
  return (
    <label>
      {kind === 'time' ? `${label} (UTC)` : label}
      {kind === 'choice' ? (
        <select name={name} defaultValue={value} required={!isOptional}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {inWords(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'longText' ? (
        <textarea name={name} defaultValue={value} rows={3} required={!isOptional} />
      ) : (
        <input
          name={name}
          defaultValue={value}
          {...(kind === 'time'
            ? { type: 'datetime-local', step: 1 }
            : kind === 'day'
              ? { type: 'date' }
              : { inputMode: kind === 'text' ? ('text' as const) : ('decimal' as const) })}
          required={!isOptional}
        />
      )}
    </label>
  );
}

/** A moment in milliseconds as a field for it shows it: UTC, to the second. */
function localOf(value: string): string {
  return new Date(Number(value)).toISOString().slice(0, 19);
}

/** What was typed as it is sent: moments in milliseconds. */
function sentOf(fields: Operation['fields'], [name, value]: readonly [string, string]): [string, string] {
  const isMoment = fields[name]?.kind === 'time' && value !== '';
  return [name, isMoment ? String(Date.parse(`${value}Z`)) : value];
}

/** What a field begins with as it is shown: a switch is on or off, a moment is no number. */
function shownStart(field: OperationField | undefined, value: string): string {
  if (field?.kind === 'time') return value === '' ? '' : localOf(value);
  if (field?.kind !== 'switch') return value;
  return value === 'true' || value === '1' ? '1' : '0';
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ En: 'en-US', Zh: 'zh-CN', Ko: 'ko-KR', Ja: 'ja-JP' },
};

/** What a field begins with: the row's value of its name; of `nameEn` the English one of `name`. */
function startOf(row: Row, name: string): string {
  const value = row[name];
  if (value !== undefined && name !== 'status') return textOf(value);
  const [, base = '', language = ''] = /^(\w+)(En|Zh|Ko|Ja)$/.exec(name) ?? [];
  const byLocale = row[base];
  if (typeof byLocale !== 'object' || byLocale === null) return '';
  return textOf((byLocale as Row)[LANGUAGES[language] ?? '']);
}
