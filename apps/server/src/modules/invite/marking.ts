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

/** An invited person and whoever invited them. */
export interface Pair {
  readonly invitee: UserId;
  readonly inviter: UserId;
}

/**
 * Looks at what these pairs have in common now, stores why they are marked, and gives the invited people whose rewards
 * are held. To be called before every payment: an identity may be verified, and a device shared, long after the first.
 */
export async function heldPairs(
  { clock, database, kyc }: MarkingParts,
  pairs: readonly Pair[],
): Promise<ReadonlySet<UserId>> {
  const invitees = pairs.map(({ invitee }) => invitee);
  const [signals, documents] = await Promise.all([
    invitations.pairSignals(database.store, invitees),
    kyc.sharedDocuments(pairs.map(({ invitee, inviter }) => ({ one: invitee, other: inviter }))),
  ]);
  const found = pairs.flatMap(({ invitee, inviter }) => {
    const shared = signals.get(invitee);
    if (shared === undefined) return [];
    const reasons = markReasons({ ...shared, document: documents.has(invitee) });
    return reasons.length === 0 ? [] : [{ invitee, inviter, reasons }];
  });
  await saveMarks(database.store, found, clock.now());
  const marks = await marksOf(database.store, invitees);
  return new Set(
    [...marks.values()].filter(({ holding }) => holding.length > 0).map(({ invitee }) => invitee),
  );
}
