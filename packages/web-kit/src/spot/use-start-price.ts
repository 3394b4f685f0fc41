import { useState } from 'react';
import type { TicketMoment } from './ticket.ts';

/**
 * The price a limit ticket starts at: the reference at the moment it becomes known, in the pair's digits. It
 * then stays, because a price that moves while somebody types an amount is a trap. Empty until known.
 */
export function useStartPrice({ pair, reference }: TicketMoment): string {
  const price = reference?.toPlaces(pair.priceDigits);
  const [start, setStart] = useState(price);
  if (start === undefined && price !== undefined) setStart(price);
  return start ?? '';
}
