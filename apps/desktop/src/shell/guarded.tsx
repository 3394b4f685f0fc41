import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor, mayVisit } from '@exchange/web-kit/shell/guard.ts';
import { Navigate, useLocation } from 'react-router';
import { resolved } from '../paths.ts';
import { AppShell } from './app-shell.tsx';

/**
 * Lets a visitor through to the public screens and sends everybody else to the login, which leads back. It
 * also catches the end of a session while a private screen is open.
 */
export function Guarded() {
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  if (!isSignedIn && !mayVisit(resolved(pathname))) {
    return <Navigate to={loginPathFor(pathname + search)} replace />;
  }
  return <AppShell />;
}
