import { API_CALLS, WEIGHT_PER_MINUTE } from '@exchange/wire/public-api/calls.ts';
import { ApiError, apiErrors } from '@exchange/wire/public-api/errors.ts';
import { readParameters, sentParameters } from '@exchange/wire/public-api/parameters.ts';
import { exactJson } from '../../platform/http/exact-json.ts';
import type {
  MountedAnswer,
  MountedApi,
  MountedRequest,
  SharedMountedAnswer,
} from '../../platform/http/mounted-api.ts';
import type { Log } from '../../platform/log.ts';
import { LimitExceeded, type ApiCalls, type OrderLimit } from './call-routes.ts';
import { ExactAnswer, PlainText, StatusAnswer, type Handler } from './handlers.ts';

/**
 * URL prefixes of the API, including versions and families without any call. An unknown path below them
 * is answered with an API error that a client can read, and not with a page of the site.
 */
export const API_PREFIXES = [
  '/api/v1',
  '/api/v2',
  '/api/v3',
  '/api/v4',
  '/sapi',
  '/fapi',
  '/dapi',
  '/eapi',
  '/papi',
  '/wapi',
  '/udf',
  '/cmc',
  '/coingecko',
] as const;
const PLACEHOLDER = '{pair}';
const JSON_TYPE = 'application/json; charset=utf-8';
const SIGNATURE = /(^|&)signature=[^&]*/g;
interface Found {
  readonly handler: Handler;
  readonly pathPart: string;
}

interface Parts {
  readonly calls: ApiCalls;
  readonly log: Log;
  readonly handlers: readonly Handler[];
}

/**
 * Serves the public trading API over HTTP: finds the call and formats answers and errors.
 */
export class PublicApi implements MountedApi {
  readonly prefixes = API_PREFIXES;
  private readonly parts: Parts;
  private readonly byPath: ReadonlyMap<string, ReadonlyMap<string, Handler>>;

  constructor(parts: Parts) {
    this.parts = parts;
    const byPath = new Map<string, Map<string, Handler>>();
    for (const handler of parts.handlers) {
      const { method, path } = handler.call;
      const methods = byPath.get(path) ?? new Map<string, Handler>();
      byPath.set(path, methods.set(method, handler));
    }
    this.byPath = byPath;
  }

  async serve(request: MountedRequest): Promise<MountedAnswer> {
    const { address, addressGroup } = request;
    try {
      const { handler, pathPart } = this.find(request);
      const header = request.headers['x-mbx-apikey'];
      const { answer, orders } = await this.parts.calls.serve({
        handler,
        name: handler.call,
        pathPart,
        sent: this.sentBy(request),
        key: typeof header === 'string' ? header : '',
        signedTexts: () => signedTexts(request),
        session: undefined,
        sessionId: undefined,
        address,
        addressGroup,
      });
      return this.present(answer, { ...this.headers(request), ...orderHeaders(orders?.()) });
    } catch (cause) {
      return this.presentError(cause, request);
    }
  }

  /** Charges each caller the weight that the request has for a single one, in the limit of its own address group. */
  sharing(request: MountedRequest): (addressGroup: string) => SharedMountedAnswer {
    const { handler } = this.find(request);
    const weight = handler.call.weight(readParameters(handler.call.parameters, this.sentBy(request)));
    return (addressGroup) => {
      const shared: MountedRequest = { ...request, addressGroup };
      try {
        this.parts.calls.charge(weight, shared);
        return { headers: this.headers(shared) };
      } catch (cause) {
        return this.presentError(cause, shared);
      }
    };
  }

  busy(): MountedAnswer {
    return busyAnswer();
  }

  private find(request: MountedRequest): Found {
    const { method, path } = request;
    const direct = this.byPath.get(path);
    const methods = direct ?? this.byPath.get(withPlaceholder(path));
    const handler = methods?.get(method);
    if (handler !== undefined)
      return { handler, pathPart: direct === undefined ? path.slice(path.lastIndexOf('/') + 1) : '' };
    this.parts.calls.chargeOne(request);
    throw methods === undefined ? apiErrors.unknownPath() : apiErrors.unknownMethod();
  }

  /** All parameters of a request, from its query and form body; other bodies have no parameters. */
  private sentBy(request: MountedRequest): ReadonlyMap<string, string> {
    try {
      return sentParameters(request.query, bodyText(request));
    } catch (cause) {
      this.parts.calls.chargeOne(request);
      throw cause;
    }
  }

