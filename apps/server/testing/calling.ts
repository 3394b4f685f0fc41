import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { API_BASE, type DataOf, type Endpoint, type FieldsSent } from '@exchange/wire/endpoint.ts';

/** What came back, with the envelope taken apart. */
export interface Answered<Data> {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  readonly errKey: string | undefined;
  readonly data: Data;
  /** The body as it was sent. */
  readonly text: string;
}

/** A call's fields, any of them left out, and the one that every call may carry. */
export type Sent<E extends Endpoint> = {
  // A call without fields has every name as a field that must not be there; those names are left out.
  readonly [Name in keyof FieldsSent<E> as string extends Name ? never : Name]?: FieldsSent<E>[Name];
} & { readonly clientId?: string };

export interface CallOptions {
  readonly token?: string;
  /** The network address the call seems to come from. */
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A network address of its own, so that limits per address do not meet. */
export function anAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}

/** Calls a running server as a browser would. Rejects when there is no answer at all. */
export async function callOver<E extends Endpoint>(
  url: string,
  endpoint: E,
  fields: Sent<E>,
  { token, address = '203.0.113.7', headers = {} }: CallOptions = {},
): Promise<Answered<DataOf<E>>> {
  const form = new URLSearchParams(fields).toString();
  const isGet = endpoint.method === 'GET';
  const response = await sendHttp(`${url}${API_BASE}${endpoint.path}${isGet ? `?${form}` : ''}`, {
    method: endpoint.method,
    headers: {
      ...(isGet ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(token === undefined ? {} : { 'x-access-token': token }),
      'x-real-ip': address,
      ...headers,
    },
    ...(isGet ? {} : { body: form }),
  });
  const { text } = response;
  return isFile(response) ? fileOf(text) : answeredOf<DataOf<E>>(response.status, text, endpoint);
}

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** Connections that nobody uses end before the server's patience does, so none ends under a request. */
const connections = new Agent({ keepAlive: true, timeout: 2_000 });

const USUAL_HEADERS: Readonly<Record<string, string>> = {
  accept: '*/*',
  'accept-language': '*',
  'user-agent': 'node',
};

/**
 * Sends one request and gives the whole answer as text. Rejects when there is none. Does what `fetch` does at a quarter of
 * its processor time.
 */
export function sendHttp(url: string, { method, headers, body }: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const options = { agent: connections, method, headers: { ...USUAL_HEADERS, ...headers } };
    const call = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.once('error', reject);
      response.once('end', () => {
        const get = (name: string) => {
          const value = response.headers[name];
          return Array.isArray(value) ? value.join(', ') : (value ?? null);
        };
        resolve({ status: response.statusCode ?? 0, headers: { get }, text });
      });
    });
    call.once('error', reject);
    call.end(body);
  });
}

/** Whether a call was answered with a file instead of an envelope. */
export function isFile({ headers }: Pick<HttpAnswer, 'headers'>): boolean {
  return ['text/csv; charset=utf-8', 'image/jpeg'].includes(headers.get('content-type') ?? '');
}

/** A file as an answer: it says by being there that the call was served. */
export function fileOf<Data>(text: string): Answered<Data> {
  return { status: 200, code: 1, msg: 'success', errKey: undefined, data: text as Data, text };
}

/** Takes an answer's text apart. Throws when it is no envelope. */
export function answeredOf<Data>(
  status: number,
  text: string,
  { envelope }: Pick<Endpoint, 'envelope'> = { envelope: 'plain' },
): Answered<Data> {
  const body = JSON.parse(text) as Record<string, unknown>;
  const { code, msg, errKey } = body as { code: number; msg: string; errKey?: string };
  if (typeof code !== 'number' || typeof msg !== 'string') throw new Error(`no envelope: ${text}`);
  const data = body[code === 1 && envelope !== 'plain' ? envelope : 'data'] as Data;
  return { status, code, msg, errKey, data, text };
}
