import type { Operation, OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { createContext, useContext, useEffect, useRef } from 'react';

const NOBODY: OperatorSession = { name: '', roles: [], mode: '', operations: [] };

/** Who is signed in, and what they may see and do. */
export const SessionContext = createContext<OperatorSession>(NOBODY);

export function useSession(): OperatorSession {
  return useContext(SessionContext);
}

/** Whether the operator is still there. */
export interface Presence {
  /** Tells that the session has ended, and why where it was told. */
  readonly onEnded: (why?: string) => void;
  /** How often the same operator has come back to this page. */
  readonly returns: number;
}

export const PresenceContext = createContext<Presence>({ onEnded: () => undefined, returns: 0 });

export function usePresence(): Presence {
  return useContext(PresenceContext);
}

/** Calls the latest `act` when the operator has come back. */
export function useReturn(act: () => void): void {
  const { returns } = usePresence();
  const latest = useRef(act);
  const seen = useRef(returns);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (seen.current === returns) return;
    seen.current = returns;
    latest.current();
  }, [returns]);
}

/** The area of an operation: the part of its path behind `/ops/`. */
export function areaOf({ path }: Pick<Operation, 'path'>): string {
  return path.split('/')[2] ?? '';
}
