import type { QueryKey } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import { useWords } from '../i18n/words.ts';
import { holdingPath, paths } from '../paths.ts';
import { useSession } from '../session/session-store.ts';
import type { EarnKind } from './earn-kind.ts';
import { FINANCE_KIND } from './finance-kind.ts';

/** The kind of earn product (fixed-term or mining) that the screens below the provider show. */
export const EarnContext = createContext<EarnKind>(FINANCE_KIND);

export function useEarn(): EarnKind {
  return useContext(EarnContext);
}

/**
 * URL paths of the displayed kind of earn product: of the product list, of the order list, and of the order list with
 * the details of one order open.
 */
export function useEarnPaths() {
  const { part } = useEarn();
  return {
    list: paths[part],
    record: paths[`${part}Record`],
    holding: (id: string) => holdingPath(id, part),
  };
}

/** Translations of the displayed kind of earn product (fixed-term or mining). */
export function useEarnWords() {
  return useWords(useEarn().part);
}

/**
 * Returns the displayed kind of earn product, whose queries follow the private feed while the component is
 * mounted.
 */
export function useLiveEarn(): EarnKind {
  const earn = useEarn();
  useEffect(() => earn.subscribe(), [earn]);
  return earn;
}

/** Returns the query key of the signed-in user's earn data; it changes when another user signs in. */
export function useEarnKey(...parts: readonly unknown[]): QueryKey {
  useSession(({ session }) => session?.userId);
  return useEarn().keys.forCurrentUser(...parts);
}
