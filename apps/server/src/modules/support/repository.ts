import type { UserId } from '@exchange/core/ids.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { SupportTopic } from '@exchange/core/support.ts';
import type { TransferKind } from '@exchange/core/tracking.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import { tablesOf, type Store, type Tx, type Reader } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import {
  type AskedPage,
  ListOrder,
  type ListPage,
  mapPage,
  readPage,
  rowsOfPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { SupportTables } from './tables.ts';

const tables = tablesOf<SupportTables>();

/** The deposit, withdrawal or report of a missing deposit that a support request is about. */
export interface AboutTransfer {
  readonly kind: TransferKind;
  readonly id: string;
}

/**
 * A request to customer service. `status` is 1 while it waits for an answer, 2 if it is answered, and 3 if it
 * is closed.
 */
export interface SupportRequest {
  readonly id: string;
  /** Ticket number, by which customers and operators name the support request. */
  readonly number: number;
  readonly owner: UserId | undefined;
  readonly email: string;
  readonly locale: Locale;
  readonly topic: SupportTopic;
  readonly content: string;
  readonly status: 1 | 2 | 3;
  readonly createdAt: Instant;
  /** Time of the request, or of the customer's reply that made an answered request wait for an answer again. */
  readonly waitingSince: Instant;
  readonly decidedAt: Instant | undefined;
  readonly about: AboutTransfer | undefined;
}

/**
 * Makes other callers of this function with the same source (an account or, for visitors, a group of IP
 * addresses) wait until the transaction ends.
 */
export async function lockSource(tx: Tx, source: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`support ${source.toString('hex')}`}, 0))`.execute(
    tx,
  );
}

export async function requestByKey(tx: Tx, source: Buffer, key: string): Promise<SupportRequest | undefined> {
  const row = await tables(tx)
    .selectFrom('support_request')
    .selectAll()
    .where('source', '=', source)
    .where('request_key', '=', key)
    .executeTakeFirst();
  return row && requestOf(row);
}

export async function countSince(tx: Tx, source: Buffer, since: Instant): Promise<number> {
  const { n } = await tables(tx)
    .selectFrom('support_request')
    .select(({ fn }) => fn.countAll<bigint>().as('n'))
    .where('source', '=', source)
    .where('created_at', '>', BigInt(since))
    .executeTakeFirstOrThrow();
  return wholeNumber(n);
}

/** Stores a new support request and returns its ticket number. */
export async function insertRequest(
  tx: Tx,
  request: Omit<SupportRequest, 'number' | 'status' | 'waitingSince' | 'decidedAt'>,
  { source, key }: { readonly source: Buffer; readonly key: string | undefined },
): Promise<number> {
  const { number } = await tables(tx)
    .insertInto('support_request')
    .values({
      id: request.id,
      owner: request.owner ?? null,
      source,
      request_key: key ?? null,
      email: request.email,
      locale: request.locale,
      topic: request.topic,
      content: request.content,
      status: 1,
      created_at: BigInt(request.createdAt),
      waiting_since: BigInt(request.createdAt),
      decided_at: null,
      decided_by: null,
      about_kind: request.about?.kind ?? null,
      about_id: request.about?.id ?? null,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  return wholeNumber(number);
}

/**
 * Reads the latest support request of an account about each transfer in `transfers`, whatever its status. The
 * returned map has the ids of the transfers as keys; transfers without a request are missing.
 */
export async function latestAbout(
  store: Store,
  owner: UserId,
  transfers: readonly string[],
): Promise<ReadonlyMap<string, Pick<SupportRequest, 'id' | 'number' | 'status'>>> {
  if (transfers.length === 0) return new Map();
  const rows = await tables(store)
    .selectFrom('support_request')
    .select(['id', 'number', 'status', 'about_id'])
    .distinctOn('about_id')
    .where('about_id', 'in', [...transfers])
    .where('owner', '=', owner)
    .orderBy('about_id')
    .orderBy('number', 'desc')
    .execute();
  return new Map(
    rows.map(({ about_id: transfer, id, number, status }) => [
      transfer!,
      {
        id,
        number: wholeNumber(number),
        status: status as SupportRequest['status'],
      },
    ]),
  );
}

/**
 * Changes the status of a support request to answered or closed, and returns the changed request. Returns undefined if
 * the request is unknown or its status is not in `from`.
 */
export async function decideRequest(
  tx: Tx,
  id: string,
  {
    from,
    to,
    by,
    now,
  }: {
    readonly from: readonly SupportRequest['status'][];
    readonly to: 2 | 3;
    readonly by: string;
    readonly now: Instant;
  },
): Promise<SupportRequest | undefined> {
  const row = await tables(tx)
    .updateTable('support_request')
    .set({ status: to, decided_at: BigInt(now), decided_by: by })
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .returningAll()
    .executeTakeFirst();
  return row && requestOf(row);
}

/** Returns a support request by its id, whoever wrote it; undefined if there is none. */
export async function findRequest(store: Store, id: string): Promise<SupportRequest | undefined> {
  const row = await tables(store)
    .selectFrom('support_request')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && requestOf(row);
}

/**
 * Returns answered and closed support requests, at most `limit`, the one that was answered or closed last
 * first.
 */
export async function decidedRequests(store: Store, limit: number): Promise<BoundedRows<SupportRequest>> {
  const decided = tables(store)
    .selectFrom('support_request')
    .selectAll()
    .where('status', '<>', 1)
    .orderBy('decided_at', 'desc');
  return mapBounded(await readBounded(store, decided, limit), requestOf);
}

/** Returns support requests that wait for an answer, the longest waiting first, at most `limit`. */
export async function waitingRequests(store: Store, limit: number): Promise<BoundedRows<SupportRequest>> {
  const waiting = tables(store)
    .selectFrom('support_request')
    .selectAll()
    .where('status', '=', 1)
    .orderBy('waiting_since');
  return mapBounded(await readBounded(store, waiting, limit), requestOf);
}

const NEWEST = new ListOrder([
  { name: 'created_at', type: 'bigint' },
  { name: 'id', type: 'uuid' },
]);

export async function requestsOf(
  store: Store,
  owner: UserId,
  page: AskedPage,
): Promise<ListPage<SupportRequest>> {
  const ownRequests = tables(store).selectFrom('support_request').where('owner', '=', owner).selectAll();
  return mapPage(await readPage(store, ownRequests, NEWEST, rowsOfPage(page)), requestOf);
}

/**
 * Deletes up to `limit` support requests that were answered or closed before the instant `before`. Returns their
 * number.
 */
export async function deleteDecided(store: Store, before: Instant, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from support_request where id in (
      select id from support_request where status <> 1 and decided_at < ${BigInt(before)} limit ${limit})`.execute(
    store,
  );
  return wholeNumber(numAffectedRows);
}

