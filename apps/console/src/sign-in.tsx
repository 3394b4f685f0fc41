import { callOperators } from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, useState } from 'react';
import { WORDS } from './words.ts';

function sentOf(event: FormEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  return Object.fromEntries(
    [...new FormData(event.currentTarget)].map(([name, value]) => [name, value as string]),
  );
}

interface Props {
  /** Whether somebody was signed in here just now. */
  readonly hasEnded: boolean;
  readonly onSignedIn: () => Promise<void>;
}

/** Signing in, and setting an account up with a one-time code. */
export function SignIn({ hasEnded, onSignedIn }: Props) {
  const [isSettingUp, setSettingUp] = useState(false);
  const [error, setError] = useState('');
  const [isSending, setSending] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string; recoveryCodes: readonly string[] }>();
  const signIn = async (sent: Record<string, string>) => {
    setSending(true);
    const answer = await callOperators('/ops/session', sent);
    setSending(false);
    setError(answer.error ?? '');
    if (answer.error === undefined) await onSignedIn();
  };
  const setUp = async (sent: Record<string, string>) => {
    setSending(true);
    const answer = await callOperators('/ops/session/set-up', sent);
    setSending(false);
    setError(answer.error ?? '');
    if (answer.error !== undefined) return;
    setMade(answer.body as { name: string; secret: string; recoveryCodes: readonly string[] });
    setSettingUp(false);
  };
  return (
    <main className="door">
      <h1>{WORDS.title}</h1>
      {hasEnded && <p role="status">{WORDS.ended}</p>}
      {made !== undefined && (
        <p role="status">
          {WORDS.keyFor} <b>{made.name}</b>: <code>{made.secret}</code>
        </p>
      )}
      {made !== undefined && (
        <section>
          <p>{WORDS.recoveryCodes}</p>
          <pre>{made.recoveryCodes.join('\n')}</pre>
        </section>
      )}
      <form
        key={String(isSettingUp)}
        onSubmit={(event) => void (isSettingUp ? setUp : signIn)(sentOf(event))}
      >
        {isSettingUp ? (
          <Field label={WORDS.setUpCode} name="setUpCode" />
        ) : (
          <Field label={WORDS.name} name="name" autoComplete="username" />
        )}
        <Field
          label={isSettingUp ? WORDS.newPassword : WORDS.password}
          name="password"
          type="password"
          autoComplete={isSettingUp ? 'new-password' : 'current-password'}
        />
        {!isSettingUp && <Field label={WORDS.code} name="code" autoComplete="one-time-code" isOptional />}
        <button type="submit" className="button main" disabled={isSending}>
          {isSettingUp ? WORDS.begin : WORDS.signIn}
        </button>
        <p role="alert" className="error">
          {error}
        </p>
      </form>
      <button type="button" className="link" onClick={() => setSettingUp(!isSettingUp)}>
        {isSettingUp ? WORDS.back : WORDS.setUp}
      </button>
    </main>
  );
}

function Field(props: {
  readonly label: string;
  readonly name: string;
  readonly type?: string;
  readonly autoComplete?: string;
  readonly isOptional?: boolean;
}) {
  const { label, name, type = 'text', autoComplete = 'off', isOptional = false } = props;
  return (
    <label>
      {label}
      <input {...{ name, type, autoComplete }} required={!isOptional} />
    </label>
  );
}
