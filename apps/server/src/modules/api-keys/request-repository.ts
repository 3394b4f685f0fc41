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

/** Requests of a key that are stored; a further one replaces the oldest. */
export const REQUESTS_STORED = 1_000;

/** A request of a program, without anything that could be secret. */
export interface ProgramRequest {
  /** Id of the key. */
  readonly keyId: string;
  readonly at: Instant;
  /** The HTTP method, or `WS` for a request on a connection. */
  readonly method: string;
  /** The path of the call without query, or the method of the WebSocket API. */
  readonly path: string;
  /** Request weight that was charged. */
  readonly weight: number;
  /** HTTP status. */
  readonly status: number;
  /** Code of the error; 0 for an answer without one. */
  readonly code: number;
  readonly address: string;
  /** Time between the arrival of the request and its answer, in microseconds. */
  readonly durationUs: number;
}

export type StoredRequest = ProgramRequest & { readonly sequence: number };

const NEWEST_FIRST = new ListOrder([{ name: 'sequence', type: 'bigint' }]);

/**
 * Stores requests in the rings of their keys, in the given order, at most `REQUESTS_STORED` for a key. Requests of revoked
 * keys are left out.
 */
export async function storeRequests(store: Store, requests: readonly ProgramRequest[]): Promise<void> {
  const counts = new Map<string, number>();
  const numbers = requests.map(({ keyId }) => {
    const number = (counts.get(keyId) ?? 0) + 1;
    counts.set(keyId, number);
    return number;
  });
  const column = <T>(valueOf: (request: ProgramRequest) => T): T[] => requests.map(valueOf);
  await sql`
    with ring as materialized (
      select key_id, max(sequence) as last from api_key_request
      where key_id = any(${[...counts.keys()]}::uuid[]) group by key_id
    )
    insert into api_key_request as stored
      (key_id, place, sequence, at, method, path, weight, status, code, address, duration_us)
    select sent.key_id, (coalesce(ring.last, 0) + sent.number) % ${sql.lit(REQUESTS_STORED)},
      coalesce(ring.last, 0) + sent.number,
      sent.at, sent.method, sent.path, sent.weight, sent.status, sent.code, sent.address, sent.duration_us
    from unnest(
      ${column(({ keyId }) => keyId)}::uuid[], ${numbers}::bigint[], ${column(({ at }) => at)}::bigint[],
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

/** The stored requests of a key, newest first. */
export async function requestsOf(
  reader: Reader,
  keyId: string,
  page: PagedRows,
): Promise<ListPage<StoredRequest>> {
  const requests = reader
    .withTables<ApiKeyTables>()
    .selectFrom('api_key_request')
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

/** Removes the stored requests of keys. */
export async function removeRequests(store: Store, keyIds: readonly string[]): Promise<void> {
  await store
    .withTables<ApiKeyTables>()
    .deleteFrom('api_key_request')
    .where('key_id', 'in', keyIds)
    .execute();
}
