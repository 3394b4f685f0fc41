import { apiRestrictions, time, type ApiCall } from '@exchange/wire/public-api/calls.ts';
import type { Clock } from './clock.ts';
import { ToolFailed } from './session.ts';
import type { SigningKey } from './settings.ts';

/** Parameters of an API request, by name. The values are text. */
export type Sent = Readonly<Record<string, string>>;

/** The HTTP response of the exchange to an API request. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly body: string;
  /** Header `Retry-After`: seconds to wait before the next request; undefined without the header. */
  readonly retryAfter: string | undefined;
}

/** A signed API request. The exchange executes it at most once, however often it is sent. */
export interface SignedRequest {
  readonly call: ApiCall;
  readonly query: string;
  /** Time in milliseconds UTC, by the exchange's clock, after which the exchange refuses the request. */
  readonly validUntil: number;
}

interface KeyPermissions {
  readonly enableSpotAndMarginTrading: boolean;
  readonly enableWithdrawals: boolean;
}

/** Thrown if no response arrived. It is then unknown whether the exchange executed the request. */
export class NoAnswer extends ToolFailed {}

const TIMEOUT_MS = 15_000;
/** Milliseconds after signing within which a signed request of `read` or `text` must arrive at the exchange. */
const READ_WINDOW_MS = 10_000;
/** The exchange's error code for a request whose timestamp is too old or in the future. */
const WRONG_TIME = -1021;

/**
 * Client of the exchange's trading API. `read` and `text` throw a `ToolFailed` for a request that the exchange refuses.
 * Every request throws `NoAnswer` if no response arrives within `TIMEOUT_MS`.
 */
export class ExchangeClient {
  private readonly url: string;
  private readonly key: SigningKey | undefined;
  private readonly clock: Clock;
  private permissions: Promise<KeyPermissions> | undefined;
  /**
   * Milliseconds by which the exchange's clock is ahead of this machine; undefined before it was measured.
   */
  private offsetMs: number | undefined;

  constructor(url: string, key: SigningKey | undefined, clock: Clock) {
    this.url = url;
    this.key = key;
    this.clock = clock;
  }

  /**
   * Sends a read request like `text`, which signs it if necessary, and returns the parsed JSON of the
   * response.
   */
  async read<Data>(call: ApiCall, sent: Sent, signal?: AbortSignal): Promise<Data> {
    return JSON.parse(await this.text(call, sent, signal)) as Data;
  }

  /**
   * Sends a request and returns the body of the response unchanged. A request to an endpoint that is open to everyone
   * is not signed. Every other request is signed, and signed and sent a second time if the exchange refuses its
   * timestamp. A signed request needs an API key that permits it and does not permit withdrawals.
   */
  async text(call: ApiCall, sent: Sent, signal?: AbortSignal): Promise<string> {
    if (call.access === 'open') return accepted(await this.send(call, queryOf(sent), signal));
    await this.requireKey(call);
    return this.signedText(call, sent, signal);
  }

  /**
   * Signs a request, which may then be sent repeatedly for `windowMs` milliseconds. The API key must permit the request
   * and must not permit withdrawals; otherwise a `ToolFailed` is thrown.
   */
  async sign(call: ApiCall, sent: Sent, windowMs: number): Promise<SignedRequest> {
    await this.requireKey(call);
    return this.signUnchecked(call, sent, windowMs);
  }

  /**
   * Sends a signed request and returns the response. Until its `validUntil`, the caller may send the same
   * request again. Throws `NoAnswer` if no response arrives.
   */
  deliver({ call, query }: SignedRequest, signal?: AbortSignal): Promise<ExchangeAnswer> {
    return this.send(call, query, signal);
  }

  /**
   * Returns the current time of the exchange's clock, in milliseconds UTC. Its difference from this machine's clock is
   * requested only if it is not known yet.
   */
  async exchangeTime(): Promise<number> {
    if (this.offsetMs === undefined) {
      const { body } = await this.send(time, '');
      this.offsetMs = (JSON.parse(body) as { serverTime: number }).serverTime - this.clock.now();
    }
    return this.clock.now() + this.offsetMs;
  }

