import type { UserId } from '@exchange/core/ids.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { WorkQueue } from '../../platform/database/work-queue.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Identity } from '../identity/index.ts';
import type { AddressedMessage } from './domain.ts';

const PAGE = 200;

export interface NoticeParts {
  readonly bulkheads: Bulkheads;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: {
    send(tx: Tx, messages: readonly AddressedMessage[]): Promise<void>;
    announce(userId: UserId): Promise<void>;
  };
}

/**
 * Sends all queued notices to inboxes. A notice is deleted and its message written in one transaction, so a crash
 * neither loses nor repeats any. A notice that fails is reported, retried with growing pauses, and holds up no other
 * ([decision](../../../../../docs/adr/0058-bulkheads-of-due-work.md)). System accounts and sub-accounts receive no
 * messages. `work` names the notices in logs, health and metrics, e.g. `finance notices`. `messagesOf` returns the
 * messages of dequeued notices, and may write further rows, such as mail, in the transaction. Returns the keys of
 * notices that failed and remain queued. Rejects while the database is unreachable.
 */
export async function deliverNotices<Notice>(
  { bulkheads, database, identity, messages }: NoticeParts,
  work: string,
  queue: WorkQueue<Notice>,
  messagesOf: (
    notices: readonly Notice[],
    tx: Tx,
  ) => readonly AddressedMessage[] | Promise<readonly AddressedMessage[]>,
): Promise<readonly string[]> {
  const failed: string[] = [];
  const deliver = (keys: readonly string[]) =>
    database.transaction(async (tx) => {
      const addressed = await messagesOf(await queue.dequeue(tx, keys), tx);
      const people = await identity.addressees([...new Set(addressed.map(({ userId }) => userId))], tx);
      const deliverable = addressed.filter(({ userId }) => people.get(userId)?.isSystemUser === false);
      await messages.send(tx, deliverable);
      return deliverable.map(({ userId }) => userId);
    });
  let after: string | undefined;
  for (;;) {
    const page = await queue.waiting(database.store, after, PAGE);
    const owners = new Set<UserId>();
    const { left } = await bulkheads.bulkheadOf(work).together(
      page,
      (key) => key,
      async (keys) => {
        for (const owner of await deliver(keys)) owners.add(owner);
        return { done: keys.length };
      },
    );
    failed.push(...left);
    for (const owner of owners) await messages.announce(owner);
    after = page.at(-1);
    if (page.length < PAGE) return failed;
  }
}
