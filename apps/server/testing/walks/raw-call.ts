import { API_BASE, type Endpoint } from '@exchange/wire/endpoint.ts';
import { answeredOf, fileOf, isFile, sendHttp, type Answered, type HttpAnswer } from '../calling.ts';
import type { TestExchange } from '../exchange.ts';

const FORM = 'application/x-www-form-urlencoded';
/** What an answer never holds: the insides of the program, of its database, of its machine. */
const INSIDES =
  /\bat \S+ \(|\.[cm]?[jt]s:\d|node_modules|invalid input syntax|syntax error|duplicate key value|violates|ECONN|\bselect \S+ from\b|TypeError|RangeError|undefined|\[object/i;

export interface RawCall {
  readonly endpoint: Endpoint;
  /** Form text, or bytes that need be nothing of the sort. */
  readonly form: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends what no browser would, and requires a proper envelope of the answer, or a file where the call gives one. */
export async function rawCall(
  exchange: TestExchange,
  { endpoint, form, headers }: RawCall,
): Promise<Answered<unknown>> {
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
  const answer = proper(endpoint, response);
  if (typeof answer === 'string')
    throw new Error(`${answer}: ${endpoint.path} ${String(form).slice(0, 120)} ${response.text}`);
  return answer;
}

/** The answer, or what is wrong with it; walks send so many calls that an assertion for each part would cost more than the call. */
function proper({ envelope }: Endpoint, response: HttpAnswer): Answered<unknown> | string {
  const { status, text } = response;
  if (status >= 500) return `status ${status}`;
  if (INSIDES.test(text)) return 'insides are shown';
  if (['csv', 'image'].includes(envelope) && isFile(response)) return fileOf(text);
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return 'no JSON';
  const answer = answeredOf(status, text);
  const { ts, traceId } = JSON.parse(text) as { ts: unknown; traceId: unknown };
  if (typeof ts !== 'number' || typeof traceId !== 'string') return 'no stamp';
  if (answer.msg.length === 0) return 'no sentence';
  if (answer.code === 1) return answer;
  if (!/^l\.[a-z_]+/.test(answer.errKey ?? '')) return 'no name of the refusal';
  // A sentence that says what is wrong, not that something is.
  if (answer.errKey === 'l.error') return 'a refusal that says nothing';
  return answer.msg.includes('{{') ? 'a sentence with a gap' : answer;
}

/**
 * Throws when the server raised an alarm: whatever strangers send, none is due. `expected` names events that the test
 * itself causes, such as `market.index_gap` where it moves the clock.
 */
export function requireNoAlarm(exchange: TestExchange, expected: readonly string[] = []): void {
  const alarms = exchange.log.lines.filter(
    ({ level, event }) => level === 'error' && !expected.includes(event),
  );
  if (alarms.length > 0)
    throw new Error(`the server raised an alarm: ${JSON.stringify(alarms).slice(0, 2_000)}`);
}
