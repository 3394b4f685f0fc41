import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { userProfile } from '@exchange/wire/console/users.ts';
import type { Role } from '@exchange/wire/operation.ts';

/** Roles that may open records of a kind that declares no roles: those that may view users. */
export const RECORD_READERS: readonly Role[] = userProfile.roles;
/** Greatest number of records of a kind that an operator's search shows. */
export const RECORDS_FOUND_MAX = 10;
const QUERY_MAX = 254;

/** The text that an operator searches for, in the spellings in which modules compare it. */
export interface RecordQuery {
  /** The searched text in Unicode NFKC with single spaces and without invisible characters. */
  readonly text: string;
  readonly lower: string;
  /** The searched text as the id of a record; undefined if it is none. */
  readonly id: string | undefined;
  /**
   * The searched text as a blockchain transaction id in lower case, with and without `0x` where it
   * has 64 digits.
   */
  readonly transactions: readonly string[];
}

const TRANSACTION = /^(?:0x)?([0-9a-f]{64})$/;

/**
 * Normalises a text that an operator typed or pasted; undefined for an empty text. Longer texts are
 * cut to 254 characters.
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

/** A record found by an operator's search. */
export interface FoundRecord {
  readonly id: string;
  /** The account that the record belongs to; undefined for a record of a visitor. */
  readonly owner: UserId | undefined;
  readonly label: string;
}

/** A record on the timeline of an account. */
export interface RecordRow extends FoundRecord {
  readonly at: number;
  /**
   * A short sentence about the record, such as `Buy limit BTC_USDT`; `label` of the search adds
   * amount and status.
   */
  readonly event: string;
  readonly amount?: string | undefined;
  readonly asset?: string | undefined;
  readonly status?: string | undefined;
  /** Values of the opened record by name. */
  readonly detail: Readonly<Record<string, string>>;
  /** Position of the record in its source, from which the next page of the timeline continues. */
  readonly cursor: string;
}

/** Selects the rows of a timeline to read, newest first. */
export interface RecordRange {
  /** `cursor` of the last row of the previous page; undefined for the first page. */
  readonly before: string | undefined;
  /** Start and end of the period in milliseconds UTC, inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
}

/**
 * A kind of records that a module offers to operators: how a search finds them and how they appear on the timeline of
 * their account. Modules declare it in their manifest (`records`), so that a new product appears by itself.
 */
export interface RecordSource {
  /** Name of the kind of records in camel case; shown in words. */
  readonly kind: string;
  /**
   * Roles of operators that may open the records besides owners; without it all that may view
   * users. Other operators do not find them.
   */
  readonly roles?: readonly Role[];
  /** Whether `find` compares confidential data; if it finds a record, the audit log stores the searched text masked. */
  readonly isConfidential?: boolean;
  /**
   * Finds records that the searched text names, at most `limit`; each way of naming one uses its
   * index.
   */
  readonly find?: (query: RecordQuery, limit: number) => Promise<readonly FoundRecord[]>;
  /** The records of an account, newest first, by an index that begins with the account. */
  readonly page?: (owner: UserId, range: RecordRange) => Promise<readonly RecordRow[]>;
  /** The record with this id; undefined if there is none. */
  readonly open?: (id: string) => Promise<RecordRow | undefined>;
}
