import type { QueryKey } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import { useWords } from '../i18n/words.ts';
import { holdingPath, paths } from '../paths.ts';
import { useSession } from '../session/session-store.ts';
import type { EarnKind } from './earn-kind.ts';
import { FINANCE_KIND } from './finance-kind.ts';

/** Which kind the screens below it are about. */
export const EarnContext = createContext<EarnKind>(FINANCE_KIND);

export function useEarn(): EarnKind {
  return useContext(EarnContext);
}

/** The addresses of the kind that is shown: its list, its records, and the records with one order open. */
export function useEarnPaths() {
  const { part } = useEarn();
  return {
    list: paths[part],
    record: paths[`${part}Record`],
    holding: (id: string) => holdingPath(id, part),
  };
}

/** The words of the kind that is shown. */
export function useEarnWords() {
  return useWords(useEarn().part);
}

/** The kind, followed on the private feed while a component that uses this is on screen. */
export function useLiveEarn(): EarnKind {
  const earn = useEarn();
  useEffect(() => earn.follow(), [earn]);
  return earn;
}

/** The name in the cache of something that is the person's; another one when another person signs in. */
export function useEarnKey(...parts: readonly unknown[]): QueryKey {
  useSession(({ session }) => session?.userId);
  return useEarn().keys.now(...parts);
}
