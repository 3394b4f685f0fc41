import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';

interface MemberGateProps {
  /** Why one has to log in. */
  readonly text: string;
  readonly children: ReactNode;
}

/** What only members have; visitors are led to the login and back. */
export function MemberGate({ text, children }: MemberGateProps) {
  const tShell = useWords('shell');
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  if (isSignedIn) return children;
  const action = <ButtonLink to={loginPathFor(pathname + search)}>{tShell('login')}</ButtonLink>;
  return <EmptyState text={text} action={action} />;
}
