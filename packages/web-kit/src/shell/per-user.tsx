import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { wordsOfShell } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { onUserLeft } from '../session/user-keys.ts';

/**
 * Remounts its children when the signed-in user signs out or another user replaces that user, in any tab, so that the
 * next user sees no input or open dialog of the previous one. When another tab has signed in a different user, a
 * notification says so as soon as this page is visible.
 */
export function PerUser({ children }: { readonly children: ReactNode }) {
  const [persons, setPersons] = useState(0);
  useEffect(() => {
    let waiting: AbortController | undefined;
    const stop = onUserLeft((nextUserId) => {
      setPersons((count) => count + 1);
      waiting?.abort();
      waiting = new AbortController();
      if (nextUserId !== undefined)
        whenVisible(() => notify.warning(wordsOfShell('otherPerson')), waiting.signal);
    });
    return () => {
      stop();
      waiting?.abort();
    };
  }, []);
  return <Fragment key={persons}>{children}</Fragment>;
}

/**
 * Runs `action` as soon as the page is visible: immediately, or when its tab comes to the foreground, unless
 * `signal` is aborted before that.
 */
function whenVisible(action: () => void, signal: AbortSignal): void {
  if (document.visibilityState === 'visible') {
    action();
    return;
  }
  const onChange = (): void => {
    if (document.visibilityState === 'visible') action();
  };
  document.addEventListener('visibilitychange', onChange, { once: true, signal });
}
