import type { UserId } from '@exchange/core/ids.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Identity } from '../identity/index.ts';
import type { AddressedMessage } from './domain.ts';

const PAGE = 200;

interface Telling {
  readonly database: Pick<Database, 'transaction'>;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: {
    send(tx: Tx, messages: readonly AddressedMessage[]): Promise<void>;
    announce(userId: UserId): Promise<void>;
  };
}

/**
 * Writes into inboxes what steps have left to be told, page by page: a notice is taken away and its message written in
 * one transaction, so that a crash loses none and repeats none. Accounts of the house are told nothing.
 */
export async function tellNotices(
  { database, identity, messages }: Telling,
  take: (tx: Tx, limit: number) => Promise<readonly AddressedMessage[]>,
): Promise<void> {
  for (;;) {
    const told = await database.transaction(async (tx) => {
      const notices = await take(tx, PAGE);
      const people = await identity.addressees([...new Set(notices.map(({ userId }) => userId))]);
      const wanted = notices.filter(({ userId }) => people.get(userId)?.isHouse === false);
      await messages.send(tx, wanted);
      return { count: notices.length, owners: new Set<UserId>(wanted.map(({ userId }) => userId)) };
    });
    for (const owner of told.owners) await messages.announce(owner);
    if (told.count < PAGE) return;
  }
}
