import type { Operation, OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { createContext, useContext } from 'react';

const NOBODY: OperatorSession = { name: '', roles: [], mode: '', operations: [] };

/** Who is signed in, and what they may see and do. */
export const SessionContext = createContext<OperatorSession>(NOBODY);

export function useSession(): OperatorSession {
  return useContext(SessionContext);
}

/** The area of an operation: the part of its path behind `/ops/`. */
export function areaOf({ path }: Pick<Operation, 'path'>): string {
  return path.split('/')[2] ?? '';
}
