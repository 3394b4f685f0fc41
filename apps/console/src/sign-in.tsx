import { callOperators } from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { DemoCodes } from './code-field.tsx';
import { WORDS } from './words.ts';

function sentOf(event: FormEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  return Object.fromEntries(
    [...new FormData(event.currentTarget)].map(([name, value]) => [name, value as string]),
  );
}

interface Props {
  /** Whose page stands behind, and why its session is over; left out where nobody was there. */
  readonly name?: string;
  readonly told?: string;
  /** Gives why it could not go on. */
  readonly onSignedIn: () => Promise<string>;
}

/** What may be done at the door; each form by the call that it sends. */
const WAYS = ['/ops/session', '/ops/session/set-up', '/ops/session/authenticator'] as const;
const [SIGN_IN, SET_UP, REPLACE] = WAYS;
const SUBMIT = { [SIGN_IN]: WORDS.signIn, [SET_UP]: WORDS.begin, [REPLACE]: WORDS.replaceNow };
const LINK = { [SIGN_IN]: WORDS.back, [SET_UP]: WORDS.setUp, [REPLACE]: WORDS.replace };

/** Signing in, setting an account up with a one-time code, and replacing a lost authenticator. */
export function SignIn({ name = '', told = '', onSignedIn }: Props) {
  const [way, setWay] = useState<(typeof WAYS)[number]>(SIGN_IN);
  const [error, setError] = useState('');
  const [isSending, setSending] = useState(false);
  const [made, setMade] = useState<Made>();
  const send = async (sent: Record<string, string>) => {
    setSending(true);
    const answer = await callOperators(way, sent);
    setSending(false);
    setError(answer.error ?? '');
    if (answer.error !== undefined) return;
    if (way === SIGN_IN) return setError(await onSignedIn());
    setMade(answer.body as unknown as Made);
    setWay(SIGN_IN);
  };
  return (
    <Door isOver={name !== ''}>
      <h1>{WORDS.title}</h1>
      {told !== '' && (
        <p role="status">
          {told} <span className="dim">{WORDS.kept}</span>
        </p>
      )}
      {made !== undefined && <Made {...made} />}
      <form key={way} onSubmit={(event) => void send(sentOf(event))}>
        {way === SET_UP ? (
          <Field label={WORDS.setUpCode} name="setUpCode" hint={WORDS.setUpCodeHint} />
        ) : (
          <Field label={WORDS.name} name="name" autoComplete="username" value={name} />
        )}
        <Field
          label={way === SET_UP ? WORDS.newPassword : WORDS.password}
          name="password"
          type="password"
          autoComplete={way === SET_UP ? 'new-password' : 'current-password'}
        />
        {way === SIGN_IN && <SignInCode />}
        {way === REPLACE && <Field label={WORDS.recoveryCode} name="recoveryCode" />}
        <button type="submit" className="button main" disabled={isSending}>
          {SUBMIT[way]}
        </button>
        <p role="alert" className="error">
          {error}
        </p>
      </form>
      {WAYS.filter((other) => other !== way && (way === SIGN_IN || other === SIGN_IN)).map((other) => (
        <button
          key={other}
          type="button"
          className="link"
          onClick={() => {
            setError('');
            setWay(other);
          }}
        >
          {LINK[other]}
        </button>
      ))}
    </Door>
  );
}

/** The code, and in a demo where to find it. */
function SignInCode() {
  const isDemo = useIsDemo();
  return (
    <>
      <Field label={WORDS.code} name="code" autoComplete="one-time-code" />
      {isDemo && <DemoCodes />}
    </>
  );
}

interface Made {
  readonly name: string;
  readonly secret: string;
  readonly recoveryCodes?: readonly string[];
}

/** What setting up gives, shown once. */
function Made({ name, secret, recoveryCodes }: Made) {
  return (
    <>
      <p role="status">
        {WORDS.keyFor} <b>{name}</b>: <code>{secret}</code>
      </p>
      {recoveryCodes !== undefined && (
        <section>
          <p>{WORDS.recoveryCodes}</p>
          <pre>{recoveryCodes.join('\n')}</pre>
        </section>
      )}
    </>
  );
}

/** A page of its own, or what stands over one. */
function Door({ isOver, children }: { readonly isOver: boolean; readonly children: ReactNode }) {
  return isOver ? <div className="door">{children}</div> : <main className="door">{children}</main>;
}

/** Before anybody has signed in, health tells what is run here. */
function useIsDemo(): boolean {
  const [isDemo, setDemo] = useState(false);
  useEffect(() => {
    void callOperators('/health', undefined, { isBackground: true }).then(({ body }) =>
      setDemo(body['mode'] === 'demo'),
    );
  }, []);
  return isDemo;
}

function Field(props: {
  readonly label: string;
  readonly name: string;
  readonly type?: string;
  readonly autoComplete?: string;
  readonly value?: string;
  readonly hint?: string;
}) {
  const { label, name, type = 'text', autoComplete = 'off', value, hint } = props;
  return (
    <label>
      {label}
      <input name={name} type={type} autoComplete={autoComplete} defaultValue={value} required />
      {hint !== undefined && <span className="dim">{hint}</span>}
    </label>
  );
}

interface OverProps {
  /** Whose session has ended. */
  readonly name: string;
  readonly why: string;
  readonly onSignedIn: () => Promise<string>;
}

/** Signing in again over the page that stands hidden behind it, with everything that was typed. */
export function SignInOver({ name, why, onSignedIn }: OverProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    // Nothing else may lie over it.
    for (const other of document.querySelectorAll('dialog[open]')) (other as HTMLDialogElement).close();
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[name="password"]')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="over"
      aria-label={WORDS.signIn}
      onCancel={(event) => event.preventDefault()}
      // Some browsers close it at the second Escape, whatever is said.
      onClose={() => dialog.current?.isConnected === true && dialog.current.showModal()}
    >
      <SignIn name={name} told={why === '' ? WORDS.ended : why} onSignedIn={onSignedIn} />
    </dialog>
  );
}