function requestOf(row: Selectable<SupportTables['support_request']>): SupportRequest {
  return {
    id: row.id,
    number: wholeNumber(row.number),
    owner: (row.owner ?? undefined) as UserId | undefined,
    email: row.email,
    locale: row.locale as Locale,
    topic: row.topic as SupportTopic,
    content: row.content,
    status: row.status as 1 | 2 | 3,
    createdAt: instant(wholeNumber(row.created_at)),
    waitingSince: instant(wholeNumber(row.waiting_since)),
    decidedAt: row.decided_at === null ? undefined : instant(wholeNumber(row.decided_at)),
    about: row.about_id === null ? undefined : { kind: row.about_kind as TransferKind, id: row.about_id },
  };
}

const REQUEST_STATUS = ['', 'waiting', 'answered', 'closed'] as const;

/** Matches a ticket number as users enter it: `100001` or `#100001`. */
const TICKET_NUMBER = /^#?(\d{6,15})$/;

/** Returns support requests as records, which operators search and which appear on a user's timeline. */
export function supportRecords(reader: Reader, roles: RecordSource['roles']): RecordSource {
  return recordsOfTable(reader, {
    kind: 'ticket',
    ...(roles === undefined ? {} : { roles }),
    table: 'support_request',
    at: 'created_at',
    columns: ['number', 'email', 'topic', 'content', 'status', 'decided_by', 'created_at', 'decided_at'],
    computed: {
      answer: sql`(select m.content from support_message m where m.request = support_request.id and m.author = 2
        order by m.number desc limit 1)`,
    },
    times: ['created_at', 'decided_at'],
    named: ({ lower }) => {
      const [, number] = TICKET_NUMBER.exec(lower) ?? [];
      return [sql`email = ${lower}`, ...(number === undefined ? [] : [sql`number = ${number}::bigint`])];
    },
    describe: ({ number, topic, status }) => ({
      event: `Ticket #${number} about ${topic}`,
      status: REQUEST_STATUS[Number(status)],
    }),
  });
}
