import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { signOut } from '../api/client.ts';
import { wordsOfShell } from '../i18n/words.ts';
import { notify } from '../notify.ts';

/**
 * Returns the handler of the logout button: it signs out on this device immediately, notifies the user, and
 * opens `path`. The session on the server ends in the background.
 */
export function useSignOut(path: string): () => void {
  const navigate = useNavigate();
  return () => {
    // The guard of private screens redirects to the login synchronously; the navigation to `path` comes
    // afterwards and takes precedence.
    flushSync(signOut);
    notify.success(wordsOfShell('loggedOut'));
    void navigate(path, { replace: true });
  };
}
