import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type {
  CsvEndpoint,
  DataOf,
  Endpoint,
  FieldsOf,
  ImageEndpoint,
  PdfEndpoint,
} from '@exchange/wire/endpoint.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { ListPage } from '../list-page.ts';
import type { PrerenderedJson, StreamedJson } from './exact-json.ts';
import type { FileContent } from './file-answer.ts';
import type { Submission } from '../sequencer/submission.ts';

export { mapPage, pageOfItems } from '../list-page.ts';

/**
 * The caller of an endpoint as identified by the HTTP layer. The user comes from the session, never from form fields.
 */
export interface Caller {
  readonly session: Session | undefined;
  readonly locale: Locale;
  /** IP address of the socket, or the one that a configured proxy reports; `unknown` after the socket has closed. */
  readonly address: string;
  readonly userAgent: string;
  readonly traceId: string;
  /**
   * The request's idempotency key (from the header `Idempotency-Key` or, at idempotent endpoints, from `clientId`);
   * undefined if none was sent.
   */
  readonly key: string | undefined;
  /**
   * The request as a submission with its idempotency key. It is set at idempotent endpoints if the request has a key, a
   * session and valid fields; otherwise undefined.
   */
  readonly submission: Submission | undefined;
}

export interface Session {
  readonly id: string;
  readonly userId: UserId;
}

export type SignedInCaller = Caller & { readonly session: Session };

type CallerOf<E extends Endpoint> = E['access'] extends { who: 'anyone' } ? Caller : SignedInCaller;

/** An API endpoint and the use case that serves it. */
export interface Route {
  readonly endpoint: Endpoint;
  /** Executes a call of the endpoint; `file` is set for endpoints that accept an upload. */
  serve(fields: unknown, caller: Caller, file?: Buffer): unknown;
  /**
   * Describes how a repeated request with the same idempotency key is answered. It is required for every idempotent
   * endpoint.
   */
  readonly once?: Once;
}

/** The operation under which the first answer to an idempotent request is stored, and how it is restored. */
export interface Once {
  /**
   * Name of the command that the endpoint executes, or of its use case if it executes no command.
   */
  readonly operation: string;
  /** Restores the answer's `data` from the text stored with the first execution. */
  restore(stored: string, caller: Caller, fields: unknown): unknown;
}

/**
 * The type that a use case may return for a described type of an answer's `data`: a `Decimal` is permitted for a number
 * in market answers and for a text in all others.
 */
export type Presented<T> = T extends string
  ? string extends T
    ? T | Decimal
    : T
  : T extends number
    ? number extends T
      ? T | Decimal
      : T
    : T extends readonly unknown[] | object
      ? { readonly [Field in keyof T]: Presented<T[Field]> }
      : T;

type Answer<E extends Endpoint> = E extends CsvEndpoint | ImageEndpoint | PdfEndpoint
  ? FileContent
  : Presented<DataOf<E>> | PrerenderedJson | StreamedJson;

/** Connects an endpoint to its use case. The value that `serve` returns becomes the answer's `data`, or the file. */
export function route<E extends Endpoint>(
  endpoint: E,
  serve: (fields: FieldsOf<E>, caller: CallerOf<E>) => Promise<Answer<E>> | Answer<E>,
): Route {
  return { endpoint, serve };
}

/**
 * Connects an idempotent endpoint to its use case. `serve` must pass `caller.submission` to the sequencer or to
 * `storeFirstAnswer`. A repetition is answered by `restore` without running `serve`; by default the stored JSON is the
 * answer.
 */
export function submissionRoute<E extends Endpoint>(
  endpoint: E,
  options: {
    readonly operation: string;
    readonly serve: (fields: FieldsOf<E>, caller: CallerOf<E>) => Promise<Answer<E>> | Answer<E>;
    readonly restore?: (
      stored: string,
      caller: CallerOf<E>,
      fields: FieldsOf<E>,
    ) => Promise<Answer<E>> | Answer<E>;
  },
): Route {
  const { operation, serve, restore = (stored: string) => JSON.parse(stored) as Answer<E> } = options;
  return { endpoint, serve, once: { operation, restore } };
}

/** Connects an endpoint that accepts an upload to its use case. */
export function uploadRoute<E extends Endpoint>(
  endpoint: E,
  serve: (
    fields: FieldsOf<E>,
    caller: CallerOf<E>,
    file: Buffer,
  ) => Promise<Presented<DataOf<E>>> | Presented<DataOf<E>>,
): Route {
  return { endpoint, serve };
}

/**
 * Formats a page of a list for an answer: the rows, the total number of rows as `totalRow` and `sum`, the number and
 * size of the requested page, and the positions that clients send to request further pages.
 */
export function pageAnswer<Row>(
  { list, total, anchor, next }: ListPage<Row>,
  { pageNo, pageSize }: { readonly pageNo: number; readonly pageSize: number },
) {
  return {
    list,
    totalRow: total,
    sum: total,
    pageNo,
    pageSize,
    anchor,
    next,
  };
}
