import {
  addressOf,
  type Answer,
  callOperators,
  type Operation,
  partsOf,
  textOf,
  type Row,
  type OperatorWarning,
} from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Changes, keptRowsOf } from './changes.tsx';
import { CODE_FIELD, CodeField, DemoCodes } from './code-field.tsx';
import { deedName, subjectOf } from './deeds.ts';
import { Fields, type Refused } from './form-fields.tsx';
import { bodyOf, presentOf, problemIn, startOf, typedIn } from './form-values.ts';
import { usePresence, useSession } from './session.ts';
import { UserView } from './user-view.tsx';
import { Warnings } from './warnings.tsx';
import { WORDS } from './words.ts';
import { randomId } from '@exchange/web-kit/random-id.ts';

interface Props {
  readonly operation: Operation;
  /** What the button that opened it says. */
  readonly title: string;
  /** What the form is about: its values are what the fields begin with. Empty where something new is made. */
  readonly row: Row;
  /** A version of it whose values are what the fields begin with instead. */
  readonly basis?: Row;
  /** Named parts of the path that the page gives, e.g. whose page it is. */
  readonly given: Row;
  readonly onDone: (told: string) => void;
  readonly onClose: () => void;
}

/** The form of one operation: filled in, looked over against what is published now, then sent once. */
export function OperationForm({ operation, title, row, basis, given, onDone, onClose }: Props) {
  const present = presentOf(operation, row);
  // What a status is to become is never what it is.
  const filled = { ...(basis === undefined ? present : presentOf(operation, basis)), status: '' };
  const { asked, fixed, subject } = namedIn(operation.path, row, given);
  const addressIn = (typed: Row) => addressOf(operation.path, { ...typed, ...fixed, ...given });
  const submission = useSubmission({
    operation,
    row,
    addressIn,
    onDone: (answer) => onDone(toldOf(operation, subject, answer)),
  });
  const { previewed, warnings, refused, isChecking, isSending } = submission;
  const form = useRef<HTMLFormElement>(null);
  const section = useInView();
  useEffect(() => {
    if (refused !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);
  const preview = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submission.check(typedIn(event.currentTarget, operation));
  };
  return (
    <section ref={section} className="form" aria-label={title}>
      <Head operation={operation} title={title} subject={subject} onClose={onClose} />
      <FilledFrom basis={basis} operation={operation} present={present} filled={filled} />
      {refused !== undefined && refused.field !== CODE_FIELD && (
        <p role="alert" className="error">
          {refused.error}
        </p>
      )}
      <form ref={form} onSubmit={preview} hidden={previewed !== undefined}>
        <Fields operation={operation} asked={asked} row={row} filled={filled} refused={refused} />
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
  /** What the form is about; its version is sent with the fields. */
  readonly row: Row;
  /** Where the typed fields are sent. */
  readonly addressIn: (typed: Row) => string;
  readonly onDone: (answer: Answer) => void;
}

/** One submission of an operation's fields: checked by the server, previewed, then sent once with a code. */
function useSubmission({ operation, row, addressIn, onDone }: SubmissionProps) {
  const [previewed, setPreviewed] = useState<Record<string, string>>();
  const [warnings, setWarnings] = useState<readonly OperatorWarning[]>([]);
  const [refused, setRefused] = useState<Refused>();
  const [isChecking, setChecking] = useState(false);
  const [isSending, setSending] = useState(false);
  const { onEnded } = usePresence();
  /** Each preview has a key of its own: the same confirmation sent twice is one call. */
  const key = useRef('');
  const isUnderWay = useRef(false);
  const refuse = ({ status, body }: Answer, error: string) => {
    const field = textOf(body['field']);
    // The typed fields stay for the operator who signs in again.
    if (status === 401) onEnded(body['key'] === undefined ? undefined : error);
    setRefused(status === 401 ? undefined : { field, error, seconds: secondsIn(body) });
    return field;
  };
  /** Shows the preview once the server would accept the fields; a refusal is shown at its field, before any code is used. */
  const check = async (typed: Record<string, string>) => {
    if (isChecking) return;
    const problem = problemIn(operation, typed);
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
    setPreviewed(typed);
  };
  /** Returns whether the same code may be sent again, because the outcome is unknown. */
  const confirm = async (typed: Record<string, string>, code: string): Promise<boolean> => {
    if (isUnderWay.current) return true;
    isUnderWay.current = true;
    setSending(true);
    const fields = confirmedBody(operation, row, typed, code);
    const answer = await callOperators(addressIn(typed), fields, { key: key.current });
    isUnderWay.current = false;
    setSending(false);
    const { status, error } = answer;
    if (error === undefined) {
      onDone(answer);
      return false;
    }
    const field = refuse(answer, error);
    // Without an answer the outcome is unknown: the same confirmation may be sent again.
    if (status !== 0 && status !== 401 && field !== CODE_FIELD) setPreviewed(undefined);
    return status === 0;
  };
  const edit = () => setPreviewed(undefined);
  return { previewed, warnings, refused, isChecking, isSending, check, confirm, edit };
}

/** What is scrolled into view when it opens: on a phone it stands below what it is about. */
function useInView() {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise, which an effect must not return.
    section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return section;
}

/** The fields, and the version that was seen. */
function versionedBody(
  operation: Operation,
  row: Row,
  typed: Record<string, string>,
): Record<string, string> {
  const body = bodyOf(operation, typed);
  return operation.isVersioned ? { ...body, version: startOf(row, 'version') || '0' } : body;
}

/** What is sent: the fields, the version that was seen, and the code that confirms them. */
function confirmedBody(operation: Operation, row: Row, typed: Record<string, string>, code: string) {
  const body = versionedBody(operation, row, typed);
  return operation.takesCode ? { ...body, [CODE_FIELD]: code } : body;
}

/** Of the named parts of a path: which are asked for, those that the row gives, and what the form is then about. */
function namedIn(path: string, row: Row, given: Row) {
  const parts = partsOf(path);
  const asked = parts.filter((name) => given[name] === undefined && row[name] === undefined);
  const fixed = Object.fromEntries(
    parts.filter((name) => !asked.includes(name)).map((name) => [name, row[name]]),
  );
  return { asked, fixed, subject: parts.length > asked.length ? subjectOf(row) : '' };
}

/** What the form does, and which row it is about. */
function Head(props: { operation: Operation; title: string; subject: string; onClose: () => void }) {
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

/** Which version the fields were filled from, if one, and in what it differs from what is published. */
function FilledFrom({ basis, operation: { fields }, present, filled }: FilledFromProps) {
  if (basis === undefined) return null;
  const differing = Object.entries(fields).filter(([name]) => filled[name] !== present[name]);
  return (
    <p className="dim">
      {WORDS.filledFrom} {textOf(basis['version'])}.{' '}
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
  readonly now: Readonly<Record<string, string>>;
  readonly next: Readonly<Record<string, string>>;
  /** Where it is sent. */
  readonly address: string;
  readonly onBack: () => void;
  /** Gives whether the same code may be sent again. */
  readonly onConfirm: (code: string) => Promise<boolean>;
}

/** What changes, the code that confirms it, and the way back or on; the way on waits while it is under way. */
function Preview(props: PreviewProps) {
  const { operation, isSending, refused, warnings, now, next, address, onBack, onConfirm } = props;
  const { takesCode } = operation;
  const { returns } = usePresence();
  const { mode } = useSession();
  const [code, setCode] = useState('');
  const [tries, setTries] = useState(0);
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!takesCode) confirm.current?.focus({ preventScroll: true });
    const section = confirm.current?.closest('section');
    // A long form was scrolled to its end; what it changes is read from its beginning.
    section?.scrollTo({ top: 0 });
    section?.scrollIntoView({ block: 'nearest' });
  }, [takesCode]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await onConfirm(code)) return;
    setCode('');
    setTries((count) => count + 1);
  };
  return (
    <form className="preview" onSubmit={(event) => void submit(event)}>
      <Changes fields={operation.fields} kept={keptRowsOf(operation.isVersioned)} now={now} next={next} />
      {operation.isPreviewed && (
        <UserView address={address} sent={bodyOf(operation, next)} fields={operation.fields} />
      )}
      <div className="confirming">
        <Warnings warnings={warnings} />
        {takesCode && (
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
        {takesCode && mode === 'demo' && <DemoCodes />}
      </div>
    </form>
  );
}

function secondsIn(body: Row): number | undefined {
  const seconds = textOf(body['seconds']);
  return seconds === '' ? undefined : Number(seconds);
}

/** What came of a call, with what is told once and never again. */
function toldOf(
  operation: Operation,
  subject: string,
  { status, body }: { status: number; body: Row },
): string {
  if (status === 202) return WORDS.proposed;
  const mailedTo = textOf(body['mailedTo']);
  const codes = body['recoveryCodes'];
  const isWhole = body['isWhole'];
  return [
    WORDS.done,
    [deedName(operation), subject].filter((text) => text !== '').join(' · '),
    mailedTo === '' ? '' : `${WORDS.invited} ${mailedTo}.`,
    Array.isArray(codes) ? `${WORDS.recoveryCodes} ${codes.join('  ')}` : '',
    isWhole === undefined
      ? ''
      : isWhole === true
        ? WORDS.whole
        : `${WORDS.broken} ${textOf(body['brokenAt'])}`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}
