import {
  ORDERS_PER_DAY,
  ORDERS_PER_TEN_SECONDS,
  RECV_WINDOW_MS,
  SIGNED_PARAMETERS,
  WEIGHT_PER_MINUTE,
  type ApiCall,
} from '@exchange/wire/public-api/calls.ts';
import { ApiError, apiErrors } from '@exchange/wire/public-api/errors.ts';
import { readParameters, type Parameters, type ValuesOf } from '@exchange/wire/public-api/parameters.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import type { Handler, ProgramCaller } from './handlers.ts';
import { isKeyFormat, type ApiKey, type ProgramKeys, type RequestLog } from './trading-service.ts';

/**
 * Smallest weight of an API request. It is charged for the look-up of an API key, for requests with an unknown endpoint
 * or malformed parameters, and for WebSocket requests about the connection itself, such as its log-on.
 */
const LEAST_WEIGHT = 1;
/** Maximum time in milliseconds by which an API request's timestamp may lie in the future. */
const AHEAD_MS = 1_000;
/**
 * HTTP status with which an API client is refused that continues to send requests after many refusals because of its
 * request weight.
 */
const BANNED = 418;

/**
 * The name under which an API request is recorded: the method and path of HTTP, or `WS` and the method of the
 * WebSocket API.
 */
export interface RequestName {
  readonly method: string;
  readonly path: string;
}

/**
 * The sender of an API request: its IP address, and the address range whose requests share one weight limit.
 */
export interface RequestOrigin {
  readonly address: string;
  /** The client's IP address range, whose requests share one weight limit. */
  readonly addressGroup: string;
}

/** A request of the public API, over HTTP or WebSocket. */
export interface CallRequest extends RequestOrigin {
  readonly handler: Handler;
  readonly name: RequestName;
  /** The last segment of the URL path if the path of the call ends with a placeholder; otherwise empty. */
  readonly pathPart: string;
  readonly sent: ReadonlyMap<string, string>;
  /** The public part of the API key that the request names; undefined if it names none. */
  readonly key: string | undefined;
  /** The possible texts of the request, of which its signature must cover one. */
  readonly signedTexts: () => readonly string[];
  /**
   * The API key with which the connection is logged on, whose requests need no signature; undefined if it is
   * not logged on.
   */
  readonly session: SessionKey | undefined;
  /**
   * Id of the session under which the request's orders are placed, so that the end of its connection cancels them;
   * undefined for orders that remain open when the connection ends.
   */
  readonly sessionId: string | undefined;
}

/** An API request without what only its execution needs: enough to check its key, time and signature. */
export type KeyRequest = Omit<CallRequest, 'handler' | 'pathPart' | 'sessionId'>;

/** An API key that was used to log on to a connection. */
export interface SessionKey {
  readonly key: string;
  /**
   * Returns the id and the parameters of the request as one text. A request on a logged-on connection needs no
   * signature, so a repetition of it is recognized by this text and the API key.
   */
  readonly requestMark: () => string;
}

/**
 * The error of an API request that exceeds the weight limit of its IP address range, or its account's limit of orders,
 * transfers or withdrawals.
 */
export class LimitExceeded extends Error {
  readonly error: ApiError;
  readonly waitSeconds: number;

  constructor(error: ApiError, waitSeconds: number) {
    super(error.message);
    this.error = error;
    this.waitSeconds = waitSeconds;
  }
}

/**
 * The answer to an API request, and the account's order limits, which HTTP adds to the answer as headers and the
 * WebSocket API as fields.
 */
export interface Served {
  readonly answer: unknown;
  /**
   * Returns the account's limits of new orders, each with the number of orders that count towards it now;
   * undefined for calls that do not count orders.
   */
  readonly orders: (() => readonly OrderLimit[]) | undefined;
}

/**
 * A limit of new orders in a period, and the number of orders that count towards it now, in the form of API answers.
 */
export interface OrderLimit {
  readonly rateLimitType: 'ORDERS';
  readonly interval: 'SECOND' | 'DAY';
  readonly intervalNum: number;
  readonly limit: number;
  readonly count: number;
}

/** An account's limits of new orders, each with the number of orders that count towards it now. */
export function orderLimits(limits: Pick<Limits, 'used'>, owner: string): readonly OrderLimit[] {
  return [
    {
      rateLimitType: 'ORDERS',
      interval: 'SECOND',
      intervalNum: 10,
      limit: ORDERS_PER_TEN_SECONDS,
      count: limits.used('apiOrder', owner),
    },
    {
      rateLimitType: 'ORDERS',
      interval: 'DAY',
      intervalNum: 1,
      limit: ORDERS_PER_DAY,
      count: limits.used('apiOrderDay', owner),
    },
  ];
}

