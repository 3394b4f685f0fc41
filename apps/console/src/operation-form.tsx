import {
  resolvePath,
  type Answer,
  callOperators,
  type Operation,
  pathParametersOf,
  formatValue,
  type Row,
  type CeilingNote,
  type FieldNeighbours,
  type OperatorWarning,
} from '@exchange/web-kit/console/calls.ts';
import { checkAudit, inviteOperator, renewRecoveryCodes } from '@exchange/web-kit/console/described.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Changes, unchangedRowsOf } from './changes.tsx';
import { CODE_FIELD, CodeField, DemoCodes } from './code-field.tsx';
import { Fields, type Refused } from './form-fields.tsx';
import { bodyOf, currentValues, formValues, startValues, validationError } from './form-values.ts';
import { usePeriod } from './period.tsx';
import { usePresence, useSession } from './session.ts';
import { localTime, utcTime } from './texts.ts';
import { UserView } from './user-view.tsx';
import { Ceiling, Warnings } from './warnings.tsx';
import { WORDS } from './words.ts';
import { randomId } from '@exchange/web-kit/random-id.ts';

interface Props {
  readonly operation: Operation;
  readonly title: string;
  /**
   * The row that the operation is applied to and that provides the form's initial values; empty if the operation
   * creates a record or needs no row.
   */
  readonly row: Row;
  readonly subject: string;
  /**
   * A published version that provides the form's initial values instead of the row; undefined if the row provides them.
   */
  readonly basis?: Row;
  readonly given: Row;
  readonly onDone: (told: string) => void;
  readonly onClose: () => void;
}

/**
 * The form of an operation: the input, then a preview that compares the input with the current values, and
 * the submission, which is executed once even if it is sent twice.
 */
export function OperationForm(props: Props) {
  const { operation, title, row, subject, basis, given, onDone, onClose } = props;
  const present = currentValues(operation, row);
  const filled = startValues(operation, basis === undefined ? present : currentValues(operation, basis));
  const { entered, fixed } = pathParameters(operation.path, row, given);
  const addressIn = (typed: Row) => resolvePath(operation.path, { ...typed, ...fixed, ...given });
  const submission = useSubmission({
    operation,
    row,
    addressIn,
    onDone: (answer) => onDone(outcomeText(operation, subject, answer)),
  });
  const { previewed, warnings, neighbours, ceiling, needsCode, refused, isChecking, isSending } = submission;
  const form = useRef<HTMLFormElement>(null);
  const section = useInView();
  // The first empty field of the form, or the first field if all have values, gets the focus: the button that opened
  // the form is below the form.
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>('input, select, textarea') ?? [])];
    (fields.find(({ value }) => value === '') ?? fields[0])?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (refused !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);
  const preview = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submission.check(formValues(event.currentTarget, operation));
  };
  return (
    <section ref={section} className="form" aria-label={title}>
      <FormHead operation={operation} title={title} subject={subject} onClose={onClose} />
      <FilledFrom basis={basis} operation={operation} present={present} filled={filled} />
      {refused !== undefined && refused.field !== CODE_FIELD && (
        <p role="alert" className="error">
          {refused.error}
        </p>
      )}
      <form ref={form} onSubmit={preview} hidden={previewed !== undefined}>
        <Fields operation={operation} entered={entered} row={row} filled={filled} refused={refused} />
        <button type="submit" className="button main" aria-disabled={isChecking}>
          {isChecking ? WORDS.checking : WORDS.preview}
        </button>
      </form>
      {previewed !== undefined && (
        <Preview
          operation={operation}
          isSending={isSending}
          refused={refused}
          warnings={warnings}
          neighbours={neighbours}
          needsCode={needsCode}
          ceiling={ceiling}
          now={present}
          next={previewed}
          address={addressIn(previewed)}
          onBack={submission.edit}
          onConfirm={(code) => submission.confirm(previewed, code)}
        />
      )}
    </section>
  );
}

