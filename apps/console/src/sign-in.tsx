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
  /**
   * Name of the operator whose page is hidden behind this login, and, as `reason`, why the session ended;
   * both are omitted when no page is open.
   */
  readonly name?: string;
  readonly reason?: string;
  /**
   * Called after a successful login to fetch the session. Resolves to an error message if that fails, otherwise to an
   * empty string.
   */
  readonly onSignedIn: () => Promise<string>;
}

/** The API paths that the forms of the login page send their input to; each path also identifies its form. */
const PATHS = ['/ops/session', '/ops/session/set-up', '/ops/session/authenticator'] as const;
const [SIGN_IN, SET_UP, REPLACE] = PATHS;
const SUBMIT = { [SIGN_IN]: WORDS.signIn, [SET_UP]: WORDS.begin, [REPLACE]: WORDS.replaceNow };
const LINK = { [SIGN_IN]: WORDS.back, [SET_UP]: WORDS.setUp, [REPLACE]: WORDS.replace };

/**
 * The login page: login, set-up of an operator's account with a one-time code, and replacement of a lost authenticator.
 */
export function SignIn({ name = '', reason = '', onSignedIn }: Props) {
  const [path, setPath] = useState<(typeof PATHS)[number]>(SIGN_IN);
  const [error, setError] = useState('');
  const [isSending, setSending] = useState(false);
  const [credentials, setCredentials] = useState<Made>();
  const send = async (fields: Record<string, string>) => {
    setSending(true);
    const answer = await callOperators(path, fields);
    setSending(false);
    setError(answer.error ?? '');
    if (answer.error !== undefined) return;
    if (path === SIGN_IN) return setError(await onSignedIn());
    setCredentials(answer.body as unknown as Made);
    setPath(SIGN_IN);
  };
  return (
    <Frame isOver={name !== ''}>
      <h1>{WORDS.title}</h1>
      {reason !== '' && (
        <p role="status">
          {reason} <span className="dim">{WORDS.kept}</span>
        </p>
      )}
      {credentials !== undefined && <Credentials {...credentials} />}
      <form key={path} onSubmit={(event) => void send(sentOf(event))}>
        {path === SET_UP ? (
          <Field label={WORDS.setUpCode} name="setUpCode" hint={WORDS.setUpCodeHint} />
        ) : (
          <Field label={WORDS.name} name="name" autoComplete="username" value={name} />
        )}
        <Field
          label={path === SET_UP ? WORDS.newPassword : WORDS.password}
          name="password"
          type="password"
          autoComplete={path === SET_UP ? 'new-password' : 'current-password'}
        />
        {path === SIGN_IN && <SignInCode />}
        {path === REPLACE && <Field label={WORDS.recoveryCode} name="recoveryCode" />}
        <button type="submit" className="button main" disabled={isSending}>
          {SUBMIT[path]}
        </button>
        <p role="alert" className="error">
          {error}
        </p>
      </form>
      {PATHS.filter((otherPath) => otherPath !== path && (path === SIGN_IN || otherPath === SIGN_IN)).map(
        (otherPath) => (
          <button
            key={otherPath}
            type="button"
            className="link"
            onClick={() => {
              setError('');
              setPath(otherPath);
            }}
          >
            {LINK[otherPath]}
          </button>
        ),
      )}
    </Frame>
  );
}

/**
 * The input for the authenticator code on the login page; in demo mode with a link to a page with the current codes.
 */
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

/**
 * Shows the authenticator secret and recovery codes that the server created at the set-up of an account or the
 * replacement of an authenticator; they are shown only once.
 */
function Credentials({ name, secret, recoveryCodes }: Made) {
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

/** Renders the login as a page of its own, or, with `isOver`, as the content of the dialog over the open page. */
function Frame({ isOver, children }: { readonly isOver: boolean; readonly children: ReactNode }) {
  return isOver ? <div className="door">{children}</div> : <main className="door">{children}</main>;
}

/**
 * Hook that returns true when the server is in demo mode, which its public health endpoint states also before
 * sign-in; false until it has answered.
 */
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
  /** Name of the operator whose session has ended. */
  readonly name: string;
  readonly why: string;
  readonly onSignedIn: () => Promise<string>;
}

/** Login in a dialog over the open page, which is hidden and keeps all typed input. */
export function SignInOver({ name, why, onSignedIn }: OverProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    // Closes all other open dialogs, so that the login is the only one.
    for (const openDialog of document.querySelectorAll('dialog[open]'))
      (openDialog as HTMLDialogElement).close();
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
      // Some browsers close a dialog when Escape is pressed twice, although the event is prevented; the login dialog is
      // then opened again.
      onClose={() => dialog.current?.isConnected === true && dialog.current.showModal()}
    >
      <SignIn name={name} reason={why === '' ? WORDS.ended : why} onSignedIn={onSignedIn} />
    </dialog>
  );
}