/** Facts about an API request that are collected while it is served, for the log of its key. */
interface RecordedRequest {
  keyId: string | undefined;
  /**
   * Whether a signature of the request or of its connection's log-on proves that the API key's owner
   * has sent the request.
   */
  isProven: boolean;
  weight: number;
}

/**
 * Maximum recorded duration of a request in microseconds; a longer duration is recorded as this value.
 */
const LONGEST_DURATION_US = 2_000_000_000;

/**
 * HTTP status and API error code with which a failed request is recorded: those of its API error, or of the unknown
 * error for an unexpected failure.
 */
function failureOf(cause: unknown): { readonly status: number; readonly code: number } {
  if (cause instanceof ApiError) return cause;
  return cause instanceof LimitExceeded ? cause.error : apiErrors.unknown();
}

interface Parts {
  readonly clock: Clock;
  readonly keys: ProgramKeys;
  readonly requests: Pick<RequestLog, 'record'>;
  readonly limits: Limits;
}

/** Serves calls over HTTP and WebSocket alike: charges weight, checks keys, signatures and times, reads parameters. */
export class ApiCalls {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Serves an API request. Throws `ApiError`, `LimitExceeded`, or the error of an unexpected failure. */
  serve(request: CallRequest): Promise<Served> {
    return this.recorded(request, (entry) => this.serveCall(request, entry));
  }

  private async serveCall(request: CallRequest, entry: RecordedRequest): Promise<Served> {
    const { handler, pathPart, sent } = request;
    const { call } = handler;
    const apiKey = call.access === 'open' ? undefined : await this.keyOf(request, entry);
    const values = this.parametersOf(call.parameters, sent, request);
    const weight = call.weight(values);
    this.charge(weight, request);
    entry.weight += weight;
    const caller = apiKey && (await this.callerOf(apiKey, call, request, entry));
    const answer = await handler.serve(values as never, pathPart, caller);
    if (!call.countsOrders || caller === undefined) return { answer, orders: undefined };
    return { answer, orders: () => orderLimits(this.parts.limits, caller.owner) };
  }

  /**
   * Verifies a request that logs a connection on like any signed request. Returns its API key; throws
   * `ApiError` if the API key is unknown or may not read from the IP address, or if the signature or the
   * timestamp is not valid.
   */
  logOn(request: KeyRequest): Promise<ApiKey> {
    return this.recorded(request, async (entry) => {
      const apiKey = await this.keyOf(request, entry);
      await this.requireSignature(apiKey, request, entry);
      if (!this.parts.keys.permit(apiKey, 'read', request.address)) throw apiErrors.keyRefused();
      return apiKey;
    });
  }

  /**
   * Runs `work`, which serves an API request. If the request has named an existing API key, records the request and its
   * outcome in the log of the key.
   */
  private async recorded<T>(
    request: Pick<KeyRequest, 'name' | 'address'>,
    work: (entry: RecordedRequest) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.parts;
    const entry: RecordedRequest = { keyId: undefined, isProven: false, weight: 0 };
    const startedMs = clock.monotonicMs();
    let outcome = { status: 200, code: 0 };
    try {
      return await work(entry);
    } catch (cause) {
      outcome = failureOf(cause);
      throw cause;
    } finally {
      if (entry.keyId !== undefined)
        this.parts.requests.record({
          keyId: entry.keyId,
          at: clock.now(),
          method: request.name.method,
          path: request.name.path,
          weight: entry.weight,
          status: outcome.status,
          code: outcome.code,
          address: request.address,
          ring: entry.isProven ? 'proven' : 'unproven',
          durationUs: Math.min(LONGEST_DURATION_US, Math.round((clock.monotonicMs() - startedMs) * 1_000)),
        });
    }
  }

  /**
   * Returns an API key by its public part. Throws `ApiError` if it does not exist, has expired, or may not read from
   * the IP address.
   */
  async requireLive(key: string, address: string): Promise<ApiKey> {
    const apiKey = await this.parts.keys.find(key);
    if (apiKey === undefined || !this.parts.keys.permit(apiKey, 'read', address))
      throw apiErrors.keyRefused();
    return apiKey;
  }

  /**
   * Request weight that the client's IP address range (address group) has used. It decreases continuously; a group that
   * has used the whole weight of a minute and sends no further request has all of it available again after a minute.
   */
  used({ addressGroup }: RequestOrigin): number {
    return this.parts.limits.used('apiWeight', addressGroup);
  }

