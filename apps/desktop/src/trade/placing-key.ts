/** An order whose answer never came, and the key it was sent with. */
export interface Unanswered {
  readonly order: string;
  readonly clientId: string;
}

/**
 * The key to send an order with: the old one where the very same order is still unanswered, so that pressing
 * again cannot place it twice; a new one for everything else.
 */
export function placingKey(order: string, unanswered: Unanswered | undefined, newKey: () => string): string {
  return unanswered?.order === order ? unanswered.clientId : newKey();
}
