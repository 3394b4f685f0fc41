/**
 * Messages between API nodes and the writer: commands and their answers, each a line of fields. All
 * lines of a turn of the event loop are one message of a `FactStream`. From a node: `alive` with
 * its version; `command` with an id, the deadline, whether it is sent again, a W3C trace parent and
 * the command; `more` and `stop` with the id of a command whose answer is a file; `held` when it
 * sends no more commands to a writer that stops; `bye` when it stops itself. From the writer:
 * `answer` with the id and the answer; `file`, `part`, `end` and `cut` with the id, for files, of
 * which the node fetches one part after another; `stopping` when another writer is about to take
 * over. In both directions, for WebSocket connections of trading programs that the writer serves:
 * `socket-text` with the id of a connection and a message, `socket-close` with its id; from a node
 * `socket-open` with its id, path and headers.
 */
import type { Locale } from '@exchange/core/locale.ts';
import type { Session } from '../http/route.ts';

/**
 * A call in the form in which it is sent to the writer: like `IdentifiedCall`, with its file as
 * base64.
 */
export interface CallCommand {
  readonly kind: 'call';
  /** Method and path, e.g. `POST /spot/place`. */
  readonly call: string;
  readonly session: Session | undefined;
  readonly locale: Locale;
  readonly address: string;
  readonly userAgent: string;
  readonly traceId: string;
  readonly sentKey: string | undefined;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly file: string | undefined;
}

/** A request to an API with its own format, e.g. the trading API; its body is base64. */
export interface ApiCommand {
  readonly kind: 'api';
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly address: string;
  readonly addressGroup: string;
}

/** A request for a page that the writer renders. */
export interface PageCommand {
  readonly kind: 'page';
  readonly path: string;
  readonly query: string;
}

export type Command = CallCommand | ApiCommand | PageCommand;

/** A WebSocket connection of a program at a node. */
export interface SocketHead {
  /** Path and query. */
  readonly url: string;
  readonly address: string;
  readonly addressGroup: string;
}

/** An answer that is sent as one text. */
export interface TextAnswer {
  readonly status: number;
  /** Result code of the answer's envelope; 0 for other formats. */
  readonly code: number;
  readonly body: string;
  readonly retryAfter?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Content type of a page. */
  readonly type?: string | undefined;
}

/** Result code, name and content type of a file that is the answer; its parts are sent as base64. */
export interface FileHead {
  readonly code: number;
  readonly name: string;
  readonly type: string;
}

/**
 * Milliseconds after its acceptance at a node within which a call must be executed and answered. The apps wait
 * one second longer, so that they still receive the answer that the outcome is unknown.
 */
export const COMMAND_MS = 11_000;

/** Encodes an answer's body as a field: unchanged, or as JSON if it contains separators. */
export function bodyField(body: string): string {
  return /[\t\n]/.test(body) ? `+${JSON.stringify(body)}` : `=${body}`;
}

/** Decodes a body that `bodyField` has encoded. */
export function bodyOfField(field: string): string {
  return field.startsWith('+') ? (JSON.parse(field.slice(1)) as string) : field.slice(1);
}

export const bytesField = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');
export const bytesOfField = (field: string): Buffer => Buffer.from(field, 'base64');