interface SubmissionProps {
  readonly operation: Operation;
  /**
   * The row that the submitted operation changes; empty if it creates a record or needs no row. For a versioned
   * operation the request includes the row's version.
   */
  readonly row: Row;
  readonly addressIn: (typed: Row) => string;
  readonly onDone: (answer: Answer) => void;
}

/**
 * Hook with the state of a form's submission: the server validates the input, the operator sees the preview,
 * and the confirmed request is sent, with an authenticator code if one is needed.
 */
function useSubmission({ operation, row, addressIn, onDone }: SubmissionProps) {
  const [previewed, setPreviewed] = useState<Record<string, string>>();
  const [warnings, setWarnings] = useState<readonly OperatorWarning[]>([]);
  const [neighbours, setNeighbours] = useState<readonly FieldNeighbours[]>([]);
  const [needsCode, setNeedsCode] = useState(operation.takesCode);
  const [ceiling, setCeiling] = useState<CeilingNote>();
  const [refused, setRefused] = useState<Refused>();
  const [isChecking, setChecking] = useState(false);
  const [isSending, setSending] = useState(false);
  const { onEnded } = usePresence();
  const { refetch: refetchPeriod } = usePeriod();
  /** Each preview has its own idempotency key, so a confirmation that is sent twice is executed once. */
  const key = useRef('');
  const isUnderWay = useRef(false);
  const refuse = ({ status, body }: Answer, error: string) => {
    const field = formatValue(body['field']);
    // On 401 (the session has ended) the input stays in the form, so that the operator can sign in again and continue.
    if (status === 401) onEnded(body['key'] === undefined ? undefined : error);
    setRefused(status === 401 ? undefined : { field, error, seconds: secondsIn(body) });
    return field;
  };
  /**
   * Validates the fields on the page and then on the server, and opens the preview if both accept them. A refusal is
   * shown at its field, before an authenticator code is used up.
   */
  const check = async (typed: Record<string, string>) => {
    if (isChecking) return;
    const problem = validationError(operation, typed);
    setRefused(problem);
    if (problem !== undefined) return;
    setChecking(true);
    const answer = await callOperators(`${addressIn(typed)}/check`, versionedBody(operation, row, typed));
    setChecking(false);
    if (answer.error !== undefined) {
      refuse(answer, answer.error);
      return;
    }
    key.current = randomId();
    setWarnings((answer.body['warnings'] ?? []) as readonly OperatorWarning[]);
    setNeighbours((answer.body['neighbours'] ?? []) as readonly FieldNeighbours[]);
    setNeedsCode(operation.takesCode && answer.body['needsCode'] !== false);
    setCeiling(answer.body['ceiling'] as CeilingNote | undefined);
    setPreviewed(typed);
  };
  /**
   * Sends the confirmed request; does nothing while a previous one is running. Resolves to true when the same code may
   * be sent again, because the outcome is unknown or the previous request is still running; otherwise to false.
   */
  const confirm = async (typed: Record<string, string>, code: string): Promise<boolean> => {
    if (isUnderWay.current) return true;
    isUnderWay.current = true;
    setSending(true);
    const fields = confirmedBody(operation, row, typed, needsCode ? code : '');
    const answer = await callOperators(addressIn(typed), fields, { key: key.current });
    isUnderWay.current = false;
    setSending(false);
    if (operation.isRoutine) refetchPeriod();
    const { status, error } = answer;
    if (error === undefined) {
      onDone(answer);
      return false;
    }
    const field = refuse(answer, error);
    // Shows the code input when the server refused the code, or when it requires one although the operator's
    // confirmation period covered the request when the preview opened.
    if (field === CODE_FIELD) setNeedsCode(true);
    // A refusal closes the preview, except when only the authenticator code was refused or the session has
    // ended (401). Without a response (status 0) the outcome is unknown, so the preview stays and the same
    // confirmation may be sent again.
    if (status !== 0 && status !== 401 && field !== CODE_FIELD) setPreviewed(undefined);
    return status === 0;
  };
  const edit = () => setPreviewed(undefined);
  return {
    previewed,
    warnings,
    neighbours,
    ceiling,
    needsCode,
    refused,
    isChecking,
    isSending,
    check,
    confirm,
    edit,
  };
}

