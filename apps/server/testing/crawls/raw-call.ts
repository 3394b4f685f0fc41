import { API_BASE, type Endpoint } from '@exchange/wire/endpoint.ts';
import {
  parseResponse,
  fileResponse,
  isFile,
  sendHttp,
  type ApiResponse,
  type HttpResponse,
} from '../calling.ts';
import type { TestExchange } from '../exchange.ts';

const FORM = 'application/x-www-form-urlencoded';
/** Internal details that no response may contain, e.g. stack traces and database errors. */
const INTERNALS =
  /\bat \S+ \(|\.[cm]?[jt]s:\d|node_modules|invalid input syntax|syntax error|duplicate key value|violates|ECONN|\bselect \S+ from\b|TypeError|RangeError|undefined|\[object/i;

export interface RawCall {
  readonly endpoint: Endpoint;
  /** Form text, or arbitrary bytes: the query of a GET request, and the body of any other request. */
  readonly form: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a raw request and requires a well-formed JSON answer, or a file if the endpoint returns one. Throws if the
 * answer is malformed.
 */
export async function rawCall(
  exchange: TestExchange,
  { endpoint, form, headers }: RawCall,
): Promise<ApiResponse<unknown>> {
  const isGet = endpoint.method === 'GET';
  const path = `${exchange.url}${API_BASE}${endpoint.path}`;
  const response = await sendHttp(isGet ? `${path}?${String(form)}` : path, {
    method: endpoint.method,
    headers: {
      'content-type': FORM,
      ...headers,
    },
    ...(isGet ? {} : { body: form }),
  });
  const answer = checkedAnswer(endpoint, response);
  if (typeof answer === 'string')
    throw new Error(`${answer}: ${endpoint.path} ${String(form).slice(0, 120)} ${response.text}`);
  return answer;
}

/**
 * Returns the decoded response of a crawled endpoint, or a text that says what is wrong with it, e.g. a status of 500
 * or more, internal details, or a refusal without a key. Assertions for each part would cost more time than the
 * requests.
 */
function checkedAnswer({ envelope }: Endpoint, response: HttpResponse): ApiResponse<unknown> | string {
  const { status, text } = response;
  if (status >= 500) return `status ${status}`;
  if (INTERNALS.test(text)) return 'insides are shown';
  if (['csv', 'image', 'pdf'].includes(envelope) && isFile(response)) return fileResponse(text);
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return 'no JSON';
  const answer = parseResponse(status, text);
  const { ts, traceId } = JSON.parse(text) as { ts: unknown; traceId: unknown };
  if (typeof ts !== 'number' || typeof traceId !== 'string') return 'no stamp';
  if (answer.msg.length === 0) return 'no sentence';
  if (answer.code === 1) return answer;
  if (!/^l\.[a-z_]+/.test(answer.errKey ?? '')) return 'no name of the refusal';
  // The sentence of a refusal must be specific (not that of `l.error`) and have no unfilled placeholder.
  if (answer.errKey === 'l.error') return 'a refusal that says nothing';
  return answer.msg.includes('{{') ? 'a sentence with a gap' : answer;
}

/**
 * Log events that occur when the machine stalls for seconds or when a test moves the clock. Tests ignore them, because
 * no request causes them.
 */
const EVENTS_OF_TIME = new Set(['market.index_gap']);

/** Throws if the server logged an error that is not in `EVENTS_OF_TIME`. Requests of any kind must cause none. */
export function requireNoErrors(exchange: TestExchange): void {
  const alarms = exchange.log.lines.filter(
    ({ level, event }) => level === 'error' && !EVENTS_OF_TIME.has(event),
  );
  if (alarms.length > 0)
    throw new Error(`the server raised an alarm: ${JSON.stringify(alarms).slice(0, 2_000)}`);
}
