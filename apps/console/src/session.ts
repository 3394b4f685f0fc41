import type { Operation, OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { createContext, useContext, useEffect, useRef } from 'react';

const NOBODY: OperatorSession = { name: '', roles: [], mode: '', operations: [] };

/** The signed-in operator and the permitted operations. */
export const SessionContext = createContext<OperatorSession>(NOBODY);

export function useSession(): OperatorSession {
  return useContext(SessionContext);
}

/** Reports the end of the operator's session, and counts the logins. */
export interface Presence {
  /** Called when the operator's session has ended, with the reason if known. */
  readonly onEnded: (why?: string) => void;
  /** Number of times that the operator's session was fetched since the page was opened; every login increments it. */
  readonly returns: number;
}

export const PresenceContext = createContext<Presence>({ onEnded: () => undefined, returns: 0 });

export function usePresence(): Presence {
  return useContext(PresenceContext);
}

/** Calls the latest callback after the same operator has signed in again. */
export function useOperatorReturn(act: () => void): void {
  const { returns } = usePresence();
  const latest = useRef(act);
  const handledReturns = useRef(returns);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (handledReturns.current === returns) return;
    handledReturns.current = returns;
    latest.current();
  }, [returns]);
}

/** The console area of an operation: the URL path segment after `/ops/`. */
export function areaOf({ path }: Pick<Operation, 'path'>): string {
  return path.split('/')[2] ?? '';
}
