/**
 * Messages between API nodes and the writer. Each message is a line of fields that begins with its name. All lines of a
 * turn of the event loop are sent together by a `FactStream`.
 *
 * A node sends:
 * - `alive` every second, with the node's version;
 * - `command` with an id, the deadline, `first` or `again`, a W3C trace parent and the command;
 * - `more` and `stop` with a command's id, to fetch the next part of a file or to abandon the transfer;
 * - `held` when it sends no more commands to a stopping writer;
 * - `bye` when the node stops;
 * - `socket-open` with the id of a trading program's new WebSocket connection, and its path, query, network
 *   address and address group.
 *
 * The writer sends:
 * - `answer` with a command's id and the answer;
 * - `file`, `part` and `end` with a command's id, when the answer is a file; `cut` when its transfer fails;
 * - `stopping` when it begins to stop: nodes must keep further commands for the next writer;
 * - `alive` in answer to the `alive` of a node at which trading programs are connected.
 *
 * Both send `socket-text` with the id of a trading program's connection and a message, and `socket-close` with its id.
 */
import type { Locale } from '@exchange/core/locale.ts';
import type { Session } from '../http/route.ts';

/**
 * An HTTP call as an API node sends it to the writer: the fields of an `IdentifiedCall`, with an uploaded file as
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
  /** Other callers that get the same answer. Absent for a call of one caller. */
  readonly sharers?: readonly CallSharer[];
}

/** Another caller of a call that only reads, whose answer is the same for everybody. */
export interface CallSharer {
  readonly session: Session | undefined;
  readonly address: string;
}

/** A request to an API with its own format, e.g. the trading API. Its body is base64. */
export interface ApiCommand {
  readonly kind: 'api';
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly address: string;
  readonly addressGroup: string;
  /** The address groups of other callers that get the same answer. Absent for a request of one caller. */
  readonly sharers?: readonly string[];
}

/** A request for a page that the writer renders. */
export interface PageCommand {
  readonly kind: 'page';
  readonly path: string;
  readonly query: string;
}

export type Command = CallCommand | ApiCommand | PageCommand;

/** The request that opened a trading program's WebSocket connection at an API node. */
export interface SocketHead {
  /** Path and query. */
  readonly url: string;
  readonly address: string;
  readonly addressGroup: string;
}

/** An answer of the writer that is sent as a single text. */
export interface TextAnswer {
  readonly status: number;
  /** Result code in the answer's JSON; 0 for answers in another format. */
  readonly code: number;
  readonly body: string;
  readonly retryAfter?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Content type of the answer to a page request; undefined for other answers. */
  readonly type?: string | undefined;
  /**
   * How the sharers of the command are answered, in the order of the command. Undefined without sharers, if the answer is
   * no success, and if a writer of an earlier version has executed the command: it is then for the first caller only.
   */
  readonly sharers?: readonly SharerAnswer[] | undefined;
}

/** How a sharer of a command is answered. Everything that is undefined is as in the answer to the first caller. */
export interface SharerAnswer {
  /** Seconds that a caller has to wait who has exceeded a rate limit; undefined if the caller gets the answer. */
  readonly waitSeconds?: number | undefined;
  readonly status?: number | undefined;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Result code, name and content type of a file that answers a command. Its parts are sent as base64. */
export interface FileHead {
  readonly code: number;
  readonly name: string;
  readonly type: string;
}

/**
 * Milliseconds from the acceptance of a call at a node to its deadline. After the deadline the node no longer waits for
 * the writer's answer. The apps give up a call one second later.
 */
export const COMMAND_MS = 11_000;

/**
 * Encodes an answer's body as a field: `=` and the body unchanged, or `+` and the body as JSON text if it
 * contains separators.
 */
export function bodyField(body: string): string {
  return /[\t\n]/.test(body) ? `+${JSON.stringify(body)}` : `=${body}`;
}

/** Decodes a body that `bodyField` has encoded. */
export function bodyOfField(field: string): string {
  return field.startsWith('+') ? (JSON.parse(field.slice(1)) as string) : field.slice(1);
}

export const bytesField = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');
export const bytesOfField = (field: string): Buffer => Buffer.from(field, 'base64');
