import { useSession } from '@exchange/web-kit/session/session-store.ts';
import type { TicketMemory, TypedTicket } from '@exchange/web-kit/spot/use-ticket.ts';
import { useMemo } from 'react';

const typed = new Map<string, TypedTicket>();

/** Keeps what a person has typed into the ticket of a pair while the app is open; nobody else finds it. */
export function useTicketMemory(symbol: string): TicketMemory {
  const userId = useSession(({ session }) => session?.userId ?? '');
  return useMemo(() => {
    const key = `${userId} ${symbol}`;
    return { recall: () => typed.get(key), keep: (ticket) => void typed.set(key, ticket) };
  }, [symbol, userId]);
}
