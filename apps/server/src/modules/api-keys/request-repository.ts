import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/database/database.ts';
import {
  ListOrder,
  mapPage,
  readPage,
  type ListPage,
  type PagedRows,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { ApiKeyTables } from './tables.ts';

/**
 * Number of proven requests stored in the database per API key; a further request replaces the oldest one.
 */
export const REQUESTS_STORED = 1_000;
/**
 * Number of unproven requests stored in the database per API key; a further request replaces the oldest one.
 */
export const UNPROVEN_STORED = 100;

/**
 * The two logs in which API requests are stored as ring buffers: the table of each, and the number of requests per key
 * that it contains.
 */
const RINGS = {
  proven: { table: 'api_key_request', size: REQUESTS_STORED },
  unproven: { table: 'api_key_unproven_request', size: UNPROVEN_STORED },
} as const;

/**
 * Log in which an API request is recorded. `proven`: the request was signed with the API key, or came over a connection
 * that was authenticated with the key. `unproven`: anybody who knows the public part of the key may have sent the
 * request.
 */
export type RequestRing = keyof typeof RINGS;

/** A request that a program sent to the trading API; it contains no data that could be secret. */
export interface ProgramRequest {
  /** Id of the API key that the request named; an unproven request may not come from the owner of the key. */
  readonly keyId: string;
  readonly at: Instant;
  /** The HTTP method, or `WS` for a request on a WebSocket connection. */
  readonly method: string;
  /** The HTTP path without query, or the method name of the WebSocket API. */
  readonly path: string;
  /** Weight with which the request counts against the API's rate limit. */
  readonly weight: number;
  readonly status: number;
  /** Error code of the answer; 0 if the answer has no error code. */
  readonly code: number;
  readonly address: string;
  /** Time between the arrival of the request and its answer, in microseconds. */
  readonly durationUs: number;
  readonly ring: RequestRing;
}

export type StoredRequest = Omit<ProgramRequest, 'ring'> & { readonly sequence: number };

/**
 * An API request that is to be stored. `number` counts the requests of its key within one call of `storeRequests`,
 * starting at 1; numbers of requests that were replaced before the call are missing.
 */
export interface NumberedRequest {
  readonly request: ProgramRequest;
  readonly number: number;
}

const NEWEST_FIRST = new ListOrder([{ name: 'sequence', type: 'bigint' }]);

/**
 * Stores API requests in one log, in the given order. If the log contains the greatest number of requests of a key, a
 * further request replaces the key's oldest. A call must not contain more requests of a key than that number. Requests
 * of revoked keys are not stored.
 */
export async function storeRequests(
  store: Store,
  ring: RequestRing,
  requests: readonly NumberedRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const { table: name, size } = RINGS[ring];
  const table = sql.table(name);
  const keyIds = [...new Set(requests.map(({ request }) => request.keyId))];
  const column = <T>(valueOf: (request: ProgramRequest) => T): T[] =>
    requests.map(({ request }) => valueOf(request));
  await sql`
    with ring as materialized (
      select key_id, max(sequence) as last from ${table}
      where key_id = any(${keyIds}::uuid[]) group by key_id
    )
    insert into ${table} as stored
      (key_id, place, sequence, at, method, path, weight, status, code, address, duration_us)
    select sent.key_id, (coalesce(ring.last, 0) + sent.number) % ${sql.lit(size)},
      coalesce(ring.last, 0) + sent.number,
      sent.at, sent.method, sent.path, sent.weight, sent.status, sent.code, sent.address, sent.duration_us
    from unnest(
      ${column(({ keyId }) => keyId)}::uuid[], ${requests.map(({ number }) => number)}::bigint[], ${column(({ at }) => at)}::bigint[],
      ${column(({ method }) => method)}::text[], ${column(({ path }) => path)}::text[],
      ${column(({ weight }) => weight)}::integer[], ${column(({ status }) => status)}::smallint[],
      ${column(({ code }) => code)}::integer[], ${column(({ address }) => address)}::text[],
      ${column(({ durationUs }) => durationUs)}::integer[]
    ) as sent (key_id, number, at, method, path, weight, status, code, address, duration_us)
    join api_key on api_key.id = sent.key_id and api_key.revoked_at is null
    left join ring on ring.key_id = sent.key_id
    on conflict (key_id, place) do update set
      sequence = excluded.sequence, at = excluded.at, method = excluded.method, path = excluded.path,
      weight = excluded.weight, status = excluded.status, code = excluded.code, address = excluded.address,
      duration_us = excluded.duration_us
  `.execute(store);
}

/**
 * Returns the number of unproven requests stored for an API key since its creation, including those that
 * later requests replaced in the log; requests that were never stored are not counted.
 */
export async function unprovenCount(reader: Reader, keyId: string): Promise<number> {
  const row = await reader
    .withTables<ApiKeyTables>()
    .selectFrom('api_key_unproven_request')
    .where('key_id', '=', keyId)
    .select(({ fn }) => fn.max('sequence').as('last'))
    .executeTakeFirst();
  return wholeNumber(row?.last ?? 0);
}

/** Returns a page of the stored requests of an API key in one log, newest first. */
export async function requestsOf(
  reader: Reader,
  { keyId, ring }: { readonly keyId: string; readonly ring: RequestRing },
  page: PagedRows,
): Promise<ListPage<StoredRequest>> {
  const requests = reader
    .withTables<ApiKeyTables>()
    .selectFrom(RINGS[ring].table)
    .where('key_id', '=', keyId)
    .selectAll();
  return mapPage(await readPage(reader, requests, NEWEST_FIRST, page), (row) => ({
    keyId: row.key_id,
    sequence: wholeNumber(row.sequence),
    at: instant(wholeNumber(row.at)),
    method: row.method,
    path: row.path,
    weight: row.weight,
    status: row.status,
    code: row.code,
    address: row.address,
    durationUs: row.duration_us,
  }));
}

/** Removes the stored requests of the given API keys from both logs. */
export async function removeRequests(store: Store, keyIds: readonly string[]): Promise<void> {
  for (const { table } of Object.values(RINGS))
    await store.withTables<ApiKeyTables>().deleteFrom(table).where('key_id', 'in', keyIds).execute();
}
