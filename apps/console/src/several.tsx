import {
  callOperators,
  formatValue,
  pathParametersOf,
  type Operation,
  type OperatorWarning,
  type Row,
  type RowsDescription,
} from '@exchange/web-kit/console/calls.ts';
import { decideSeveral } from '@exchange/web-kit/console/described.ts';
import { randomId } from '@exchange/web-kit/random-id.ts';
import { type FormEvent, useRef, useState } from 'react';
import { CODE_FIELD, CodeField, DemoCodes } from './code-field.tsx';
import { Fields, type Refused } from './form-fields.tsx';
import { bodyOf, formValues, validationError } from './form-values.ts';
import { appliesTo, concerns, subjectOf } from './operations.ts';
import { usePeriod } from './period.tsx';
import { usePresence, useSession } from './session.ts';
import { WORDS } from './words.ts';

/** Returns the operations of a list that can decide several rows with one confirmation. */
export function severalOperations(
  actions: readonly Operation[],
  list: Operation | undefined,
): readonly Operation[] {
  return actions.filter((operation) => operation.takesSeveral && concerns(operation, list?.path));
}

interface Props {
  readonly operations: readonly Operation[];
  readonly rows: RowsDescription;
  /** The checked rows that the list shows at present. */
  readonly marked: readonly Row[];
  readonly onClear: () => void;
  /**
   * Called when the server has returned the outcomes of a decision on the checked rows, also refused ones.
   */
  readonly onDone: () => void;
}

interface Outcome {
  readonly row: Readonly<Record<string, string>>;
  readonly state: 'done' | 'refused' | 'failed';
  readonly error: string;
}

interface Result {
  readonly operation: Operation;
  readonly rows: readonly Row[];
  readonly outcomes: readonly Outcome[];
}

/**
 * Buttons of the decisions on the checked rows, the form of the chosen decision, and after the decision the
 * outcome for each row. Renders nothing while no row is checked and there is no outcome.
 */
export function SeveralBar({ operations, rows, marked, onClear, onDone }: Props) {
  const { name } = useSession();
  const [open, setOpen] = useState<Operation>();
  const [result, setResult] = useState<Result>();
  if (marked.length === 0 && result === undefined) return null;
  const decidable = (operation: Operation) =>
    marked.filter((row) => appliesTo(operation, row) && isFree(row, name));
  return (
    <section className="several" aria-label={WORDS.several.title}>
      {result !== undefined && <Outcomes rows={rows} result={result} onClose={() => setResult(undefined)} />}
      {marked.length > 0 && (
        <div className="bar" role="group" aria-label={WORDS.several.title}>
          <strong>
            {marked.length} {WORDS.several.marked}
          </strong>
          {operations.map((operation) => {
            const count = decidable(operation).length;
            return (
              <button
                key={operation.path}
                type="button"
                className={`button ${operation.emphasis ?? ''}`}
                disabled={count === 0}
                aria-expanded={open === operation}
                onClick={() => {
                  setResult(undefined);
                  setOpen(open === operation ? undefined : operation);
                }}
              >
                {operation.name} ({count})
              </button>
            );
          })}
          <button type="button" className="link" onClick={onClear}>
            {WORDS.several.clear}
          </button>
        </div>
      )}
      {open !== undefined && decidable(open).length > 0 && (
        <SeveralForm
          key={open.path}
          operation={open}
          rows={rows}
          marked={decidable(open)}
          onClose={() => setOpen(undefined)}
          onDone={(outcomes, decidedRows) => {
            setOpen(undefined);
            setResult({ operation: open, rows: decidedRows, outcomes });
            onDone();
          }}
        />
      )}
    </section>
  );
}

/** True when no operator or the operator `name` has claimed the row. */
function isFree(row: Row, name: string): boolean {
  const claimedBy = formatValue(row['claimedBy']);
  return claimedBy === '' || claimedBy === name;
}

interface FormProps {
  readonly operation: Operation;
  readonly rows: RowsDescription;
  readonly marked: readonly Row[];
  readonly onClose: () => void;
  readonly onDone: (outcomes: readonly Outcome[], rows: readonly Row[]) => void;
}

/**
 * Returns the body of the request that applies one decision to all rows that the operator has checked
 * (`marked`): the operation, the path parameters of each row, the typed values and the reason.
 */
function severalBody(operation: Operation, marked: readonly Row[], typed: Readonly<Record<string, string>>) {
  const { reason = '', ...values } = bodyOf(operation, typed);
  const names = pathParametersOf(operation.path);
  const rows = marked.map((row) => Object.fromEntries(names.map((name) => [name, formatValue(row[name])])));
  return {
    operation: `${operation.method} ${operation.path}`,
    rows: JSON.stringify(rows),
    values: JSON.stringify(values),
    reason,
  };
}

