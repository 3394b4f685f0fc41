import type { Operation, OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { createContext, useContext, useEffect, useRef } from 'react';

const NOBODY: OperatorSession = { name: '', roles: [], mode: '', operations: [] };

/**
 * React context with the operator's session: name, roles, mode and the operations that the roles permit.
 * Without a provider it is a session without name, roles and operations.
 */
export const SessionContext = createContext<OperatorSession>(NOBODY);

export function useSession(): OperatorSession {
  return useContext(SessionContext);
}

/** A function that reports the end of the operator's session, and how often the session has been loaded. */
export interface Presence {
  /**
   * Components call this function when a response shows that the operator's session has ended, with the
   * reason if known.
   */
  readonly onEnded: (why?: string) => void;
  /**
   * How often the session has been loaded since the page was opened: when the page opens with a session, and
   * after each login. A change of it lets components fetch again what an ended session refused.
   */
  readonly returns: number;
}

export const PresenceContext = createContext<Presence>({ onEnded: () => undefined, returns: 0 });

export function usePresence(): Presence {
  return useContext(PresenceContext);
}

/** Hook that calls the latest callback after the same operator has signed in again. */
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

/** Returns the console area of an operation: the segment of its URL path after `/ops/`. */
export function areaOf({ path }: Pick<Operation, 'path'>): string {
  return path.split('/')[2] ?? '';
}