  /**
   * Charges request weight to the client's IP address range (address group). Throws `LimitExceeded` with the
   * seconds to wait if the weight exceeds the limit; its status is `BANNED` after many such refusals.
   */
  charge(weight: number, { addressGroup }: RequestOrigin): void {
    const { limits } = this.parts;
    const caller = { addressGroup, userId: undefined };
    const waitSeconds = limits.charge({ limit: 'apiWeight', weight }, caller);
    if (waitSeconds === 0) return;
    const { code, message, status } = apiErrors.tooMuchWeight(WEIGHT_PER_MINUTE);
    const isBanned = limits.charge({ limit: 'apiRefusal', weight: 1 }, caller) > 0;
    throw new LimitExceeded(new ApiError(code, message, isBanned ? BANNED : status), waitSeconds);
  }

  /**
   * Charges `LEAST_WEIGHT` to the IP address range (address group) of a request that is refused before its
   * endpoint is known or that concerns only its connection.
   */
  chargeOne(origin: RequestOrigin): void {
    this.charge(LEAST_WEIGHT, origin);
  }

  private parametersOf<P extends Parameters>(
    parameters: P,
    sent: ReadonlyMap<string, string>,
    origin: RequestOrigin,
  ): ValuesOf<P> {
    try {
      return readParameters(parameters, sent);
    } catch (cause) {
      this.chargeOne(origin);
      throw cause;
    }
  }

  /**
   * Returns the API key that a request names, or otherwise the one with which its WebSocket connection is logged on;
   * throws `ApiError` if there is neither, or if the API key does not exist. The weight of the look-up is charged
   * before it.
   */
  private async keyOf(request: KeyRequest, entry: RecordedRequest): Promise<ApiKey> {
    this.chargeOne(request);
    entry.weight += LEAST_WEIGHT;
    const key = request.key ?? request.session?.key;
    if (key === undefined || !isKeyFormat(key)) throw apiErrors.keyFormat();
    const apiKey = await this.parts.keys.find(key);
    if (apiKey === undefined) throw apiErrors.keyRefused();
    entry.keyId = apiKey.id;
    return apiKey;
  }

  /**
   * Checks that a request with a key fulfils the requirements of its endpoint, and returns the caller. A
   * signature is not needed if the endpoint requires only a key or if the connection is logged on with the
   * key. A signature that a logged-on connection sends nevertheless is verified.
   */
  private async callerOf(
    apiKey: ApiKey,
    call: ApiCall,
    request: CallRequest,
    entry: RecordedRequest,
  ): Promise<ProgramCaller> {
    const { session } = request;
    if (call.access !== 'signed') return this.permitted(apiKey, call, request, '');
    const isSessionKey = session?.key === apiKey.key && !request.sent.has('signature');
    if (!isSessionKey)
      return this.permitted(apiKey, call, request, await this.requireSignature(apiKey, request, entry));
    entry.isProven = true;
    this.requireTime(request);
    return this.permitted(apiKey, call, request, session.requestMark());
  }

  /**
   * Checks the signature and then the timestamp of a request. Throws `ApiError` if one is not valid; otherwise returns
   * the signature.
   */
  private async requireSignature(
    apiKey: ApiKey,
    request: KeyRequest,
    entry: RecordedRequest,
  ): Promise<string> {
    const { signature } = this.parametersOf(SIGNED_PARAMETERS, request.sent, request);
    if (!(await this.parts.keys.isSignedBy(apiKey.key, request.signedTexts(), signature)))
      throw apiErrors.invalidSignature();
    entry.isProven = true;
    this.requireTime(request);
    return signature;
  }

  private requireTime(request: RequestOrigin & Pick<CallRequest, 'sent'>): void {
    const { timestamp, recvWindow } = SIGNED_PARAMETERS;
    const values = this.parametersOf({ timestamp, recvWindow }, request.sent, request);
    const windowMs = values.recvWindow ?? RECV_WINDOW_MS.usual;
    if (windowMs > RECV_WINDOW_MS.most) throw apiErrors.recvWindowTooLong();
    const now = this.parts.clock.now();
    if (values.timestamp >= now + AHEAD_MS) throw apiErrors.timestampAhead();
    if (now - values.timestamp > windowMs) throw apiErrors.timestampOld();
  }

  /** The caller with an API key. Throws if the key does not permit the call from the request's IP address. */
  private permitted(
    apiKey: ApiKey,
    call: ApiCall,
    { address, sessionId }: Pick<CallRequest, 'address' | 'sessionId'>,
    signature: string,
  ): ProgramCaller {
    if (!this.parts.keys.permit(apiKey, call.action, address)) throw apiErrors.keyRefused();
    return {
      owner: apiKey.owner,
      keyId: apiKey.id,
      keyName: apiKey.name,
      key: apiKey.key,
      mayTrade: apiKey.mayTrade,
      mayTransfer: apiKey.mayTransfer,
      withdrawalLimit: apiKey.withdrawalLimit,
      addresses: apiKey.addresses,
      createdAt: apiKey.createdAt,
      signature: `${apiKey.key} ${signature}`,
      sessionId,
    };
  }
}