/** Form with the fields of a decision on those checked rows that can be decided, followed by one confirmation. */
function SeveralForm({ operation, rows, marked, onClose, onDone }: FormProps) {
  const { onEnded, returns } = usePresence();
  const { mode } = useSession();
  const { refetch } = usePeriod();
  const [checked, setChecked] = useState<{
    readonly body: Readonly<Record<string, string>>;
    readonly rows: readonly Row[];
    readonly warnings: readonly OperatorWarning[];
    readonly needsCode: boolean;
  }>();
  const [refused, setRefused] = useState<Refused>();
  const [isBusy, setBusy] = useState(false);
  const [code, setCode] = useState('');
  const [tries, setTries] = useState(0);
  const key = useRef('');
  const refuse = (status: number, body: Row, error: string) => {
    const seconds = formatValue(body['seconds']);
    if (status === 401) onEnded(body['key'] === undefined ? undefined : error);
    else
      setRefused({
        field: formatValue(body['field']),
        error,
        seconds: seconds === '' ? undefined : Number(seconds),
      });
  };
  const check = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = formValues(event.currentTarget, operation);
    const problem = validationError(operation, typed);
    setRefused(problem);
    if (problem !== undefined || isBusy) return;
    setBusy(true);
    const body = severalBody(operation, marked, typed);
    const answer = await callOperators(`${decideSeveral.path}/check`, body);
    setBusy(false);
    if (answer.error !== undefined) {
      refuse(answer.status, answer.body, answer.error);
      return;
    }
    key.current = randomId();
    setChecked({
      body,
      rows: marked,
      warnings: (answer.body['warnings'] ?? []) as readonly OperatorWarning[],
      needsCode: answer.body['needsCode'] !== false,
    });
  };
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    if (checked === undefined || isBusy) return;
    setBusy(true);
    const fields = code === '' ? checked.body : { ...checked.body, [CODE_FIELD]: code };
    const { status, body, error } = await callOperators(decideSeveral.path, fields, { key: key.current });
    setBusy(false);
    refetch();
    if (error === undefined) {
      onDone(body['outcomes'] as readonly Outcome[], checked.rows);
      return;
    }
    // Without a response (status 0) the outcome is unknown, so the confirmation and the typed code stay
    // unchanged and may be sent again.
    if (status === 0) {
      setRefused({ field: '', error });
      return;
    }
    setCode('');
    setTries((count) => count + 1);
    refuse(status, body, error);
    if (formatValue(body['field']) === CODE_FIELD) setChecked({ ...checked, needsCode: true });
  };
  const isCodeRefused = refused?.field === CODE_FIELD;
  return (
    <section className="form" aria-label={`${operation.name}, ${WORDS.several.title}`}>
      <header>
        <h2>
          {operation.name}: {(checked?.rows ?? marked).length} {WORDS.several.marked}
        </h2>
        <button type="button" className="link" onClick={onClose}>
          {WORDS.cancel}
        </button>
      </header>
      <p className="dim">{operation.summary}</p>
      {refused !== undefined && !isCodeRefused && (
        <p role="alert" className="error">
          {refused.error}
        </p>
      )}
      <ol className="items">
        {(checked?.rows ?? marked).map((row, index) => (
          <li key={index}>
            {subjectOf(rows, row)}
            <Warning warnings={checked?.warnings ?? []} id={idOf(operation, row)} />
          </li>
        ))}
      </ol>
      <form onSubmit={(event) => void check(event)} hidden={checked !== undefined}>
        <Fields operation={operation} entered={[]} row={{}} filled={{}} refused={refused} />
        <button type="submit" className="button main" aria-disabled={isBusy}>
          {isBusy ? WORDS.checking : WORDS.preview}
        </button>
      </form>
      {checked !== undefined && (
        <form className="preview" onSubmit={(event) => void confirm(event)}>
          <div className="confirming">
            {checked.needsCode ? (
              <CodeField
                key={`${tries} ${returns}`}
                code={code}
                refused={isCodeRefused ? refused : undefined}
                onCode={setCode}
              />
            ) : (
              <p className="dim">{WORDS.period.confirms}</p>
            )}
            <div className="bar">
              <button
                type="button"
                className="button"
                disabled={isBusy}
                onClick={() => setChecked(undefined)}
              >
                {WORDS.change}
              </button>
              <button type="submit" className="button main" aria-disabled={isBusy}>
                {isBusy ? WORDS.sending : WORDS.confirm}
              </button>
            </div>
            {checked.needsCode && mode === 'demo' && <DemoCodes />}
          </div>
        </form>
      )}
    </section>
  );
}

/**
 * Returns the values of the path parameters of a row, joined with spaces; the server identifies the row by
 * them in an outcome.
 */
function idOf(operation: Operation, row: Row): string {
  return pathParametersOf(operation.path)
    .map((name) => formatValue(row[name]))
    .join(' ');
}

/**
 * The server's reason why the decision on this row would be refused at present; renders nothing if it would be
 * accepted.
 */
function Warning({ warnings, id }: { readonly warnings: readonly OperatorWarning[]; readonly id: string }) {
  const warning = warnings.find(({ text }) => text.startsWith(`${id}: `));
  if (warning === undefined) return null;
  return <span className="error"> {warning.text.slice(id.length + 2)}</span>;
}

interface OutcomesProps {
  readonly rows: RowsDescription;
  readonly result: Result;
  readonly onClose: () => void;
}

/** Lists, for each decided row, whether the decision was executed, refused or failed. */
function Outcomes({ rows, result: { operation, rows: decided, outcomes }, onClose }: OutcomesProps) {
  const subjects = new Map(decided.map((row) => [idOf(operation, row), subjectOf(rows, row)]));
  const done = outcomes.filter(({ state }) => state === 'done').length;
  return (
    <div role="status" className="told">
      <div>
        <strong>
          {operation.name}: {done} {WORDS.several.done}
          {done < outcomes.length && `, ${outcomes.length - done} ${WORDS.several.refused}`}
        </strong>
        <ol className="items">
          {outcomes.map(({ row, state, error }) => {
            const id = Object.values(row).join(' ');
            return (
              <li key={id}>
                {subjects.get(id) ?? id}:{' '}
                {state === 'done' ? WORDS.done : <span className="error">{error}</span>}
              </li>
            );
          })}
        </ol>
      </div>
      <button type="button" className="link" onClick={onClose}>
        {WORDS.dismiss}
      </button>
    </div>
  );
}
