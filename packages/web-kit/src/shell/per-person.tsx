import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { wordsOfShell } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { onPersonLeft } from '../session/own-key.ts';

/**
 * Draws its children anew when the person who was signed in is not any more, whichever tab did it: nothing that one
 * person typed or opened, such as an order ticket or a dialog, is left to the next. Where another tab has signed
 * somebody else in, a notice says why the forms are empty, as soon as the page is looked at.
 */
export function PerPerson({ children }: { readonly children: ReactNode }) {
  const [persons, setPersons] = useState(0);
  useEffect(() => {
    let waiting: AbortController | undefined;
    const stop = onPersonLeft((next) => {
      setPersons((count) => count + 1);
      waiting?.abort();
      waiting = new AbortController();
      if (next !== undefined) whenVisible(() => notify.warning(wordsOfShell('otherPerson')), waiting.signal);
    });
    return () => {
      stop();
      waiting?.abort();
    };
  }, []);
  return <Fragment key={persons}>{children}</Fragment>;
}

/** Runs `action` once the page is looked at: at once, or when its tab comes to the front. */
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
