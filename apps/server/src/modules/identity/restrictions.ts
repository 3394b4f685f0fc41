import type { UserId } from '@exchange/core/ids.ts';
import type { IdentityParts } from './parts.ts';

/** What is changed about what a user may do; what is left out stays. */
export interface Restriction {
  readonly frozen?: boolean;
  readonly mayPurchase?: boolean;
  /** Why, for the audit. */
  readonly reason: string;
}

/** Changes what a user may do. A freeze also ends every session; `onCommitted` runs before anybody hears of it. */
export async function restrict(
  parts: IdentityParts,
  userId: UserId,
  restriction: Restriction,
  onCommitted: () => void,
): Promise<void> {
  const { frozen, mayPurchase, reason } = restriction;
  if (frozen === undefined && mayPurchase === undefined) return;
  const ended = await parts.database.transaction(async (tx) => {
    await parts.accounts.change(tx, userId, {
      ...(frozen === undefined ? {} : { frozen }),
      ...(mayPurchase === undefined ? {} : { may_purchase: mayPurchase }),
    });
    const caller = { address: '', userAgent: '' };
    const detail = JSON.stringify({ frozen, mayPurchase, reason });
    await parts.security.write(tx, { userId, kind: 'restricted', caller, detail }, parts.clock.now());
    return frozen === true ? parts.sessions.endAll(tx, userId) : [];
  });
  onCommitted();
  parts.sessions.forget(ended);
}
