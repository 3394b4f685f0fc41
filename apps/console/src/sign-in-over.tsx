import { useEffect, useRef } from 'react';
import { SignIn } from './sign-in.tsx';
import { WORDS } from './words.ts';

interface Props {
  /** Whose session has ended. */
  readonly name: string;
  readonly why: string;
  readonly onSignedIn: () => Promise<string>;
}

/** Signing in again over the page that stands hidden behind it, with everything that was typed. */
export function SignInOver({ name, why, onSignedIn }: Props) {
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
