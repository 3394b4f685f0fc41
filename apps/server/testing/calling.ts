import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { API_BASE, type DataOf, type Endpoint, type FieldsSent } from '@exchange/wire/endpoint.ts';

/** A response of the API: the HTTP status and the decoded fields of the JSON envelope (`code` is 1 for success). */
export interface ApiResponse<Data> {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  readonly errKey: string | undefined;
  readonly data: Data;
  /** The response body as undecoded text. */
  readonly text: string;
}

/**
 * The fields that a test sends to an endpoint. All of them are optional, also `clientId`, the request id for retries.
 */
export type RequestFields<E extends Endpoint> = {
  // For an endpoint without fields, `FieldsSent` has an index signature that forbids every name. This mapping drops the
  // index signature.
  readonly [Name in keyof FieldsSent<E> as string extends Name ? never : Name]?: FieldsSent<E>[Name];
} & { readonly clientId?: string };

export interface CallOptions {
  readonly token?: string;
  /** The client's IP address as the server sees it. */
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a random IP address, so that tests do not share limits per address. */
export function anAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}

/** Sends a request to an endpoint of a running server and decodes the answer. Rejects if there is no response. */
export async function callOver<E extends Endpoint>(
  url: string,
  endpoint: E,
  fields: RequestFields<E>,
  { token, address = '203.0.113.7', headers = {} }: CallOptions = {},
): Promise<ApiResponse<DataOf<E>>> {
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
  return isFile(response) ? fileResponse(text) : parseResponse<DataOf<E>>(response.status, text, endpoint);
}

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/**
 * Connections of the tests' requests. The client closes an idle connection earlier than the server would, so that no
 * request is sent over a connection that the server is closing.
 */
const connections = new Agent({ keepAlive: true, timeout: 2_000 });

const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: '*/*',
  'accept-language': '*',
  'user-agent': 'node',
};

/**
 * Sends a request and returns the complete response as text. Rejects if there is no response. Uses less
 * processor time than `fetch`.
 */
export function sendHttp(url: string, { method, headers, body }: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const options = { agent: connections, method, headers: { ...DEFAULT_HEADERS, ...headers } };
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

/**
 * Returns whether the content type of the response is that of a file (CSV, JPEG or PDF) instead of a JSON
 * answer.
 */
export function isFile({ headers }: Pick<HttpResponse, 'headers'>): boolean {
  return ['text/csv; charset=utf-8', 'image/jpeg', 'application/pdf'].includes(
    headers.get('content-type') ?? '',
  );
}

/** Returns a successful response whose data is the file's text. */
export function fileResponse<Data>(text: string): ApiResponse<Data> {
  return { status: 200, code: 1, msg: 'success', errKey: undefined, data: text as Data, text };
}

/**
 * Decodes the JSON text of an API response. Throws if the text is not JSON, or has no numeric `code` or no
 * `msg`.
 */
export function parseResponse<Data>(
  status: number,
  text: string,
  { envelope }: Pick<Endpoint, 'envelope'> = { envelope: 'plain' },
): ApiResponse<Data> {
  const body = JSON.parse(text) as Record<string, unknown>;
  const { code, msg, errKey } = body as { code: number; msg: string; errKey?: string };
  if (typeof code !== 'number' || typeof msg !== 'string') throw new Error(`no envelope: ${text}`);
  const data = body[code === 1 && envelope !== 'plain' ? envelope : 'data'] as Data;
  return { status, code, msg, errKey, data, text };
}
