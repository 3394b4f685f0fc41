import type { Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_CODES, SUCCESS } from '@exchange/wire/codes.ts';
import type { Envelope } from '@exchange/wire/endpoint.ts';
import type { Locale } from '@exchange/core/locale.ts';
import { refusalText } from '../refusal-text.ts';
import { exactJson, plainJson, type StreamedJson } from './exact-json.ts';

/** The fields at the end of a JSON envelope: time of the answer in milliseconds UTC, and trace id of the request. */
export interface Stamp {
  readonly ts: number;
  readonly traceId: string;
}

/** A complete answer: HTTP status, the code in its JSON envelope for the metrics, and the envelope as text. */
export interface Answer {
  readonly status: number;
  readonly code: number;
  readonly body: string;
  /** Seconds until a rate-limited call may be repeated; sent as the header `Retry-After`. */
  readonly retryAfter?: string;
}

/**
 * Returns a function that converts the payload of a successful answer to the complete answer. It is created
 * once per endpoint.
 */
export function successPrinter(
  envelope: Exclude<Envelope, 'csv' | 'image' | 'pdf'>,
): (payload: unknown, stamp: Stamp) => Answer {
  const isPlain = envelope === 'plain';
  const head = `{"code":${SUCCESS},"msg":"success",${isPlain ? '' : '"status":"ok",'}"${isPlain ? 'data' : envelope}":`;
  const print = isPlain ? plainJson : exactJson;
  return (payload, stamp) => ({ status: 200, code: SUCCESS, body: head + print(payload) + tailOf(stamp) });
}

/** Yields a successful answer whose payload is written in parts, as fast as the client reads them. */
export async function* streamedSuccess(
  payload: StreamedJson,
  stamp: Stamp,
): AsyncGenerator<string | Buffer, void> {
  let head = `{"code":${SUCCESS},"msg":"success","data":`;
  try {
    for await (const part of payload.parts) {
      yield head + part;
      head = '';
    }
    yield head + tailOf(stamp);
  } finally {
    await payload.parts.return();
  }
}

/**
 * Returns the answer to a refused call. It contains the refusal's code, its sentence in the caller's
 * language, its key, and in `data` the parameters of the sentence, such as a field and a limit. By default
 * the HTTP status is 429 for an exceeded rate limit, then with the seconds to wait, and 200 for all other
 * refusals.
 */
export function refusalAnswer(
  refusal: Refusal,
  locale: Locale,
  stamp: Stamp,
  isMarket = false,
  status = refusal.kind === 'rateLimited' ? 429 : 200,
): Answer {
  const code = REFUSAL_CODES[refusal.kind];
  const msg = refusalText(locale, refusal);
  const head = `{"code":${code},"msg":${JSON.stringify(msg)},"errKey":"${refusal.key}",`;
  const market = isMarket ? '"status":"error",' : '';
  const retryAfter = refusal.kind === 'rateLimited' ? refusal.parameters['seconds'] : undefined;
  return {
    status,
    code,
    ...(status === 429 && retryAfter !== undefined && { retryAfter }),
    body: `${head}${market}"data":${JSON.stringify(refusal.parameters)}${tailOf(stamp)}`,
  };
}

/** Returns the body of a successful answer with the trace id of another request, which gets the same payload. */
export function withTraceId(body: string, traceId: string): string {
  return `${body.slice(0, body.lastIndexOf(TRACE_ID))}${TRACE_ID}${traceId}"}`;
}

const TRACE_ID = ',"traceId":"';

function tailOf({ ts, traceId }: Stamp): string {
  return `,"ts":${ts}${TRACE_ID}${traceId}"}`;
}
