import { API_BASE, type Endpoint } from '@exchange/wire/endpoint.ts';
import { expect } from 'vitest';
import { answeredOf, fileOf, isFile, type Answered } from '../calling.ts';
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
  const response = await fetch(isGet ? `${path}?${String(form)}` : path, {
    method: endpoint.method,
    headers: { 'content-type': FORM, ...headers },
    ...(isGet ? {} : { body: form as never }),
  });
  const text = await response.text();
  const about = `${endpoint.path} ${String(form).slice(0, 120)}`;
  expect(response.status, `${about} ${text}`).toBeLessThan(500);
  if (['csv', 'image'].includes(endpoint.envelope) && isFile(response)) {
    expect(text, about).not.toMatch(INSIDES);
    return fileOf(text);
  }
  expect(response.headers.get('content-type'), about).toMatch(/^application\/json/);
  const answer = answeredOf(response.status, text);
  expect(answer.text, about).not.toMatch(INSIDES);
  expect(answer.msg.length, about).toBeGreaterThan(0);
  expect(JSON.parse(text), about).toMatchObject({ ts: expect.any(Number), traceId: expect.any(String) });
  if (answer.code !== 1) {
    expect(answer.errKey, about).toMatch(/^l\.[a-z_]+/);
    // A sentence that says what is wrong, not that something is.
    expect(answer.errKey, about).not.toBe('l.error');
    expect(answer.msg, about).not.toMatch(/\{\{/);
  }
  return answer;
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
