import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Tx, Reader } from '../../platform/database/database.ts';
import {
  type AskedPage,
  ListOrder,
  type ListPage,
  PAGED_ROWS_MAX,
  readPage,
  rowsOfPage,
} from '../../platform/database/paged-rows.ts';
import { MESSAGE_TYPES, type AddressedMessage, type StoredMessage } from './domain.ts';
import type { MessageCatalogue } from './catalogue.ts';
import type { MessageTables } from './tables.ts';
import type { Channels, NoticeTopic } from './topics.ts';

export interface MessageFilter extends AskedPage {
  readonly type?: number | undefined;
  readonly isRead?: boolean | undefined;
}

const NEWEST = new ListOrder([
  { name: 'created_at', type: 'bigint' },
  { name: 'id', type: 'uuid' },
]);

/** Access to messages; every query except `insert` is limited to one user. */
export class MessageRepository {
  private readonly store: Kysely<MessageTables>;
  private readonly catalogue: Pick<MessageCatalogue, 'isKind' | 'kinds'>;

  constructor(store: Kysely<unknown>, catalogue: Pick<MessageCatalogue, 'isKind' | 'kinds'>) {
    this.catalogue = catalogue;
    this.store = store.withTables<MessageTables>();
  }

  /**
   * Stores messages and returns the ids of those that were stored. A message is left out if one of its kind about the
   * same object (`about`) is stored already, for any user, even a deleted one.
   */
  async insert(
    tx: Tx,
    messages: readonly (AddressedMessage & { readonly id: string; readonly isHidden: boolean })[],
    now: Instant,
  ): Promise<ReadonlySet<string>> {
    // All rows are passed as one JSON parameter instead of nine parameters per row, because groups of messages about
    // fills are written several times a second.
    const entries = messages.map(({ id, userId, message, about = null, isHidden }) => ({
      id,
      user_id: userId,
      type: MESSAGE_TYPES[message.type],
      kind: message.kind,
      parameters: message.parameters,
      about,
      is_hidden: isHidden,
    }));
    const { rows } = await sql<{ id: string }>`
      insert into message (id, user_id, type, kind, parameters, read_at, created_at, about, deleted_at)
      select id, user_id, type, kind, parameters, case when is_hidden then ${BigInt(now)}::bigint end,
        ${BigInt(now)}::bigint, about, case when is_hidden then ${BigInt(now)}::bigint end
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (
        id uuid, user_id uuid, type integer, kind text, parameters jsonb, about uuid, is_hidden boolean
      )
      on conflict do nothing
      returning id
    `.execute(tx);
    return new Set(rows.map(({ id }) => id));
  }

  /** Numbers of unread messages by type, together at most `PAGED_ROWS_MAX`. */
  async unreadByType(userId: UserId): Promise<ReadonlyMap<number, number>> {
    const unread = this.visibleOf(userId).where('read_at', 'is', null).select('type').limit(PAGED_ROWS_MAX);
    const rows = await this.store
      .selectFrom(unread.as('unread'))
      .select(['type', (builder) => builder.fn.countAll<bigint>().as('n')])
      .groupBy('type')
      .execute();
    return new Map(rows.map(({ type, n }) => [type, Number(n)]));
  }

  /**
   * A page of a user's messages that are not deleted, newest first; of one type, and only read or only unread
   * ones, if the filter states so. Messages of kinds that this version of the program does not contain are
   * left out.
   */
  async page(userId: UserId, filter: MessageFilter): Promise<ListPage<StoredMessage>> {
    let messages = this.visibleOf(userId);
    if (filter.type !== undefined) messages = messages.where('type', '=', filter.type);
    if (filter.isRead !== undefined)
      messages = messages.where('read_at', filter.isRead ? 'is not' : 'is', null);
    const page = await readPage(this.store, messages.selectAll(), NEWEST, rowsOfPage(filter));
    return { ...page, list: page.list.flatMap((row) => messageOf(row, this.catalogue)) };
  }

  /**
   * Marks one message as read, unless it was read before, and returns it; undefined if the user has no such message or
   * has deleted it. Also undefined, although the message is marked as read, if its kind is unknown to this version.
   */
  async open(userId: UserId, id: string, now: Instant): Promise<StoredMessage | undefined> {
    const row = await this.store
      .updateTable('message')
      .set((builder) => ({ read_at: builder.fn.coalesce('read_at', builder.val(BigInt(now))) }))
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    return row && messageOf(row, this.catalogue)[0];
  }

  /**
   * Marks a user's message `id` as read, or all of the user's messages if `id` is undefined. Returns false if `id` is
   * given and `open` does not find it.
   */
  async markRead(userId: UserId, id: string | undefined, now: Instant): Promise<boolean> {
    if (id !== undefined) return (await this.open(userId, id, now)) !== undefined;
    await this.store
      .updateTable('message')
      .set({ read_at: BigInt(now) })
      .where('user_id', '=', userId)
      .where('read_at', 'is', null)
      .execute();
    return true;
  }

  /**
   * Marks messages of a user as deleted and read, and removes their parameters: the messages with these ids,
   * or all read ones if `ids` is undefined. Unknown ids, and those of other users, are ignored.
   */
  async remove(userId: UserId, ids: readonly string[] | undefined, now: Instant): Promise<void> {
    const messages = this.store
      .updateTable('message')
      .set((builder) => ({
        deleted_at: BigInt(now),
        read_at: builder.fn.coalesce('read_at', builder.val(BigInt(now))),
        parameters: '{}',
      }))
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null);
    const chosen =
      ids === undefined ? messages.where('read_at', 'is not', null) : messages.where('id', 'in', ids);
    await chosen.execute();
  }

  /** Selects a user's messages except deleted ones and kinds that only a newer version of the program has. */
  private visibleOf(userId: UserId) {
    return this.store
      .selectFrom('message')
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .where('kind', 'in', this.catalogue.kinds());
  }
}

function messageOf(
  row: Selectable<MessageTables['message']>,
  catalogue: Pick<MessageCatalogue, 'isKind'>,
): StoredMessage[] {
  if (!catalogue.isKind(row.kind)) return [];
  return [
    {
      id: row.id,
      type: row.type,
      kind: row.kind,
      parameters: row.parameters as Readonly<Record<string, string>>,
      isRead: row.read_at !== null,
      createdAt: instant(Number(row.created_at)),
    },
  ];
}

/** Delivery settings that these users have changed, by user and topic (`choiceKey`). */
export async function choicesOf(
  reader: Reader,
  users: readonly UserId[],
): Promise<ReadonlyMap<string, Channels>> {
  const rows = await reader
    .withTables<MessageTables>()
    .selectFrom('message_choice')
    .selectAll()
    .where('user_id', 'in', users)
    .execute();
  return new Map(rows.map(({ user_id, topic, inbox, mail }) => [choiceKey(user_id, topic), { inbox, mail }]));
}

/** Key of the delivery setting of a user for a topic, in the map that `choicesOf` returns. */
export function choiceKey(user: string, topic: string): string {
  return `${user} ${topic}`;
}

export async function saveChoice(
  tx: Tx,
  user: UserId,
  topic: NoticeTopic,
  { inbox, mail }: Channels,
): Promise<void> {
  await tx
    .withTables<MessageTables>()
    .insertInto('message_choice')
    .values({ user_id: user, topic, inbox, mail })
    .onConflict((conflict) => conflict.columns(['user_id', 'topic']).doUpdateSet({ inbox, mail }))
    .execute();
}
