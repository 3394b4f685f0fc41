import type { OfferedOperation, RowsDescription } from '@exchange/wire/operation.ts';

export type {
  Column,
  Columns,
  OfferedOperation as Operation,
  OperationField,
  CeilingNote,
  FieldNeighbours,
  OperatorWarning,
  RowsDescription,
} from '@exchange/wire/operation.ts';
export { pathParametersOf } from '@exchange/wire/operation.ts';

export interface OperatorSession {
  readonly name: string;
  readonly roles: readonly string[];
  readonly mode: string;
  readonly operations: readonly OfferedOperation[];
  /** The listed pairs, written as in URLs, for example `BTC_USDT`. */
  readonly pairs?: readonly string[];
}

/** A row of an operator list: its values by field name. */
export type Row = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Sentence that says why the request was refused, or that no response arrived. Undefined on success, and
   * for every readable response of `/health`, whatever its status.
   */
  readonly error: string | undefined;
}

interface CallMode {
  /** True for requests that do not extend the operator's session, such as those that the page repeats by itself. */
  readonly isBackground?: boolean;
  /** Idempotency key: repeated requests with the same key are executed once and all get the first response. */
  readonly key?: string;
}

/**
 * Maximum wait for a response in milliseconds. Without a maximum, the console would show a request without a response
 * as loading for ever.
 */
const ANSWER_MS = 60_000;

/**
 * Sends a request to the port that serves the console: to an operator endpoint, or to `/health`. It is a POST with
 * `fields`, otherwise a GET. Never rejects: without a response in time, the status is 0, and it is unknown whether the
 * server executed the request.
 */
export async function callOperators(
  path: string,
  fields?: Readonly<Record<string, string>>,
  { isBackground = false, key }: CallMode = {},
): Promise<Answer> {
  const headers = {
    ...(isBackground ? { 'x-background': '1' } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(
      path,
      fields === undefined
        ? { headers, signal }
        : { method: 'POST', headers, signal, body: new URLSearchParams(fields) },
    );
    const body = (await response.json()) as Answer['body'];
    const error =
      response.ok || path === '/health' ? undefined : formatValue(body['error'] ?? response.status);
    return { status: response.status, body, error };
  } catch {
    // The request failed in the network or timed out, so it is unknown whether the server executed it.
    return { status: 0, body: {}, error: 'The server does not answer.' };
  }
}

/**
 * Replaces the named parameters in an operation's path by the URL-encoded values of a row or form; missing
 * values become empty strings.
 */
export function resolvePath(path: string, values: Row): string {
  return path.replaceAll(/:(\w+)/g, (_part, name: string) => encodeURIComponent(formatValue(values[name])));
}

/** Appends query parameters to a path; parameters with an empty value are omitted. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== '');
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

/**
 * Returns the rows of an operator list in a response; an empty list if the operation has no row description, or if the
 * response contains no rows.
 */
export function rowsOf(rows: Pick<RowsDescription, 'in'> | undefined, body: Answer['body']): readonly Row[] {
  const list = rows === undefined ? undefined : body[rows.in];
  return Array.isArray(list) ? (list as readonly Row[]) : [];
}

/** The total number of rows of an operator list; undefined when the response does not contain it. */
export function totalOf(body: Answer['body']): number | undefined {
  const { total } = body;
  return typeof total === 'number' ? total : undefined;
}

/** Converts a value of an operator list to text: empty for null and undefined, other values than texts as JSON. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const CAMEL = /^[a-z]+(?:[A-Z][a-z]+)+$/;

/**
 * Converts camel case to words, for example `cancelOnly` to `cancel only`; other text is returned unchanged.
 */
export function camelToWords(text: string): string {
  return CAMEL.test(text) ? text.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : text;
}
