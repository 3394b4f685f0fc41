import {
  addressOf,
  callOperators,
  type Operation,
  partsOf,
  textOf,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Changes } from './changes.tsx';
import { deedName, subjectOf } from './deeds.ts';
import { Fields, type Refused } from './form-fields.tsx';
import { bodyOf, presentOf, startOf, typedIn } from './form-values.ts';
import { UserView } from './user-view.tsx';
import { WORDS } from './words.ts';

interface Props {
  readonly operation: Operation;
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
export function OperationForm({ operation, row, basis, given, onDone, onClose }: Props) {
  const { path, isVersioned } = operation;
  const [previewed, setPreviewed] = useState<Record<string, string>>();
  const [refused, setRefused] = useState<Refused>();
  const [isSending, setSending] = useState(false);
  /** Of one preview: the same confirmation twice is one call. */
  const key = useRef('');
  const isUnderWay = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);
  const present = presentOf(operation, row);
  // What a status is to become is never what it is.
  const filled = { ...(basis === undefined ? present : presentOf(operation, basis)), status: '' };
  const parts = partsOf(path);
  const asked = parts.filter((name) => given[name] === undefined && row[name] === undefined);
  const fixed = Object.fromEntries(
    parts.filter((name) => !asked.includes(name)).map((name) => [name, row[name]]),
  );
  const subject = parts.length > asked.length ? subjectOf(row) : '';
  const read = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    key.current = crypto.randomUUID();
    setRefused(undefined);
    setPreviewed(typedIn(event.currentTarget, operation));
  };
  const send = async (typed: Record<string, string>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setSending(true);
    const address = addressOf(path, { ...typed, ...fixed, ...given });
    const seen = isVersioned ? { version: startOf(row, 'version') || '0' } : {};
    const answer = await callOperators(
      address,
      { ...bodyOf(operation, typed), ...seen },
      { key: key.current },
    );
    isUnderWay.current = false;
    setSending(false);
    if (answer.error === undefined) return onDone(toldOf(operation, subject, answer));
    setRefused({ field: textOf(answer.body['field']), error: answer.error });
    // Whether it came through is not known where nothing answers: the same confirmation may be given again.
    if (answer.status !== 0) setPreviewed(undefined);
  };
  return (
    <section className="form" aria-label={deedName(operation)}>
      <Head {...{ operation, subject, onClose }} />
      <FilledFrom {...{ basis, operation, present, filled }} />
      {refused !== undefined && (
        <p role="alert" className="error">
          {refused.error}
        </p>
      )}
      <form ref={form} onSubmit={read} hidden={previewed !== undefined}>
        <Fields {...{ operation, asked, filled, refused }} />
        <button type="submit" className="button main">
          {WORDS.preview}
        </button>
      </form>
      {previewed !== undefined && (
        <Preview
          {...{ operation, isSending }}
          now={present}
          next={previewed}
          address={addressOf(path, { ...previewed, ...fixed, ...given })}
          onBack={() => setPreviewed(undefined)}
          onConfirm={() => void send(previewed)}
        />
      )}
    </section>
  );
}

/** What the form does, and which row it is about. */
function Head(props: { operation: Operation; subject: string; onClose: () => void }) {
  const { operation, subject, onClose } = props;
  return (
    <>
      <header>
        <h2>{deedName(operation)}</h2>
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
  readonly now: Readonly<Record<string, string>>;
  readonly next: Readonly<Record<string, string>>;
  /** Where it is sent. */
  readonly address: string;
  readonly onBack: () => void;
  readonly onConfirm: () => void;
}

/** What changes, and the way back or on; the way on waits while it is under way. */
function Preview({ operation, isSending, now, next, address, onBack, onConfirm }: PreviewProps) {
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    confirm.current?.focus();
    confirm.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className="preview">
      <Changes fields={operation.fields} {...{ now, next }} />
      {operation.isPreviewed && (
        <UserView address={address} sent={bodyOf(operation, next)} fields={operation.fields} />
      )}
      <div className="bar">
        <button type="button" className="button" onClick={onBack} disabled={isSending}>
          {WORDS.change}
        </button>
        <button
          ref={confirm}
          type="button"
          className="button main"
          aria-disabled={isSending}
          onClick={onConfirm}
        >
          {isSending ? WORDS.sending : WORDS.confirm}
        </button>
      </div>
    </div>
  );
}

/** What came of a call, with what is told once and never again. */
function toldOf(
  operation: Operation,
  subject: string,
  { status, body }: { status: number; body: Row },
): string {
  if (status === 202) return WORDS.proposed;
  const code = body['setUpCode'];
  const codes = body['recoveryCodes'];
  const isWhole = body['isWhole'];
  return [
    WORDS.done,
    [deedName(operation), subject].filter((text) => text !== '').join(' · '),
    code === undefined ? '' : `${WORDS.setUpCode}: ${textOf(code)}`,
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
