import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { CsvEndpoint, DataOf, Endpoint, FieldsOf, ImageEndpoint } from '@exchange/wire/endpoint.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { ListPage } from '../list-page.ts';
import type { PrerenderedJson, StreamedJson } from './exact-json.ts';
import type { FileContent } from './file-answer.ts';
import type { Submission } from '../sequencer/submission.ts';

export { mapPage, pageOfItems } from '../list-page.ts';

/** Who is calling, as the edge has established it: never from the body. */
export interface Caller {
  readonly session: Session | undefined;
  readonly locale: Locale;
  /** The socket's address, or the one a configured proxy reports. */
  readonly address: string;
  readonly userAgent: string;
  readonly traceId: string;
  /** The idempotency key of the call (`clientId` or `Idempotency-Key`), where it carries one. */
  readonly key: string | undefined;
  /** The call as a submission under its key: of submission routes, where the call has a key and a session. */
  readonly submission: Submission | undefined;
}

export interface Session {
  readonly id: string;
  readonly userId: UserId;
}

export type SignedInCaller = Caller & { readonly session: Session };

type CallerOf<E extends Endpoint> = E['access'] extends { who: 'anyone' } ? Caller : SignedInCaller;

/** A described call and the use case that serves it. */
export interface Route {
  readonly endpoint: Endpoint;
  /** `file` comes with a call that takes one. */
  serve(fields: unknown, caller: Caller, file?: Buffer): unknown;
  /** How a call that honours a key is answered again; a call described as idempotent has it, or the server does not start. */
  readonly once?: Once;
}

/** Where the first answers of a call are stored, and how they become answers again. */
export interface Once {
  /** The name of the command that the call executes, or of its use case where it executes none. */
  readonly operation: string;
  /** Makes the answer's `data` of the text that was stored with the first execution. */
  restore(stored: string, caller: Caller, fields: unknown): unknown;
}

/**
 * What a use case may return for the `data` that its call describes: a `Decimal` stands for a number of the
 * market calls and for text in all others.
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

type Answer<E extends Endpoint> = E extends CsvEndpoint | ImageEndpoint
  ? FileContent
  : Presented<DataOf<E>> | PrerenderedJson | StreamedJson;

/** Ties a call to its use case; what is returned becomes the answer's `data`, or the file. */
export function route<E extends Endpoint>(
  endpoint: E,
  serve: (fields: FieldsOf<E>, caller: CallerOf<E>) => Promise<Answer<E>> | Answer<E>,
): Route {
  return { endpoint, serve };
}

/**
 * Ties a call that honours a key to its use case. `serve` hands `caller.submission` to the sequencer (or to
 * `storeFirstAnswer`); the edge answers a repetition with `restore` and does not run `serve` again. Without `restore` the
 * stored JSON is the answer.
 */
export function submissionRoute<E extends Endpoint>(
  endpoint: E,
  described: {
    readonly operation: string;
    readonly serve: (fields: FieldsOf<E>, caller: CallerOf<E>) => Promise<Answer<E>> | Answer<E>;
    readonly restore?: (
      stored: string,
      caller: CallerOf<E>,
      fields: FieldsOf<E>,
    ) => Promise<Answer<E>> | Answer<E>;
  },
): Route {
  const { operation, serve, restore = (stored: string) => JSON.parse(stored) as Answer<E> } = described;
  return { endpoint, serve, once: { operation, restore } };
}

/** Ties a call that takes a file to its use case. */
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
 * A page of a list as calls answer it: the rows, how many there are in all under both of their names, and the places that
 * further pages are requested with. `page` is what was requested.
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