  private present(answer: unknown, headers: MountedAnswer['headers']): MountedAnswer {
    if (answer instanceof PlainText)
      return {
        status: 200,
        headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
        body: answer.text,
      };
    if (answer instanceof ExactAnswer) return { status: 200, headers, body: exactJson(answer.data) };
    if (answer instanceof StatusAnswer)
      return { status: answer.status, headers, body: JSON.stringify(answer.data) };
    return { status: 200, headers, body: JSON.stringify(answer) };
  }

  private presentError(cause: unknown, request: MountedRequest): MountedAnswer {
    if (cause instanceof LimitExceeded) {
      const { error, waitSeconds } = cause;
      const headers = { ...this.headers(request), 'retry-after': String(waitSeconds) };
      return { status: error.status, headers, body: errorText(error) };
    }
    const isExpected = cause instanceof ApiError;
    if (!isExpected) this.parts.log.error('public_api.failed', { path: request.path, cause });
    const error = isExpected ? cause : apiErrors.unknown();
    return { status: error.status, headers: this.headers(request), body: errorText(error) };
  }

  private headers(request: MountedRequest): Readonly<Record<string, string>> {
    const used = String(this.parts.calls.used(request));
    return {
      'content-type': JSON_TYPE,
      // Web pages of any origin may read the answers. This is safe, because browsers do not add the API key of signed
      // calls by themselves.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-mbx-used-weight': used,
      'x-mbx-used-weight-1m': used,
    };
  }
}

const OPEN_READS: ReadonlySet<string> = new Set(
  API_CALLS.filter(({ access, method }) => access === 'open' && method === 'GET').map(({ path }) => path),
);

/**
 * Returns whether a request is a read without an API key, e.g. of market data. Its answer is the same for every caller.
 */
export function isOpenRead({ method, path, body, headers }: MountedRequest): boolean {
  if (method !== 'GET' || body.length > 0 || headers['x-mbx-apikey'] !== undefined) return false;
  return OPEN_READS.has(path) || OPEN_READS.has(withPlaceholder(path));
}

/** The path with the placeholder instead of its last segment, as in descriptions of calls. */
function withPlaceholder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + PLACEHOLDER;
}

/**
 * The answer (429, retry after a second) to a request when too many requests from the client's IP address range
 * (address group) are waiting to be served.
 */
export function busyAnswer(): MountedAnswer {
  return {
    status: 429,
    headers: { 'content-type': JSON_TYPE, 'retry-after': '1' },
    body: errorText(apiErrors.tooMuchWeight(WEIGHT_PER_MINUTE)),
  };
}

/**
 * The answer of a node when the writer process has not answered a forwarded request, whose outcome is
 * therefore unknown.
 */
export function noAnswer(): MountedAnswer {
  const error = apiErrors.unavailable();
  return { status: error.status, headers: { 'content-type': JSON_TYPE }, body: errorText(error) };
}

/** Headers with the counts of new orders; none for an answer without counts. */
function orderHeaders(orders: readonly OrderLimit[] | undefined): Readonly<Record<string, string>> {
  const named = (orders ?? []).map(({ interval, intervalNum, count }) => [
    `x-mbx-order-count-${intervalNum}${interval.charAt(0).toLowerCase()}`,
    String(count),
  ]);
  return Object.fromEntries(named) as Record<string, string>;
}

/**
 * The text of a body that is a form; empty for other bodies, such as empty JSON, which have no parameters.
 */
function bodyText({ body, headers }: MountedRequest): string {
  const type = headers['content-type'] ?? '';
  return body.length > 0 && type.startsWith('application/x-www-form-urlencoded') ? body.toString('utf8') : '';
}

/**
 * The texts that a request's signature may cover: the query and body as they were sent, without the signature, and
 * their decoded form, because older clients sign before they encode.
 */
function signedTexts(request: MountedRequest): string[] {
  const withoutSignature = (text: string) => text.replaceAll(SIGNATURE, '').replace(/^&/, '');
  const raw = withoutSignature(request.query) + withoutSignature(bodyText(request));
  const decoded = decodedText(raw);
  return decoded === undefined || decoded === raw ? [raw] : [raw, decoded];
}

function decodedText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A text with malformed escapes cannot be decoded, so only the raw text can have been signed.
    return undefined;
  }
}

function errorText({ body }: ApiError): string {
  return JSON.stringify(body);
}
