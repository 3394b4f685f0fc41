import type { UserId } from '@exchange/core/ids.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Identity } from '../identity/index.ts';
import type { AddressedMessage } from './domain.ts';

const PAGE = 200;

interface NoticeParts {
  readonly database: Pick<Database, 'transaction'>;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: {
    send(tx: Tx, messages: readonly AddressedMessage[]): Promise<void>;
    announce(userId: UserId): Promise<void>;
  };
}

/**
 * Sends queued notices to inboxes in pages. A notice is deleted and its message written in one transaction, so a crash
 * neither loses nor repeats any. System accounts receive no messages.
 */
export async function tellNotices(
  { database, identity, messages }: NoticeParts,
  dequeue: (tx: Tx, limit: number) => Promise<readonly AddressedMessage[]>,
): Promise<void> {
  for (;;) {
    const delivered = await database.transaction(async (tx) => {
      const notices = await dequeue(tx, PAGE);
      const people = await identity.addressees([...new Set(notices.map(({ userId }) => userId))]);
      const deliverable = notices.filter(({ userId }) => people.get(userId)?.isHouse === false);
      await messages.send(tx, deliverable);
      return { count: notices.length, owners: new Set<UserId>(deliverable.map(({ userId }) => userId)) };
    });
    for (const owner of delivered.owners) await messages.announce(owner);
    if (delivered.count < PAGE) return;
  }
}
