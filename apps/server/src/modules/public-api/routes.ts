import {
  RECV_WINDOW_MS,
  SIGNED_PARAMETERS,
  WEIGHT_PER_MINUTE,
  type ApiCall,
} from '@exchange/wire/public-api/calls.ts';
import { ApiError, apiErrors } from '@exchange/wire/public-api/errors.ts';
import {
  readParameters,
  sentParameters,
  type Parameters,
  type ValuesOf,
} from '@exchange/wire/public-api/parameters.ts';
import type { Clock } from '../../platform/clock.ts';
import { exactJson } from '../../platform/http/exact-json.ts';
import type { MountedAnswer, MountedApi, MountedRequest } from '../../platform/http/mounted-api.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import type { Log } from '../../platform/log.ts';
import { ExactAnswer, PlainText, StatusAnswer, type Handler, type ProgramCaller } from './handlers.ts';
import { isKeyFormat, type ApiKey, type ProgramKeys } from './trading-service.ts';

const PREFIXES = ['/api/v3', '/sapi/v1', '/fapi/v1', '/dapi/v1', '/udf', '/cmc', '/coingecko'] as const;
const PLACEHOLDER = '{pair}';
const JSON_TYPE = 'application/json; charset=utf-8';
/** Weight of a request that names no call or whose parameters are malformed. */
const REFUSED_WEIGHT = 1;
/** How far a request's time may lie in the future. */
const AHEAD_MS = 1_000;
const SIGNATURE = /(^|&)signature=[^&]*/g;
/** HTTP status for a caller that continues after many refusals for its weight. */
const BANNED = 418;

interface Found {
  readonly handler: Handler;
  readonly pathPart: string;
}

interface Parts {
  readonly clock: Clock;
  readonly keys: ProgramKeys;
  readonly limits: Limits;
  readonly log: Log;
  readonly handlers: readonly Handler[];
}

/**
 * Serves the public trading API: finds the call, reads its parameters, charges the request weight of the address,
 * and formats answers and errors.
 */
