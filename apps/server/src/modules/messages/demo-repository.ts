import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Database, Store, Tx } from '../../platform/database/database.ts';
import type { MessageTables } from './tables.ts';

/** Greatest number of messages that `messagesOf` returns; a new demo has fewer. */
const ROWS_MOST = 1_000;

export interface WrittenMessage {
  readonly id: string;
  readonly kind: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly writtenAt: Instant;
}

/** The id of a message, and the dates that replace its stored creation and reading dates. */
export interface DatedMessage {
  readonly id: string;
  readonly at: Instant;
  readonly readAt: Instant | undefined;
}

/**
 * True if the user has a message that is marked as read; deleted messages, and messages that the inbox never showed,
 * count as read too. The demo's messages are then not dated again.
 */
export async function hasReadMessages(store: Store, user: UserId): Promise<boolean> {
  const row = await store
    .withTables<MessageTables>()
    .selectFrom('message')
    .select('id')
    .where('user_id', '=', user)
    .where('read_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A user's messages, oldest first; at most `ROWS_MOST`. */
export async function messagesOf(store: Store, user: UserId): Promise<WrittenMessage[]> {
  const rows = await store
    .withTables<MessageTables>()
    .selectFrom('message')
    .select(['id', 'kind', 'parameters', 'created_at'])
    .where('user_id', '=', user)
    .orderBy('created_at')
    .orderBy('id')
    .limit(ROWS_MOST)
    .execute();
  return rows.map(({ id, kind, parameters, created_at }) => ({
    id,
    kind,
    parameters: parameters as Readonly<Record<string, string>>,
    writtenAt: instant(Number(created_at)),
  }));
}

/**
 * Sets the creation time and the reading time of messages in one transaction. A message without `readAt`
 * becomes unread.
 */
export function redateMessages(
  database: Pick<Database, 'transaction'>,
  messages: readonly DatedMessage[],
): Promise<void> {
  return database.transaction(async (tx: Tx) => {
    for (const { id, at, readAt } of messages)
      await tx
        .withTables<MessageTables>()
        .updateTable('message')
        .set({ created_at: BigInt(at), read_at: readAt === undefined ? null : BigInt(readAt) })
        .where('id', '=', id)
        .execute();
  });
}