  private async signedText(call: ApiCall, sent: Sent, signal?: AbortSignal): Promise<string> {
    const first = await this.deliver(await this.signUnchecked(call, sent, READ_WINDOW_MS), signal);
    if (codeOf(first) !== WRONG_TIME) return accepted(first);
    // The exchange refused the timestamp. This machine's clock may have changed since its difference to the
    // exchange's clock was measured. The difference is therefore measured again, and the request is signed
    // and sent once more.
    this.offsetMs = undefined;
    return accepted(await this.deliver(await this.signUnchecked(call, sent, READ_WINDOW_MS), signal));
  }

  private async signUnchecked(call: ApiCall, sent: Sent, windowMs: number): Promise<SignedRequest> {
    const timestamp = await this.exchangeTime();
    const query = queryOf({ ...sent, recvWindow: String(windowMs), timestamp: String(timestamp) });
    const signature = encodeURIComponent(this.key!.sign(query));
    return {
      call,
      query: `${query}&signature=${signature}`,
      validUntil: timestamp + windowMs,
    };
  }

  /**
   * Throws a `ToolFailed` if there is no API key, if the key permits withdrawals, or if it does not permit this
   * request.
   */
  private async requireKey(call: ApiCall): Promise<void> {
    if (this.key === undefined)
      throw new ToolFailed(
        'This needs a key of the exchange: the person who runs this server sets EXCHANGE_API_KEY and EXCHANGE_API_SECRET. Market data need none.',
      );
    const { enableWithdrawals, enableSpotAndMarginTrading } = await this.permissionsOfKey();
    if (enableWithdrawals)
      throw new ToolFailed(
        'The key may withdraw and is therefore not used. The person has to create a key without that permission for the assistant.',
      );
    if (call.action !== 'read' && !enableSpotAndMarginTrading)
      throw new ToolFailed('The key may only read. A key that may trade is needed for orders.');
  }

  /**
   * Returns the permissions of the API key. They never change, so they are fetched only once. If this fails, the next
   * call fetches them again.
   */
  private permissionsOfKey(): Promise<KeyPermissions> {
    this.permissions ??= this.signedText(apiRestrictions, {}).then(
      (text) => JSON.parse(text) as KeyPermissions,
      (cause: unknown) => {
        this.permissions = undefined;
        throw cause;
      },
    );
    return this.permissions;
  }

  private async send(
    { method, path, access }: ApiCall,
    query: string,
    signal?: AbortSignal,
  ): Promise<ExchangeAnswer> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const headers: Record<string, string> =
      access === 'open' || this.key === undefined ? {} : { 'x-mbx-apikey': this.key.key };
    try {
      const response = await fetch(`${this.url}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers,
        redirect: 'error',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      return {
        status: response.status,
        body: await response.text(),
        retryAfter: response.headers.get('retry-after') ?? undefined,
      };
    } catch {
      throw new NoAnswer(
        `The exchange at ${this.url} did not answer. Is its address right and is it running?`,
      );
    }
  }
}

function queryOf(sent: Sent): string {
  return new URLSearchParams(sent).toString();
}

/**
 * Returns the error code in a response of the exchange; undefined if the response is successful or contains no code.
 */
export function codeOf({ status, body }: ExchangeAnswer): number | undefined {
  return status < 400 ? undefined : errorOf(body)?.code;
}

/**
 * Returns the body of a successful response. For any other response throws a `ToolFailed` with the exchange's error
 * code and text.
 */
export function accepted({ status, body, retryAfter }: ExchangeAnswer): string {
  if (status < 400) return body;
  const error = errorOf(body);
  const text = error === undefined ? 'The answer is not readable.' : `${error.code}: ${error.msg}`;
  const wait = retryAfter === undefined ? '' : ` Wait ${retryAfter} seconds before the next request.`;
  throw new ToolFailed(`The exchange refused the request (HTTP ${status}). ${text}${wait}`);
}

function errorOf(body: string): { readonly code: number; readonly msg: string } | undefined {
  try {
    const { code, msg } = JSON.parse(body) as { code?: unknown; msg?: unknown };
    return typeof code === 'number' && typeof msg === 'string' ? { code, msg } : undefined;
  } catch {
    // A response that is not JSON has no error code. A proxy may have sent it instead of the exchange.
    return undefined;
  }
}