export class PublicApi implements MountedApi {
  readonly prefixes = PREFIXES;
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
    try {
      const { handler, pathPart } = this.find(request);
      const { call } = handler;
      const sent = this.sentBy(request);
      const apiKey = call.access === 'open' ? undefined : await this.keyOf(request);
      const values = this.parametersOf(call.parameters, sent, request);
      this.charge(call.weight(values), request);
      const caller = apiKey && (await this.callerOf(apiKey, call, sent, request));
      return this.present(await handler.serve(values as never, pathPart, caller), request);
    } catch (cause) {
      return this.presentError(cause, request);
    }
  }

  busy(): MountedAnswer {
    return {
      status: 429,
      headers: { 'content-type': JSON_TYPE, 'retry-after': '1' },
      body: errorText(apiErrors.tooMuchWeight(WEIGHT_PER_MINUTE)),
    };
  }

  private find(request: MountedRequest): Found {
    const { method, path } = request;
    const direct = this.byPath.get(path);
    const slash = path.lastIndexOf('/') + 1;
    const methods = direct ?? this.byPath.get(path.slice(0, slash) + PLACEHOLDER);
    const handler = methods?.get(method);
    if (handler !== undefined) return { handler, pathPart: direct === undefined ? path.slice(slash) : '' };
    this.charge(REFUSED_WEIGHT, request);
    throw methods === undefined ? apiErrors.unknownPath() : apiErrors.unknownMethod();
  }

  /** All sent parameters. A body of another type than a form has none. */
  private sentBy(request: MountedRequest): ReadonlyMap<string, string> {
    try {
      return sentParameters(request.query, bodyText(request));
    } catch (cause) {
      this.charge(REFUSED_WEIGHT, request);
      throw cause;
    }
  }

  private parametersOf<P extends Parameters>(
    parameters: P,
    sent: ReadonlyMap<string, string>,
    request: MountedRequest,
  ): ValuesOf<P> {
    try {
      return readParameters(parameters, sent);
    } catch (cause) {
      this.charge(REFUSED_WEIGHT, request);
      throw cause;
    }
  }

  /** The key that a request names. Its weight is charged before the key is looked up. */
  private async keyOf(request: MountedRequest): Promise<ApiKey> {
    this.charge(REFUSED_WEIGHT, request);
    const header = request.headers['x-mbx-apikey'];
    if (typeof header !== 'string' || !isKeyFormat(header)) throw apiErrors.keyFormat();
    const apiKey = await this.parts.keys.find(header);
    if (apiKey === undefined) throw apiErrors.keyRefused();
    return apiKey;
  }

  /** Checks what the call demands of a request with a key; a call with a key alone needs no signature. */
  private async callerOf(
    apiKey: ApiKey,
    call: ApiCall,
    sent: ReadonlyMap<string, string>,
    request: MountedRequest,
  ): Promise<ProgramCaller> {
    if (call.access === 'signed') return this.authenticate(apiKey, call, sent, request);
    return this.permitted(apiKey, call, request, '');
  }

  /** Checks signature, time, permission and address of a signed request, in this order. */
  private async authenticate(
    apiKey: ApiKey,
    call: ApiCall,
    sent: ReadonlyMap<string, string>,
    request: MountedRequest,
  ): Promise<ProgramCaller> {
    const { keys, clock } = this.parts;
    const {
      timestamp,
      recvWindow = RECV_WINDOW_MS.usual,
      signature,
    } = this.parametersOf(SIGNED_PARAMETERS, sent, request);
    if (!(await keys.isSignedBy(apiKey.key, signedTexts(request), signature)))
      throw apiErrors.invalidSignature();
    if (recvWindow > RECV_WINDOW_MS.most) throw apiErrors.recvWindowTooLong();
    const now = clock.now();
    if (timestamp >= now + AHEAD_MS) throw apiErrors.timestampAhead();
    if (now - timestamp > recvWindow) throw apiErrors.timestampOld();
    return this.permitted(apiKey, call, request, signature);
  }

  /** The caller with this key, if the key permits the call from the request's address. */
  private permitted(
    apiKey: ApiKey,
    call: ApiCall,
    { address }: MountedRequest,
    signature: string,
  ): ProgramCaller {
    if (!this.parts.keys.permit(apiKey, call.action, address)) throw apiErrors.keyRefused();
    return {
      owner: apiKey.owner,
      mayTrade: apiKey.mayTrade,
      addresses: apiKey.addresses,
      createdAt: apiKey.createdAt,
      signature: `${apiKey.key} ${signature}`,
    };
  }

  private charge(weight: number, { addressGroup }: MountedRequest): void {
    const { limits } = this.parts;
    const caller = { addressGroup, userId: undefined };
    const waitSeconds = limits.charge({ limit: 'apiWeight', weight }, caller);
    if (waitSeconds === 0) return;
    const { code, message, status } = apiErrors.tooMuchWeight(WEIGHT_PER_MINUTE);
    const isBanned = limits.charge({ limit: 'apiRefusal', weight: 1 }, caller) > 0;
    throw new TooMuchWeight(new ApiError(code, message, isBanned ? BANNED : status), waitSeconds);
  }

  private present(answer: unknown, request: MountedRequest): MountedAnswer {
    const headers = this.headers(request);
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
    if (cause instanceof TooMuchWeight) {
      const { error, waitSeconds } = cause;
      const headers = { ...this.headers(request), 'retry-after': String(waitSeconds) };
      return { status: error.status, headers, body: errorText(error) };
    }
    const isExpected = cause instanceof ApiError;
    if (!isExpected) this.parts.log.error('public_api.failed', { path: request.path, cause });
    const error = isExpected ? cause : apiErrors.unknown();
    return { status: error.status, headers: this.headers(request), body: errorText(error) };
  }

  private headers({ addressGroup }: MountedRequest): Readonly<Record<string, string>> {
    const used = String(this.parts.limits.used('apiWeight', addressGroup));
    return {
      'content-type': JSON_TYPE,
      // All calls are reads of public data, which pages of every site may show.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-mbx-used-weight': used,
      'x-mbx-used-weight-1m': used,
    };
  }
}

/** A request that exceeds the weight limit of its address. */
class TooMuchWeight extends Error {
  readonly error: ApiError;
  readonly waitSeconds: number;

  constructor(error: ApiError, waitSeconds: number) {
    super(error.message);
    this.error = error;
    this.waitSeconds = waitSeconds;
  }
}

/** The body of a form; other bodies, such as an empty JSON, have no parameters. */
function bodyText({ body, headers }: MountedRequest): string {
  const type = headers['content-type'] ?? '';
  return body.length > 0 && type.startsWith('application/x-www-form-urlencoded') ? body.toString('utf8') : '';
}

/**
 * The texts over which a request may be signed: query and body as they were sent, without the signature, and the same
 * decoded, since older clients encode after they have signed.
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
    // Malformed escapes: only the raw text can have been signed.
    return undefined;
  }
}

function errorText({ code, message }: ApiError): string {
  return JSON.stringify({ code, msg: message });
}