/**
 * Hook that returns a ref. The element with this ref is scrolled into view when it is mounted; on phones a
 * form is rendered below its subject, outside of the view.
 */
function useInView() {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The effect is a function body instead of an expression, because newer browsers return a promise from
    // scrollIntoView, and an effect must not return a promise.
    section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return section;
}

/**
 * Returns the request body without the authenticator code: the fields and, for a versioned operation, the
 * version of the row that the form displayed, or 0 if there is no such row yet.
 */
function versionedBody(
  operation: Operation,
  row: Row,
  typed: Record<string, string>,
): Record<string, string> {
  const body = bodyOf(operation, typed);
  return operation.isVersioned ? { ...body, version: formatValue(row['version']) || '0' } : body;
}

/**
 * Returns the request body: the fields, for a versioned operation the version of the row that the form
 * displayed, and the authenticator code if the operator typed one.
 */
function confirmedBody(operation: Operation, row: Row, typed: Record<string, string>, code: string) {
  const body = versionedBody(operation, row, typed);
  return operation.takesCode && code !== '' ? { ...body, [CODE_FIELD]: code } : body;
}

/**
 * Splits an operation's URL path parameters: `entered` are those that the operator must type, because neither
 * the row nor the page (`given`) contains them; `fixed` are the others with their values from the row,
 * undefined if only the page contains them.
 */
function pathParameters(path: string, row: Row, given: Row) {
  const parts = pathParametersOf(path);
  const entered = parts.filter((name) => given[name] === undefined && row[name] === undefined);
  const fixed = Object.fromEntries(
    parts.filter((name) => !entered.includes(name)).map((name) => [name, row[name]]),
  );
  return { entered, fixed };
}

/**
 * Head of the form: its title with a button that closes the form, what the operation does and whether it may
 * need a second operator, and a short description of its row, if there is one.
 */
function FormHead(props: { operation: Operation; title: string; subject: string; onClose: () => void }) {
  const { operation, title, subject, onClose } = props;
  return (
    <>
      <header>
        <h2>{title}</h2>
        <button type="button" className="link" onClick={onClose}>
          {WORDS.cancel}
        </button>
      </header>
      <p className="dim">
        {operation.summary} {operation.mayNeedApproval && WORDS.needsSecond}
      </p>
      {subject !== '' && (
        <p className="subject">
          {WORDS.chosen} <strong>{subject}</strong>
        </p>
      )}
    </>
  );
}

interface FilledFromProps {
  readonly basis: Row | undefined;
  readonly operation: Operation;
  readonly present: Readonly<Record<string, string>>;
  readonly filled: Readonly<Record<string, string>>;
}

/**
 * States which version prefilled the form, and which fields of that version differ from the published one; renders
 * nothing for a form that no version prefilled.
 */
function FilledFrom({ basis, operation: { fields }, present, filled }: FilledFromProps) {
  if (basis === undefined) return null;
  const differing = Object.entries(fields).filter(([name]) => filled[name] !== present[name]);
  return (
    <p className="dim">
      {WORDS.filledFrom} {formatValue(basis['version'])}.{' '}
      {differing.length === 0
        ? WORDS.differsInNothing
        : `${WORDS.differsIn} ${differing.map(([, { label }]) => label).join(', ')}.`}
    </p>
  );
}

interface PreviewProps {
  readonly operation: Operation;
  readonly isSending: boolean;
  readonly refused: Refused | undefined;
  readonly warnings: readonly OperatorWarning[];
  readonly neighbours: readonly FieldNeighbours[];
  /**
   * Whether the request needs an authenticator code; false if the operation takes none, or if an open confirmation
   * period covers the request.
   */
  readonly needsCode: boolean;
  readonly ceiling: CeilingNote | undefined;
  readonly now: Readonly<Record<string, string>>;
  readonly next: Readonly<Record<string, string>>;
  readonly address: string;
  readonly onBack: () => void;
  /**
   * Sends the confirmed request. Resolves to true when the same code may be sent again, because the outcome is unknown
   * or the request is still running.
   */
  readonly onConfirm: (code: string) => Promise<boolean>;
}

