import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { userProfile } from '@exchange/wire/console/users.ts';
import type { Role } from '@exchange/wire/operation.ts';

/** Roles that may open records of a kind for which no roles are declared: the roles that may view users. */
export const RECORD_READERS: readonly Role[] = userProfile.roles;
/** Maximum number of records of a kind that an operator's search shows. */
export const RECORDS_FOUND_MAX = 10;
const QUERY_MAX = 254;

/** The text that an operator searches for, in the spellings in which modules compare it. */
export interface RecordQuery {
  /** The searched text in Unicode NFKC with single spaces and without invisible characters. */
  readonly text: string;
  readonly lower: string;
  /** The searched text as the id of a record; undefined if the text is not a valid id. */
  readonly id: string | undefined;
  /**
   * Spellings of the searched text as a blockchain transaction id, in lower case: with and without `0x` if
   * the text has 64 hex digits, otherwise only the text itself.
   */
  readonly transactions: readonly string[];
}

const TRANSACTION = /^(?:0x)?([0-9a-f]{64})$/;

/**
 * Normalizes a text that an operator typed or pasted. Returns undefined for an empty text. A text of more than 254
 * characters is cut.
 */
export function recordQuery(typed: string): RecordQuery | undefined {
  const text = typed
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, QUERY_MAX);
  if (text === '') return undefined;
  const lower = text.toLowerCase();
  const [, digits] = TRANSACTION.exec(lower) ?? [];
  return {
    text,
    lower,
    id: isUuid(lower) ? lower : undefined,
    transactions: digits === undefined ? [lower] : [digits, `0x${digits}`],
  };
}

/** A record that an operator's search has found. */
export interface FoundRecord {
  readonly id: string;
  /** The user to whom the record belongs; undefined for a record of a visitor. */
  readonly owner: UserId | undefined;
  readonly label: string;
}

/** A record of a user's account as it appears on the account's timeline. */
export interface RecordRow extends FoundRecord {
  readonly at: number;
  /** A short description of the record, such as `Buy limit BTC_USDT`. `label` also contains amount and status. */
  readonly event: string;
  readonly amount?: string | undefined;
  readonly asset?: string | undefined;
  readonly status?: string | undefined;
  /** Values of a record that an operator has opened, by name. */
  readonly detail: Readonly<Record<string, string>>;
  /** Position of the record in its source. The next page of the timeline begins after this position. */
  readonly cursor: string;
}

/** Selects the records of an account's timeline to read, newest first. */
export interface RecordRange {
  /** The `cursor` of the last record of the previous page; undefined for the first page. */
  readonly before: string | undefined;
  /**
   * Start (`from`) and end (`to`) of the period whose records are read, in milliseconds UTC, inclusive; undefined for
   * no bound.
   */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
}

/**
 * A kind of records that a module provides to operators: functions that search them, read the timeline of an account
 * and open one of them. Modules declare it in their manifest (`records`), so that the console needs no change for a new
 * product.
 */
export interface RecordSource {
  /** Name of the kind of records in camel case. The console shows it in separate words. */
  readonly kind: string;
  /** Roles, besides `owner`, that may find and open the records; by default the roles that may view users. */
  readonly roles?: readonly Role[];
  /** True if `find` compares confidential data. If it finds a record, the audit log masks the searched text. */
  readonly isConfidential?: boolean;
  /** Finds at most `limit` records that match the searched text. Each compared column must have an index. */
  readonly find?: (query: RecordQuery, limit: number) => Promise<readonly FoundRecord[]>;
  /** Reads the records of an account, newest first. It must use an index that begins with the account. */
  readonly page?: (owner: UserId, range: RecordRange) => Promise<readonly RecordRow[]>;
  /** Reads the record with this id; undefined if there is no such record. */
  readonly open?: (id: string) => Promise<RecordRow | undefined>;
}
