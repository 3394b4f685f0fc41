import type { UserId } from '@exchange/core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { invitations } from '../identity/index.ts';
import type { Kyc } from '../kyc/index.ts';
import { markReasons } from './domain.ts';
import { marksOf, saveMarks } from './marks-repository.ts';

export interface MarkingParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly kyc: Pick<Kyc, 'sharedDocuments'>;
}

/** An invited user (invitee) and the user who invited them (inviter). */
export interface Pair {
  readonly invitee: UserId;
  readonly inviter: UserId;
}

/**
 * Compares invitees with their inviters, stores new suspicions that both are the same person, and returns the
 * ids of the invitees whose rewards are held. It has to be called before every payment, because an identity
 * may be verified, or a device shared, long after the first payment.
 */
export async function markAndFindHeld(
  { clock, database, kyc }: MarkingParts,
  pairs: readonly Pair[],
): Promise<ReadonlySet<UserId>> {
  const invitees = pairs.map(({ invitee }) => invitee);
  const [signals, documents] = await Promise.all([
    invitations.pairSignals(database.store, invitees),
    kyc.sharedDocuments(pairs.map(({ invitee, inviter }) => ({ one: invitee, other: inviter }))),
  ]);
  const newMarks = pairs.flatMap(({ invitee, inviter }) => {
    const shared = signals.get(invitee);
    if (shared === undefined) return [];
    const reasons = markReasons({ ...shared, document: documents.has(invitee) });
    return reasons.length === 0 ? [] : [{ invitee, inviter, reasons }];
  });
  await saveMarks(database.store, newMarks, clock.now());
  const marks = await marksOf(database.store, invitees);
  return new Set(
    [...marks.values()].filter(({ holding }) => holding.length > 0).map(({ invitee }) => invitee),
  );
}