/**
 * Preview of the changes, with what users would see, warnings, the input for the authenticator code if one is needed,
 * and buttons to go back or to confirm; the buttons are disabled while the request is running.
 */
function Preview(props: PreviewProps) {
  const {
    operation,
    isSending,
    refused,
    warnings,
    neighbours,
    ceiling,
    needsCode,
    now,
    next,
    address,
    onBack,
    onConfirm,
  } = props;
  const { takesCode } = operation;
  const isConfirmedByPeriod = takesCode && !needsCode;
  const { returns } = usePresence();
  const { mode } = useSession();
  const [code, setCode] = useState('');
  const [tries, setTries] = useState(0);
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!needsCode) confirm.current?.focus({ preventScroll: true });
    const section = confirm.current?.closest('section');
    // The preview is scrolled to its top, because the form that it replaces may have been scrolled to its end.
    section?.scrollTo({ top: 0 });
    section?.scrollIntoView({ block: 'nearest' });
  }, [needsCode]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await onConfirm(code)) return;
    setCode('');
    setTries((count) => count + 1);
  };
  return (
    <form className="preview" onSubmit={(event) => void submit(event)}>
      <Changes
        fields={operation.fields}
        kept={unchangedRowsOf(operation.isVersioned)}
        now={now}
        next={next}
        neighbours={neighbours}
      />
      {operation.isPreviewed && (
        <UserView address={address} sent={bodyOf(operation, next)} fields={operation.fields} />
      )}
      <div className="confirming">
        <Warnings warnings={warnings} />
        {isConfirmedByPeriod && <p className="dim">{WORDS.period.confirms}</p>}
        <Ceiling ceiling={ceiling} />
        {needsCode && (
          <CodeField
            key={`${tries} ${returns}`}
            code={code}
            refused={refused?.field === CODE_FIELD ? refused : undefined}
            onCode={setCode}
          />
        )}
        <div className="bar">
          <button type="button" className="button" onClick={onBack} disabled={isSending}>
            {WORDS.change}
          </button>
          <button ref={confirm} type="submit" className="button main" aria-disabled={isSending}>
            {isSending ? WORDS.sending : WORDS.confirm}
          </button>
        </div>
        {needsCode && mode === 'demo' && <DemoCodes />}
      </div>
    </form>
  );
}

function secondsIn(body: Row): number | undefined {
  const seconds = formatValue(body['seconds']);
  return seconds === '' ? undefined : Number(seconds);
}

/**
 * Returns the message after a confirmed request: that the operation was executed (with further facts of the
 * response, such as secrets that the server returns only once), scheduled, or proposed to a second operator.
 */
function outcomeText(
  operation: Operation,
  subject: string,
  { status, body }: { status: number; body: Row },
): string {
  if (status === 202) return WORDS.proposed;
  if (typeof body['startsAt'] === 'number' && body['scheduled'] !== undefined)
    return `${WORDS.scheduled} ${utcTime(body['startsAt'])} (${localTime(body['startsAt'])} ${WORDS.here}).`;
  return [
    WORDS.done,
    [operation.name, subject].filter((text) => text !== '').join(' · '),
    OUTCOMES.get(operation.path)?.(body) ?? '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/**
 * Text that the success message adds for a response, by operation path; only for operations whose response
 * contains more than the fact that the operation is done.
 */
const OUTCOMES: ReadonlyMap<string, (body: Row) => string> = new Map([
  [inviteOperator.path, ({ mailedTo }) => `${WORDS.invited} ${formatValue(mailedTo)}.`],
  [
    renewRecoveryCodes.path,
    ({ recoveryCodes }) => `${WORDS.recoveryCodes} ${(recoveryCodes as readonly string[]).join('  ')}`,
  ],
  [
    checkAudit.path,
    ({ isWhole, brokenAt }) => (isWhole === true ? WORDS.whole : `${WORDS.broken} ${formatValue(brokenAt)}`),
  ],
]);
