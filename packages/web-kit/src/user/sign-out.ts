import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { signOut } from '../api/client.ts';
import { wordsOfShell } from '../i18n/words.ts';
import { notify } from '../notify.ts';

/**
 * Returns the handler of the logout button: it signs the user out on this device immediately, shows a notification, and
 * opens `path`. The request that ends the session on the server is sent in the background.
 */
export function useSignOut(path: string): () => void {
  const navigate = useNavigate();
  return () => {
    // When the session ends, the guard of private screens synchronously redirects to the login; the navigation to
    // `path` comes later and replaces that redirect.
    flushSync(signOut);
    notify.success(wordsOfShell('loggedOut'));
    void navigate(path, { replace: true });
  };
}
