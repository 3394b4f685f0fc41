import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { tablesOf, type Store, type Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { SupportTables } from './tables.ts';

/** Author of a message of a support conversation; notes are shown only to operators. */
export type Author = 'customer' | 'support' | 'note';
const AUTHORS: readonly Author[] = ['customer', 'support', 'note'];

/** A message of a support conversation that follows the request itself. */
export interface ThreadMessage {
  readonly number: number;
  readonly author: Author;
  readonly content: string;
  /** Name of the operator who wrote the message; undefined for the customer. */
  readonly by: string | undefined;
  readonly at: Instant;
}

const tables = tablesOf<SupportTables>();

/**
 * Locks a support request until the transaction ends. Returns owner, status, the time at which it was
 * answered or closed, and content, by which callers check whether a change is allowed; undefined for an
 * unknown id.
 */
export async function lockRequest(tx: Tx, id: string) {
  const row = await tables(tx)
    .selectFrom('support_request')
    .select(['owner', 'status', 'decided_at', 'content'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    owner: (row.owner ?? undefined) as UserId | undefined,
    status: row.status as 1 | 2 | 3,
    decidedAt: row.decided_at === null ? undefined : instant(wholeNumber(row.decided_at)),
    content: row.content,
  };
}

/** Stores a message of a support request, which the caller has locked. */
export async function insertMessage(
  tx: Tx,
  request: string,
  { author, content, by, at }: Omit<ThreadMessage, 'number'>,
): Promise<void> {
  await tables(tx)
    .insertInto('support_message')
    .values({
      request,
      author: AUTHORS.indexOf(author) + 1,
      content,
      written_by: by ?? null,
      created_at: BigInt(at),
    })
    .execute();
}

/**
 * Returns the newest `limit` messages of a support request, notes included, in the order in which they were
 * written.
 */
export async function messagesOf(store: Store, request: string, limit: number): Promise<ThreadMessage[]> {
  const rows = await tables(store)
    .selectFrom('support_message')
    .selectAll()
    .where('request', '=', request)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(messageOf).toReversed();
}

/**
 * Summary of the messages of a support conversation after the request itself: the last message of the customer, the
 * last one of customer service and its time, the number of messages of both (`count`, without notes), and the number of
 * notes.
 */
export interface ThreadSummary {
  readonly count: number;
  readonly notes: number;
  readonly lastReply: string | undefined;
  readonly lastAnswer: string | undefined;
  readonly answeredAt: Instant | undefined;
}

/**
 * Returns the summaries of support conversations, by the id of the request; requests without further messages
 * are missing.
 */
export async function threadSummaries(
  store: Store,
  requests: readonly string[],
): Promise<ReadonlyMap<string, ThreadSummary>> {
  if (requests.length === 0) return new Map();
  const { rows } = await sql<{
    request: string;
    count: number;
    notes: number;
    reply: string | null;
    answer: string | null;
    answered: string | null;
  }>`
    select request, count(*) filter (where author <> 3)::int as count, count(*) filter (where author = 3)::int as notes,
      (array_agg(content order by number desc) filter (where author = 1))[1] as reply,
      (array_agg(content order by number desc) filter (where author = 2))[1] as answer,
      max(created_at) filter (where author = 2)::text as answered
    from support_message where request = any(${requests}::uuid[]) group by request
  `.execute(store);
  return new Map(
    rows.map(({ request, count, notes, reply, answer, answered }) => [
      request,
      {
        count,
        notes,
        lastReply: reply ?? undefined,
        lastAnswer: answer ?? undefined,
        answeredAt: answered === null ? undefined : instant(Number(answered)),
      },
    ]),
  );
}

/**
 * Returns the number of all messages after the first text of a support request, of those that the customer
 * can read (all but operators' notes), and of those that the customer has written after the instant `since`.
 */
export async function countMessages(
  tx: Tx,
  request: string,
  since: Instant,
): Promise<{ readonly all: number; readonly readable: number; readonly recent: number }> {
  const { rows } = await sql<{ all: number; readable: number; recent: number }>`
    select count(*)::int as all, count(*) filter (where author <> 3)::int as readable,
      count(*) filter (where author = 1 and created_at > ${since}::bigint)::int as recent
    from support_message where request = ${request}::uuid
  `.execute(tx);
  return rows[0]!;
}

/**
 * Marks an answered support request as waiting for an answer since `now`. Does nothing if its status is not answered.
 */
export async function reopenRequest(tx: Tx, id: string, now: Instant): Promise<void> {
  await tables(tx)
    .updateTable('support_request')
    .set({
      status: 1,
      decided_at: null,
      decided_by: null,
      waiting_since: BigInt(now),
    })
    .where('id', '=', id)
    .where('status', '=', 2)
    .execute();
}

function messageOf(row: Selectable<SupportTables['support_message']>): ThreadMessage {
  return {
    number: wholeNumber(row.number),
    author: AUTHORS[row.author - 1]!,
    content: row.content,
    by: row.written_by ?? undefined,
    at: instant(wholeNumber(row.created_at)),
  };
}
